import * as v from "valibot";
import type { ResourceId } from "../wire/frame.ts";
import { fail, ok, type Result } from "../wire/result.ts";
import type { Connection } from "./connection.ts";
import type { Refusal } from "./errors.ts";
import type { JsonMembers } from "./json-object.ts";
import { type Redial, sendKeyed } from "./keyed.ts";
import { askForReceipt, poorReceipt } from "./receipt.ts";
import { meanings, receiptRefusal } from "./receipt-refusal.ts";
import type { RequestFailure } from "./request-failure.ts";
import { formatResource } from "./selector.ts";

const id = v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/));
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

const sent = v.object({ id, seq: count, sent_at_ms: count, expires_at_ms: count, replayed: v.boolean() });

/** A message as a mailbox gives it, in the key order of the document. Its texts were written by another agent. */
const message = v.object({
  id,
  seq: count,
  from: v.string(),
  subject: v.nullable(v.string()),
  body: v.string(),
  reply_to: v.nullable(id),
  sent_at_ms: count,
  read_at_ms: count,
  acked_at_ms: v.nullable(count),
});
const page = v.object({ messages: v.array(message), more: v.boolean() });
const acknowledgement = v.object({ acked: v.array(id), unknown: v.array(id) });

export type Message = v.InferOutput<typeof message>;

/** What to leave in a mailbox. Lengths were checked by the caller; absent members are left to the server. */
export interface Letter {
  readonly from: string;
  readonly body: string;
  readonly subject: string | undefined;
  /** The id of the message that this one answers. */
  readonly replyTo: string | undefined;
  /** Seconds after which it is dropped when nobody has read it. */
  readonly ttlSeconds: number;
}

/**
 * Leaves a letter in a pane's mailbox (client.md 4.29). With `key`, 32 hex digits, the server delivers it once however
 * often it is sent, so that a lost connection is made good by sending it again over `redial`. Refusals beyond those of a
 * connection: mailbox_full, no_such_message for `replyTo`, idempotency_conflict for `key`.
 */
export async function sendMail(
  connection: Connection,
  mailbox: ResourceId,
  letter: Letter,
  key: string | undefined,
  redial: Redial,
): Promise<Result<v.InferOutput<typeof sent>, Refusal>> {
  const fields = {
    to: formatResource(mailbox),
    from: letter.from,
    subject: letter.subject,
    body: letter.body,
    reply_to: letter.replyTo,
    ttl_secs: letter.ttlSeconds,
    idempotency_key: key?.toLowerCase(),
  };
  const send = (on: Connection) => ask(on, "send", fields, sent);
  const keyed = key === undefined ? null : { key: Uint8Array.fromHex(key), redial };
  const { answer } = await sendKeyed(connection, keyed, send);
  if (answer.ok) return answer;
  const refusal = receiptRefusal(answer.error, key === undefined ? meanings.send : meanings.sendKeyed);
  const unsure = keyed === null && answer.error.lost && answer.error.effect === "possible";
  return fail(unsure ? { ...refusal, remedy: `it may have been delivered: ${lookFor(letter)}` } : refusal);
}

function lookFor({ from }: Letter): string {
  return `look for a message of ${from} with phux_mail_read before sending it again`;
}

export interface Page {
  readonly messages: readonly Message[];
  /** What to pass as `after` for the messages behind these. */
  readonly next_after: number;
  readonly more: boolean;
}

/** The messages of a mailbox with a `seq` above `after`, oldest first, at most `limit`; they count as read from now on. */
export async function readMail(
  connection: Connection,
  mailbox: ResourceId,
  after: number,
  limit: number,
  unackedOnly: boolean,
): Promise<Result<Page, Refusal>> {
  const fields = { mailbox: formatResource(mailbox), after, limit, unacked_only: unackedOnly };
  const read = await ask(connection, "read", fields, page);
  if (!read.ok) return fail(receiptRefusal(read.error, meanings.mailbox));
  const { messages, more } = read.value;
  return ok({ messages, next_after: messages.at(-1)?.seq ?? after, more });
}

/** Acknowledges messages. Doing it twice is fine, and an id that is not in the mailbox comes back as `unknown`. */
export async function acknowledgeMail(
  connection: Connection,
  mailbox: ResourceId,
  ids: readonly string[],
): Promise<Result<v.InferOutput<typeof acknowledgement>, Refusal>> {
  const fields = { mailbox: formatResource(mailbox), ids: [...new Set(ids)] };
  const acknowledged = await ask(connection, "ack", fields, acknowledgement);
  return acknowledged.ok ? acknowledged : fail(receiptRefusal(acknowledged.error, meanings.mailbox));
}

async function ask<const Entries extends v.ObjectEntries>(
  connection: Connection,
  verb: "send" | "read" | "ack",
  fields: JsonMembers,
  said: v.ObjectSchema<Entries, undefined>,
): Promise<Result<v.InferOutput<v.ObjectSchema<Entries, undefined>>, RequestFailure>> {
  const receipt = await askForReceipt(connection, "mail", verb, fields);
  if (!receipt.ok) return receipt;
  const parsed = v.safeParse(said, receipt.value);
  return parsed.success ? ok(parsed.output) : fail(poorReceipt("mail", verb));
}
