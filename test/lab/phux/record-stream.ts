import type { Server } from "../../../src/phux/connection.ts";
import { refuse } from "../../../src/phux/errors.ts";
import { type JsonMembers, membersOf, parseJsonObject } from "../../../src/phux/json-object.ts";
import { formatResource } from "../../../src/phux/selector.ts";
import { fromWireError } from "../../../src/phux/wire-error.ts";
import type { Command, ResourceId } from "../../../src/wire/frame.ts";
import { fail, ok, type Result } from "../../../src/wire/result.ts";
import { LabClient, type Received } from "../client.ts";
import type { CliRefusal } from "./refusal.ts";
import { phuxVersion } from "./version.ts";

/** A record as the server wrote it (wire.md 18.3). */
export interface StampedRecord {
  readonly seq: number;
  readonly ts_ms: number;
  readonly type: string;
  readonly data: JsonMembers | null;
}

/** Milliseconds for a record to come back after the server has taken it. */
const ECHO_MS = 5_000;

/**
 * The records of one agent session, on a connection of its own: the client half of the product reads no output streams.
 */
export class RecordStream implements Disposable {
  readonly #client: LabClient;
  readonly #session: ResourceId;

  private constructor(client: LabClient, session: ResourceId) {
    this.#client = client;
    this.#session = session;
  }

  /** Attaches to a session; what it keeps of its records has arrived. */
  static async attach(server: Server, session: ResourceId): Promise<Result<RecordStream, CliRefusal>> {
    try {
      const client = await LabClient.open(server.socket, server.version, `phux-lab/${phuxVersion}`);
      const stream = new RecordStream(client, session);
      const refusal = await stream.#command({ tag: "ATTACH_RESOURCE", terminal_id: session });
      if (refusal === null) await client.next("BOOTSTRAP_READY");
      else client.close();
      return refusal === null ? ok(stream) : fail(refusal);
    } catch (error) {
      return fail(lost(error));
    }
  }

  /** The records that were kept, oldest first. Detaches. */
  async kept(): Promise<Result<readonly StampedRecord[], CliRefusal>> {
    const refusal = await this.#command({ tag: "DETACH_RESOURCE", terminal_id: this.#session });
    return refusal === null ? ok(recordsIn(this.#client.received)) : fail(refusal);
  }

  /** Appends one record and gives it as the server stamped it. Never twice: nothing here is deduplicated. */
  async append(type: string, data: JsonMembers): Promise<Result<StampedRecord, CliRefusal>> {
    const bytes = new TextEncoder().encode(`${JSON.stringify({ type, data })}\n`);
    const known = this.#client.received.length;
    const refusal = await this.#command({ tag: "APPEND_RESOURCE_OUTPUT", terminal_id: this.#session, bytes });
    if (refusal !== null) return fail(refusal);
    const isOurs = (record: StampedRecord) => record.type === type && Bun.deepEquals(record.data, data);
    const came = (one: Received) => one === null || recordsIn([one]).some(isOurs);
    // What the session kept before is here too, and may say the same.
    this.#client.received.splice(0, known);
    const received = await this.#client.take(came, ECHO_MS);
    const record = recordsIn(received ? [received] : []).findLast(isOurs);
    if (record !== undefined) return ok(record);
    return fail(
      refuse("transport", `the server took the record for ${formatResource(this.#session)}, and never sent it`),
    );
  }

  [Symbol.dispose](): void {
    this.#client.close();
  }

  async #command(command: Command & { readonly terminal_id: ResourceId }): Promise<CliRefusal | null> {
    try {
      const result = await this.#client.command(command);
      if (result.tag !== "error") return null;
      return fromWireError(result.code, result.message, `${command.tag} ${formatResource(command.terminal_id)}`);
    } catch (error) {
      return lost(error);
    }
  }
}

function lost(error: unknown): CliRefusal {
  return refuse("server_disconnected", error instanceof Error ? error.message : String(error));
}

/** The records in what was received: one a line, lines over the borders of frames. */
function recordsIn(received: readonly Received[]): readonly StampedRecord[] {
  const bytes = received.map((one) => {
    if (one?.frame.name === "BOOTSTRAP_CHUNK") return one.frame.value.payload;
    return one?.frame.name === "RESOURCE_OUTPUT" ? one.frame.value.bytes : new Uint8Array();
  });
  const lines = Buffer.concat(bytes).toString().split("\n");
  return lines.flatMap((line) => {
    const { seq, ts_ms, type, data } = parseJsonObject(line) ?? {};
    if (typeof seq !== "number" || typeof ts_ms !== "number" || typeof type !== "string") return [];
    return [{ seq, ts_ms, type, data: membersOf(data) }];
  });
}
