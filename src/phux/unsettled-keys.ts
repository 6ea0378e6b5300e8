/** How long a server remembers a key, and how many of ours are worth a place here (wire.md section 24). */
const KEPT_MS = 600_000;
const MOST_KEYS = 1_024;

/** The server process that a key was sent to. */
interface Sent {
  readonly socket: string;
  readonly serverId: string;
  readonly at: number;
}

/**
 * Keys of requests that went out and were never answered. Only the server process that got such a key can tell a repeat
 * from a first try; its successor at the same socket would act again, and on ids that may name other panes by now.
 */
export class UnsettledKeys {
  readonly #sent = new Map<string, Sent>();
  readonly #now: () => number;

  /** `now` gives milliseconds of any clock. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Whether this key was sent to another process at this socket, and its outcome never became known. */
  isOfAnother(key: string, { socket, id }: { readonly socket: string; readonly id: string }): boolean {
    const sent = this.#sent.get(key);
    if (sent === undefined || this.#now() - sent.at >= KEPT_MS) return false;
    return sent.socket === socket && sent.serverId !== id;
  }

  /** The key went out to this server, and no answer came. */
  keep(key: string, { socket, id }: { readonly socket: string; readonly id: string }): void {
    this.#sent.delete(key);
    this.#sent.set(key, { socket, serverId: id, at: this.#now() });
    const [oldest] = this.#sent.keys();
    if (this.#sent.size > MOST_KEYS && oldest !== undefined) this.#sent.delete(oldest);
  }

  /** Its outcome is known. */
  settle(key: string): void {
    this.#sent.delete(key);
  }
}
