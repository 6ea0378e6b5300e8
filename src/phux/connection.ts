import type {
  Command,
  CommandValue,
  FrameValue,
  MoveResult,
  ResourceId,
  Scope,
  SessionSnapshot,
} from "../wire/frame.ts";
import { fail, ok, type Result } from "../wire/result.ts";
import { Exchange, REQUEST_MS } from "./exchange.ts";
import { type RequestFailure, refused } from "./request-failure.ts";
import { formatResource } from "./selector.ts";

export type { Server } from "./exchange.ts";

/** What one GET_STATE said, and which satellites did not answer before it. */
export interface StateView {
  readonly snapshot: SessionSnapshot;
  readonly notices: readonly string[];
}

/** What became of a metadata write, and of the read that followed it. */
export interface MetadataWrite {
  readonly refusal: RequestFailure | null;
  readonly readBack: Result<Uint8Array | null, RequestFailure>;
}

/** Milliseconds that a request which starts or moves a pane may take (client.md 1.4). */
const PLACEMENT_MS = 60_000;

/** One negotiated connection of one tool call, by what a phux client asks of a server. */
export class Connection extends Exchange {
  /**
   * Sends a command and gives its value; null for a plain OK. `ms` bounds the wait for the answer, and where it is left
   * out the call's own limit does; `most` is the limit of this kind of request.
   */
  async command(
    command: Command,
    what: string,
    ms?: number,
    most = REQUEST_MS,
  ): Promise<Result<CommandValue | null, RequestFailure>> {
    const frame = (request_id: number) => ({ name: "COMMAND", value: { request_id, command } }) as const;
    const reply = await this.ask(frame, what, ms, most);
    if (!reply.ok) return reply;
    if (reply.value.name !== "COMMAND_RESULT") return fail(this.strange(what));
    const result = reply.value.value.result;
    if (result.tag === "error") return fail(refused(result.code, result.message, what));
    return ok(result.tag === "ok" ? null : result.value);
  }

  /**
   * A command that does something, and is answered by a plain OK, null, or by a JSON text. Any other value belongs to
   * another request, and proves nothing.
   */
  async act(
    command: Command,
    what: string,
    ms?: number,
    most?: number,
  ): Promise<Result<string | null, RequestFailure>> {
    const value = await this.command(command, what, ms, most);
    if (!value.ok) return value;
    if (value.value === null) return ok(null);
    return value.value.tag === "json" ? ok(value.value.json) : fail(this.strange(what));
  }

  /** A command whose value is a JSON text. */
  async json(command: Command, what: string, ms?: number): Promise<Result<string, RequestFailure>> {
    const value = await this.command(command, what, ms);
    if (!value.ok) return value;
    return value.value?.tag === "json" ? ok(value.value.json) : fail(this.strange(what));
  }

  /** The server's whole state (wire.md section 10), with the notices of satellites that did not answer. */
  async state(ms?: number): Promise<Result<StateView, RequestFailure>> {
    this.forgetNotices();
    const what = "reading the server's state";
    const value = await this.command({ tag: "GET_STATE", scope: 0 }, what, ms);
    if (!value.ok) return value;
    if (value.value?.tag !== "state") return fail(this.strange(what));
    return ok({ snapshot: value.value.state, notices: this.notices });
  }

  /** The value under a metadata key; null when it is not set. */
  async metadata(scope: Scope, key: string): Promise<Result<Uint8Array | null, RequestFailure>> {
    const what = `reading ${key}`;
    const reply = await this.ask((request_id) => ({ name: "GET_METADATA", value: { request_id, scope, key } }), what);
    if (!reply.ok) return reply;
    if (reply.value.name !== "METADATA_VALUE") return fail(this.strange(what));
    return ok(reply.value.value.value ?? null);
  }

  /** The keys of a metadata scope, sorted. */
  async metadataKeys(scope: Scope): Promise<Result<readonly string[], RequestFailure>> {
    const what = "listing the metadata keys";
    const reply = await this.ask((request_id) => ({ name: "LIST_METADATA", value: { request_id, scope } }), what);
    if (!reply.ok) return reply;
    return reply.value.name === "METADATA_KEYS" ? ok(reply.value.value.keys ?? []) : fail(this.strange(what));
  }

  /** Writes a metadata value and reads the key back; a refusal of either is the failure. `pauseMs` as below. */
  async writeMetadata(
    scope: Scope,
    key: string,
    value: Uint8Array,
    pauseMs = 0,
  ): Promise<Result<Uint8Array | null, RequestFailure>> {
    const { refusal, readBack } = await this.writeThenRead(scope, key, value, key, pauseMs);
    return refusal === null ? readBack : fail(refusal);
  }

  /**
   * Writes a metadata value and reads `readKey` on this connection: the server handles frames in order, so the answer
   * proves that the write was seen, and an ERROR for the write that comes first is its `refusal` (client.md 1.2). Between
   * the two `pauseMs` are waited, for who wants to see whether somebody writes at the same time.
   */
  async writeThenRead(
    scope: Scope,
    key: string,
    value: Uint8Array,
    readKey: string,
    pauseMs = 0,
  ): Promise<MetadataWrite> {
    const write = (request_id: number) => ({ name: "SET_METADATA", value: { request_id, scope, key, value } }) as const;
    const [refusal, readBack] = await this.prove(write, `writing ${key}`, async () => {
      if (pauseMs > 0) await this.deadline.pause(pauseMs);
      return this.metadata(scope, readKey);
    });
    return { refusal, readBack };
  }

  /** Deletes a metadata key and reads it back: null when it is gone. */
  async deleteMetadata(scope: Scope, key: string): Promise<Result<Uint8Array | null, RequestFailure>> {
    const deletion = (request_id: number) => ({ name: "DELETE_METADATA", value: { request_id, scope, key } }) as const;
    const [refusal, readBack] = await this.prove(deletion, `deleting ${key}`, () => this.metadata(scope, key));
    return refusal === null ? readBack : fail(refusal);
  }

  /** Moves a local pane into the window of another (wire.md 15.2). Only where `move_resource` is advertised. */
  async move(terminal: ResourceId, owner_terminal: ResourceId): Promise<Result<MoveResult, RequestFailure>> {
    const what = `moving ${formatResource(terminal)}`;
    const frame = (request_id: number) =>
      ({ name: "MOVE_RESOURCE", value: { request_id, terminal, owner_terminal } }) as const;
    const reply = await this.ask(frame, what, undefined, PLACEMENT_MS);
    if (!reply.ok) return reply;
    return reply.value.name === "RESOURCE_MOVED" ? ok(reply.value.value.result) : fail(this.strange(what));
  }

  /** Starts a resource (wire.md 15.1). */
  async spawn(
    request: Omit<FrameValue<"SPAWN_RESOURCE">, "request_id">,
  ): Promise<Result<FrameValue<"RESOURCE_SPAWNED">, RequestFailure>> {
    const what = "starting the pane";
    const reply = await this.ask(
      (request_id) => ({ name: "SPAWN_RESOURCE", value: { ...request, request_id } }),
      what,
      undefined,
      PLACEMENT_MS,
    );
    if (!reply.ok) return reply;
    return reply.value.name === "RESOURCE_SPAWNED" ? ok(reply.value.value) : fail(this.strange(what));
  }
}
