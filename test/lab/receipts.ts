import type { Connection } from "./connection.ts";

/** A client that never reads its receipts has no more of them than this. */
const keptCount = 256;

/** Answers to writes that are never stored: each is read once, and by the connection that wrote (client.md 4.29). */
export class Receipts {
  readonly #kept = new WeakMap<Connection, Map<string, Uint8Array>>();

  leave(connection: Connection, key: string, receipt: Readonly<Record<string, unknown>>): void {
    const own = this.#kept.get(connection) ?? new Map<string, Uint8Array>();
    this.#kept.set(connection, own);
    own.set(key, new TextEncoder().encode(JSON.stringify(receipt)));
    const [oldest] = own.keys();
    if (own.size > keptCount && oldest !== undefined) own.delete(oldest);
  }

  take(connection: Connection, key: string): Uint8Array | undefined {
    const receipt = this.#kept.get(connection)?.get(key);
    this.#kept.get(connection)?.delete(key);
    return receipt;
  }
}
