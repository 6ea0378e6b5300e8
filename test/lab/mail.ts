import { randomBytes } from "node:crypto";
import * as v from "valibot";
import { fail, ok, type Result } from "../../src/wire/result.ts";
import { hex, type Refused, refused } from "./answer.ts";
import { KeyedResults } from "./keyed-results.ts";

const mostMessages = 256;
const mostBytes = 1024 * 1024;

type Message = {
  readonly id: string;
  readonly seq: number;
  readonly from: string;
  readonly subject: string | null;
  readonly body: string;
  readonly reply_to: string | null;
  readonly sent_at_ms: number;
  readonly expires_at_ms: number;
  read_at_ms: number | null;
  acked_at_ms: number | null;
};
type Mailbox = { nextSeq: number; messages: Message[] };
type Sent = Pick<Message, "id" | "seq" | "sent_at_ms" | "expires_at_ms">;
type Receipt = Readonly<Record<string, unknown>>;

const text = (most: number) => v.pipe(v.string(), v.minBytes(1), v.maxBytes(most));
const hexId = v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/));
const whole = (least: number, most = Number.MAX_SAFE_INTEGER) =>
  v.pipe(v.number(), v.safeInteger(), v.minValue(least), v.maxValue(most));

const sendRequest = v.object({
  to: v.string(),
  from: text(4096),
  subject: v.optional(text(256)),
  body: text(4096),
  reply_to: v.optional(hexId),
  ttl_secs: whole(1, 604_800),
  idempotency_key: v.optional(hexId),
});
const readRequest = v.object({ mailbox: v.string(), after: whole(0), limit: whole(1, 64), unacked_only: v.boolean() });
const ackRequest = v.object({ mailbox: v.string(), ids: v.pipe(v.array(hexId), v.minLength(1), v.maxLength(64)) });

/** One mailbox a terminal, in memory, bounded, gone with its terminal (tools.md 43). */
export class Mailboxes {
  readonly #lives: (terminal: number) => boolean;
  readonly #now: () => number;
  readonly #boxes = new Map<number, Mailbox>();
  readonly #sent = new KeyedResults<Sent>();

  constructor(lives: (terminal: number) => boolean, now: () => number) {
    this.#lives = lives;
    this.#now = now;
  }

  /** Does what a write to `phux.mail.<verb>/v1` asks for; null when there is no such verb. */
  serve(verb: string, request: unknown): Result<Receipt, Refused> | null {
    this.#tidy();
    switch (verb) {
      case "send":
        return checked(sendRequest, request, (letter) => this.#send(letter));
      case "read":
        return checked(readRequest, request, (wanted) => this.#read(wanted));
      case "ack":
        return checked(ackRequest, request, (done) => this.#acknowledge(done));
      default:
        return null;
    }
  }

  #send({ idempotency_key, ...letter }: v.InferOutput<typeof sendRequest>): Result<Receipt, Refused> {
    const key = idempotency_key === undefined ? null : Uint8Array.fromHex(idempotency_key);
    const first = key && this.#sent.recall(key, JSON.stringify(letter));
    if (first === "conflict") return fail(refused("INVALID_COMMAND", "the key belongs to another message"));
    if (first) return ok({ ...first, replayed: true });
    const box = this.#boxAt(letter.to);
    if (!box.ok) return box;
    if (letter.reply_to !== undefined && !this.#knows(letter.reply_to)) {
      return fail(refused("PRECONDITION_FAILED", `there is no message ${letter.reply_to} to reply to`));
    }
    const now = this.#now();
    const message: Message = {
      id: hex(randomBytes(16)),
      seq: box.value.nextSeq,
      ...{ from: letter.from, subject: letter.subject ?? null, body: letter.body, reply_to: letter.reply_to ?? null },
      ...{ sent_at_ms: now, expires_at_ms: now + letter.ttl_secs * 1000, read_at_ms: null, acked_at_ms: null },
    };
    if (!makeRoom(box.value, message))
      return fail(refused("RESOURCE_EXHAUSTED", `the mailbox of ${letter.to} is full`));
    box.value.messages.push(message);
    box.value.nextSeq += 1;
    const { id, seq, sent_at_ms, expires_at_ms } = message;
    const sent = { id, seq, sent_at_ms, expires_at_ms };
    if (key) this.#sent.keep(key, JSON.stringify(letter), sent);
    return ok({ ...sent, replayed: false });
  }

  #read({ mailbox, after, limit, unacked_only }: v.InferOutput<typeof readRequest>): Result<Receipt, Refused> {
    const box = this.#boxAt(mailbox);
    if (!box.ok) return box;
    const wanted = ({ seq, acked_at_ms }: Message) => seq > after && !(unacked_only && acked_at_ms !== null);
    const found = box.value.messages.filter(wanted);
    const page = found.slice(0, limit);
    for (const message of page) message.read_at_ms ??= this.#now();
    return ok({ messages: page.map(({ expires_at_ms: _, ...shown }) => shown), more: found.length > limit });
  }

  #acknowledge({ mailbox, ids }: v.InferOutput<typeof ackRequest>): Result<Receipt, Refused> {
    const box = this.#boxAt(mailbox);
    if (!box.ok) return box;
    const [acked, unknown]: [string[], string[]] = [[], []];
    for (const id of ids) {
      const message = box.value.messages.find((one) => one.id === id);
      if (message) message.acked_at_ms ??= this.#now();
      (message ? acked : unknown).push(id);
    }
    return ok({ acked, unknown });
  }

  /** Unread messages end at their time, and mailboxes with their terminal. */
  #tidy(): void {
    const now = this.#now();
    for (const [terminal, box] of this.#boxes) {
      if (!this.#lives(terminal)) this.#boxes.delete(terminal);
      box.messages = box.messages.filter((message) => message.read_at_ms !== null || message.expires_at_ms > now);
    }
  }

  #boxAt(address: string): Result<Mailbox, Refused> {
    const terminal = /^@(\d+)$/.test(address) ? Number(address.slice(1)) : null;
    if (terminal === null || !this.#lives(terminal)) {
      return fail(refused("TERMINAL_NOT_FOUND", `no terminal ${address} has a mailbox here`));
    }
    const box = this.#boxes.get(terminal) ?? { nextSeq: 1, messages: [] };
    this.#boxes.set(terminal, box);
    return ok(box);
  }

  #knows(id: string): boolean {
    return [...this.#boxes.values()].some((box) => box.messages.some((message) => message.id === id));
  }
}

function sizeOf({ body, from, subject }: Message): number {
  return Buffer.byteLength(body) + Buffer.byteLength(from) + Buffer.byteLength(subject ?? "");
}

/** Whether a message fits, after the oldest acknowledged ones have gone where that is needed. */
function makeRoom(box: Mailbox, coming: Message): boolean {
  const fits = (kept: readonly Message[]) =>
    kept.length < mostMessages && kept.reduce((sum, one) => sum + sizeOf(one), sizeOf(coming)) <= mostBytes;
  let kept = box.messages;
  while (!fits(kept)) {
    const done = kept.find((message) => message.acked_at_ms !== null);
    if (!done) return false;
    kept = kept.filter((message) => message !== done);
  }
  box.messages = kept;
  return true;
}

function checked<T>(
  schema: v.GenericSchema<unknown, T>,
  request: unknown,
  act: (asked: T) => Result<Receipt, Refused>,
): Result<Receipt, Refused> {
  const parsed = v.safeParse(schema, request);
  return parsed.success ? act(parsed.output) : fail(refused("INVALID_COMMAND", "the request is malformed"));
}
