/** What arrived while the host does not read its answers: it waits, in order, within a bound. Pure. */
import { membersOf } from "./message.ts";

/** Beyond this many bytes of waiting lines nothing more is read. Enough for thousands of calls. */
const WAITING_BYTES = 4 * 1024 * 1024;
/** A parsed message costs memory of its own, however short its line was. */
const MESSAGE_BYTES = 256;

/** A message for the session, or a line that the transport itself answers. */
export type Arrival = { readonly message: unknown } | { readonly refusal: string };

interface Waiting {
  readonly arrival: Arrival;
  readonly bytes: number;
}

export class Backlog {
  #waiting: Waiting[] = [];
  #bytes = 0;

  get empty(): boolean {
    return this.#waiting.length === 0;
  }

  get full(): boolean {
    return this.#bytes >= WAITING_BYTES;
  }

  /** @param bytes the length of the line it came in */
  add(arrival: Arrival, bytes: number): void {
    const waiting = { arrival, bytes: bytes + MESSAGE_BYTES };
    this.#waiting.push(waiting);
    this.#bytes += waiting.bytes;
  }

  next(): Arrival | undefined {
    const first = this.#waiting.shift();
    this.#bytes -= first?.bytes ?? 0;
    return first?.arrival;
  }

  /** Takes out the first waiting call with this id, if there is one: it is cancelled before it began. */
  withdraw(id: unknown): boolean {
    const at = this.#waiting.findIndex(({ arrival }) => isCallOf(arrival, id));
    if (at === -1) return false;
    const [gone] = this.#waiting.splice(at, 1);
    this.#bytes -= gone?.bytes ?? 0;
    return true;
  }
}

function isCallOf(arrival: Arrival, id: unknown): boolean {
  if (!("message" in arrival)) return false;
  const { method, id: called } = membersOf(arrival.message);
  return method === "tools/call" && called === id;
}

/** The id that a cancel names; undefined when the message is no cancel. */
export function cancelledId(message: unknown): unknown {
  const { method, params } = membersOf(message);
  const { requestId } = membersOf(params);
  return method === "notifications/cancelled" ? requestId : undefined;
}
