import * as v from "valibot";
import { fail, ok, type Result } from "../wire/result.ts";
import { compareUtf8 } from "./byte-order.ts";
import type { Connection } from "./connection.ts";
import type { Refusal } from "./errors.ts";
import type { JsonMembers } from "./json-object.ts";
import { parseJsonObject } from "./json-object.ts";
import { askForReceipt, poorReceipt } from "./receipt.ts";
import { type Meanings, meanings, receiptRefusal } from "./receipt-refusal.ts";

const GLOBAL = { tag: "global" } as const;
const RECORD_PREFIX = "phux.claim/v1/";

const time = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const shared = { taken_at_ms: time, expires_at_ms: time, note: v.nullable(v.string()) };
const token = v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/));

/** A claim as its holder sees it, in the key order of the document. */
const heldClaim = v.object({ name: v.string(), holder: v.string(), token, ...shared });
/** The same as everybody sees it. */
const publicClaim = v.object({ name: v.string(), holder: v.string(), ...shared });

export type HeldClaim = v.InferOutput<typeof heldClaim>;
export type PublicClaim = v.InferOutput<typeof publicClaim>;

/** Takes a claim. Refused with claim_held while a live claim of that name exists, whoever holds it (client.md 4.30). */
export function takeClaim(
  connection: Connection,
  claim: {
    readonly name: string;
    readonly holder: string;
    readonly ttlSeconds: number;
    readonly note: string | undefined;
  },
): Promise<Result<HeldClaim, Refusal>> {
  const fields = { name: claim.name, holder: claim.holder, ttl_secs: claim.ttlSeconds, note: claim.note };
  return askForClaim(connection, "take", fields, meanings.take);
}

/** Makes the lease end `ttlSeconds` from now, be that later or earlier. claim_lost when it is no longer the caller's. */
export function renewClaim(
  connection: Connection,
  claim: { readonly name: string; readonly token: string; readonly ttlSeconds: number },
): Promise<Result<HeldClaim, Refusal>> {
  // `token` is the request's own name in these writes, so the claim's has another.
  const fields = { name: claim.name, claim_token: claim.token, ttl_secs: claim.ttlSeconds };
  return askForClaim(connection, "renew", fields, meanings.hold);
}

async function askForClaim(
  connection: Connection,
  verb: "take" | "renew",
  fields: JsonMembers,
  verbMeanings: Meanings,
): Promise<Result<HeldClaim, Refusal>> {
  const receipt = await askForReceipt(connection, "claim", verb, fields);
  if (!receipt.ok) return fail(receiptRefusal(receipt.error, verbMeanings));
  const parsed = v.safeParse(heldClaim, receipt.value["claim"]);
  return parsed.success ? ok(parsed.output) : fail(poorReceipt("claim", verb).refusal);
}

/** Gives up a claim: whether it was held until now. An absent or expired one is no error, another's is claim_lost. */
export async function releaseClaim(
  connection: Connection,
  claim: { readonly name: string; readonly token: string },
): Promise<Result<boolean, Refusal>> {
  const fields = { name: claim.name, claim_token: claim.token };
  const receipt = await askForReceipt(connection, "claim", "release", fields);
  if (!receipt.ok) return fail(receiptRefusal(receipt.error, meanings.hold));
  const held = receipt.value["was_held"];
  return typeof held === "boolean" ? ok(held) : fail(poorReceipt("claim", "release").refusal);
}

/**
 * The live claims at `nowMs` whose name begins with `prefix`, sorted by the bytes of their names. What vanished since the
 * list was read, does not read as a claim, or has expired is left out.
 */
export async function listClaims(
  connection: Connection,
  prefix: string,
  nowMs: number,
): Promise<Result<readonly PublicClaim[], Refusal>> {
  const keys = await connection.metadataKeys(GLOBAL);
  if (!keys.ok) return fail(keys.error.refusal);
  const claims: PublicClaim[] = [];
  for (const key of keys.value.filter((key) => key.startsWith(RECORD_PREFIX + prefix))) {
    const value = await connection.metadata(GLOBAL, key);
    if (!value.ok && value.error.wireCode === null) return fail(value.error.refusal);
    const claim = value.ok ? parseClaim(key.slice(RECORD_PREFIX.length), value.value) : null;
    if (claim !== null && claim.expires_at_ms > nowMs) claims.push(claim);
  }
  return ok(claims.sort((a, b) => compareUtf8(a.name, b.name)));
}

/** The record under a claim's public key, or null. A record that names another claim than its key does is none. */
export function parseClaim(name: string, value: Uint8Array | null): PublicClaim | null {
  const parsed = v.safeParse(publicClaim, value === null ? null : parseJsonObject(value));
  return parsed.success && parsed.output.name === name ? parsed.output : null;
}
