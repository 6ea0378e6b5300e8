import { randomBytes } from "node:crypto";
import * as v from "valibot";
import type { ActorRef } from "../../src/wire/identity.ts";
import { fail, ok, type Result } from "../../src/wire/result.ts";
import { hex, type Refused, refused } from "./answer.ts";
import type { LabServer } from "./server.ts";

const global = { tag: "global" } as const;
export const claimPrefix = "phux.claim/v1/";
const mostClaims = 1024;

type Claim = {
  readonly name: string;
  readonly holder: string;
  readonly token: string;
  readonly taken_at_ms: number;
  readonly expires_at_ms: number;
  readonly note: string | null;
};
type Receipt = Readonly<Record<string, unknown>>;

const name = v.pipe(v.string(), v.regex(/^[A-Za-z0-9][A-Za-z0-9._/:@-]{0,127}$/));
const token = v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/));
const ttl_secs = v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(86_400));
const text = (most: number) => v.pipe(v.string(), v.minBytes(1), v.maxBytes(most));

const takeRequest = v.object({ name, holder: text(4096), ttl_secs, note: v.optional(text(512)) });
const renewRequest = v.object({ name, claim_token: token, ttl_secs });
const releaseRequest = v.object({ name, claim_token: token });

/** Advisory leases in memory; what everybody may know of one stands under its public key (tools.md 46). */
export class Claims {
  readonly #server: LabServer;
  readonly #claims = new Map<string, Claim>();

  constructor(server: LabServer) {
    this.#server = server;
  }

  get #now(): number {
    return this.#server.options.now();
  }

  /** Does what a write to `phux.claim.<verb>/v1` asks for; null when there is no such verb. */
  serve(verb: string, request: unknown, actor: ActorRef): Result<Receipt, Refused> | null {
    this.sweep();
    switch (verb) {
      case "take":
        return checked(takeRequest, request, (asked) => this.#take(asked, actor));
      case "renew":
        return checked(renewRequest, request, (asked) => this.#renew(asked, actor));
      case "release":
        return checked(releaseRequest, request, (asked) => this.#release(asked, actor));
      default:
        return null;
    }
  }

  /** Drops what has expired, and tells those who follow it. Called before anyone looks. */
  sweep(): void {
    for (const claim of this.#claims.values()) if (claim.expires_at_ms <= this.#now) this.#drop(claim.name);
  }

  #take(asked: v.InferOutput<typeof takeRequest>, actor: ActorRef): Result<Receipt, Refused> {
    const held = this.#claims.get(asked.name);
    if (held) return fail(refused("PRECONDITION_FAILED", heldText(held)));
    if (this.#claims.size >= mostClaims) return fail(refused("RESOURCE_EXHAUSTED", `${mostClaims} claims are held`));
    const taken_at_ms = this.#now;
    const expires_at_ms = taken_at_ms + asked.ttl_secs * 1000;
    const { name, holder, note = null } = asked;
    return ok(this.#keep({ name, holder, token: hex(randomBytes(16)), taken_at_ms, expires_at_ms, note }, actor));
  }

  #renew(asked: v.InferOutput<typeof renewRequest>, actor: ActorRef): Result<Receipt, Refused> {
    const held = this.#claims.get(asked.name);
    if (held?.token !== asked.claim_token) return fail(refused("PRECONDITION_FAILED", lostText(asked.name)));
    return ok(this.#keep({ ...held, expires_at_ms: this.#now + asked.ttl_secs * 1000 }, actor));
  }

  #release(asked: v.InferOutput<typeof releaseRequest>, actor: ActorRef): Result<Receipt, Refused> {
    const held = this.#claims.get(asked.name);
    if (held && held.token !== asked.claim_token) return fail(refused("PRECONDITION_FAILED", lostText(asked.name)));
    if (held) this.#drop(asked.name, actor);
    return ok({ was_held: held !== undefined });
  }

  #keep(claim: Claim, actor: ActorRef): Receipt {
    this.#claims.set(claim.name, claim);
    const { token: _, ...shown } = claim;
    const record = new TextEncoder().encode(JSON.stringify(shown));
    this.#server.writeMetadata(global, claimPrefix + claim.name, record, actor);
    this.#server.after(claim.expires_at_ms - this.#now, () => this.sweep());
    return { claim };
  }

  #drop(name: string, actor?: ActorRef): void {
    this.#claims.delete(name);
    this.#server.deleteMetadata(global, claimPrefix + name, actor);
  }
}

function heldText({ name, holder, expires_at_ms }: Claim): string {
  return `${name} is held by ${holder} until ${new Date(expires_at_ms).toISOString()}`;
}

function lostText(name: string): string {
  return `${name} is not held with this token`;
}

function checked<T>(
  schema: v.GenericSchema<unknown, T>,
  request: unknown,
  act: (asked: T) => Result<Receipt, Refused>,
): Result<Receipt, Refused> {
  const parsed = v.safeParse(schema, request);
  return parsed.success ? act(parsed.output) : fail(refused("INVALID_COMMAND", "the request is malformed"));
}
