import type { DesignedFeature } from "../../src/phux/designed-features.ts";
import { parseJsonObject } from "../../src/phux/json-object.ts";
import { refused } from "./answer.ts";
import type { Call } from "./call.ts";
import { Claims, claimPrefix } from "./claims.ts";
import { Mailboxes } from "./mail.ts";
import { Receipts } from "./receipts.ts";
import type { LabServer } from "./server.ts";

/** The global keys of mail and claims: writes that are deeds, and the receipts they leave (tools.md 43 to 49). */
export class DesignedKeys {
  readonly #server: LabServer;
  readonly #mail: Mailboxes;
  readonly #claims: Claims;
  readonly #receipts = new Receipts();

  constructor(server: LabServer) {
    this.#server = server;
    this.#mail = new Mailboxes((terminal) => server.panes.has(terminal), server.options.now);
    this.#claims = new Claims(server);
  }

  #has(feature: DesignedFeature): boolean {
    return this.#server.release.designed.includes(feature);
  }

  /** Serves a write to one of these keys; null when the key is none of them, and is stored like any other. */
  intercept(call: Call, key: string, value: Uint8Array): Promise<void> | null {
    const [, convention, verb = ""] = /^phux\.(mail|claim)\.([a-z]+)\/v1$/.exec(key) ?? [];
    if (convention === undefined || !this.#has(convention === "mail" ? "mail" : "claims")) return null;
    const request = parseJsonObject(value);
    const token = request?.["token"];
    if (typeof token !== "string" || !/^[0-9a-f]{32}$/.test(token) || /^0+$/.test(token)) {
      return call.refuse(refused("INVALID_COMMAND", "the request is malformed"));
    }
    const { connection } = call;
    const done =
      convention === "mail" ? this.#mail.serve(verb, request) : this.#claims.serve(verb, request, connection.actor);
    if (done === null) return null;
    if (!done.ok) return call.refuse(done.error);
    this.#receipts.leave(connection, `phux.${convention}.receipt/v1/${token}`, { token, ...done.value });
    return Promise.resolve();
  }

  /** The receipt under a key; undefined when there is none, or none any more. */
  receipt(call: Call, key: string): Uint8Array | undefined {
    return this.#receipts.take(call.connection, key);
  }

  /** Keys that clients do not write. */
  owns(key: string): boolean {
    return (
      (this.#has("mail") && key.startsWith("phux.mail.")) ||
      (this.#has("claims") && (key.startsWith(claimPrefix) || key.startsWith("phux.claim.")))
    );
  }

  /** Called before anybody reads or lists global keys. */
  sweep(): void {
    this.#claims.sweep();
  }
}
