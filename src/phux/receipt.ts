import { fail, ok, type Result } from "../wire/result.ts";
import type { Connection } from "./connection.ts";
import { sentence } from "./errors.ts";
import { type JsonMembers, parseJsonObject } from "./json-object.ts";
import { type RequestFailure, refusedHere } from "./request-failure.ts";

const GLOBAL = { tag: "global" } as const;

/** The two conventions whose writes the server takes in place of storing them (client.md 4.29, 4.30). */
export type Convention = "mail" | "claim";

/** 16 random bytes in hex, never all zero: they name one request and nothing else. */
function receiptToken(): string {
  for (;;) {
    const token = crypto.getRandomValues(new Uint8Array(16)).toHex();
    if (!/^0+$/.test(token)) return token;
  }
}

/**
 * Asks the server to do something by writing `phux.<convention>.<verb>/v1`, and reads what came of it from the receipt
 * that the server keeps for exactly this request, once and on this connection (client.md 4.29, steps 2 and 3). `fields`
 * are the members of the request; those that are undefined are left out. Gives the members of the receipt. The failure
 * is the server's refusal of the write, a lost connection, or a receipt that does not answer this request: for the last
 * two it is not known whether the server acted.
 */
export async function askForReceipt(
  connection: Connection,
  convention: Convention,
  verb: string,
  fields: JsonMembers,
): Promise<Result<JsonMembers, RequestFailure>> {
  const token = receiptToken();
  const key = `phux.${convention}.${verb}/v1`;
  const value = new TextEncoder().encode(JSON.stringify({ token, ...fields }));
  const receiptKey = `phux.${convention}.receipt/v1/${token}`;
  const { refusal, readBack } = await connection.writeThenRead(GLOBAL, key, value, receiptKey);
  if (refusal !== null) return fail(refusal);
  if (!readBack.ok) return readBack;
  if (readBack.value === null) return fail(unanswered(key, "left no receipt"));
  const receipt = parseJsonObject(readBack.value);
  if (receipt === null) return fail(unanswered(key, "left a receipt that is no JSON object"));
  return receipt["token"] === token ? ok(receipt) : fail(unanswered(key, "left the receipt of another request"));
}

/** A receipt that says too little, as the failure of its request. */
export function poorReceipt(convention: Convention, verb: string): RequestFailure {
  return unanswered(`phux.${convention}.${verb}/v1`, "left a receipt that lacks what it should say");
}

function unanswered(key: string, why: string): RequestFailure {
  const refusal = sentence(`the server took ${key} and ${why}: look at the effect before asking again`);
  return refusedHere(refusal, "possible");
}
