// A phux server for one test: it speaks the wire on a Unix socket, answers as its script says, and misbehaves on demand.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Socket } from "bun";
import { capabilitiesOf, type Feature } from "../../src/wire/capability.ts";
import { DetachReason } from "../../src/wire/enums.ts";
import { ErrorCode, type ErrorName } from "../../src/wire/error-code.ts";
import {
  type AnyFrame,
  type Command,
  decodeFrame,
  encodeFrame,
  type FrameOf,
  type FrameValue,
} from "../../src/wire/frame.ts";
import { FrameReader } from "../../src/wire/frame-reader.ts";
import type { ProtocolVersion } from "../../src/wire/version.ts";

/** What the server does with a frame of a client; HELLO is answered before anyone is asked. */
export type Script = (frame: AnyFrame, client: Client) => void;

export interface FakeOptions {
  readonly version?: ProtocolVersion;
  readonly features?: readonly Feature[];
  readonly script?: Script;
  /** In place of the ordinary answer to HELLO. */
  readonly hello?: (value: FrameValue<"HELLO">, client: Client) => void;
}

export const V10: ProtocolVersion = { major: 1, minor: 0, patch: 0 };
export const V09: ProtocolVersion = { major: 0, minor: 9, patch: 0 };
export const V08: ProtocolVersion = { major: 0, minor: 8, patch: 0 };

/** One connection, seen from the server. */
export class Client {
  readonly number: number;
  /** Every frame it sent, HELLO included. */
  readonly received: AnyFrame[] = [];
  isOpen = true;
  readonly #socket: Socket<Client | null>;
  #unsent: Uint8Array[] = [];

  constructor(number: number, socket: Socket<Client | null>) {
    this.number = number;
    this.#socket = socket;
  }

  send(...frames: readonly AnyFrame[]): void {
    this.sendBytes(Buffer.concat(frames.map(encodeFrame)));
  }

  sendBytes(bytes: Uint8Array): void {
    this.#unsent.push(bytes);
    this.flush();
  }

  /** The same bytes, so many at a time, each in a write of its own. */
  async drip(bytes: Uint8Array, size: number): Promise<void> {
    for (let at = 0; at < bytes.length; at += size) {
      this.sendBytes(bytes.subarray(at, at + size));
      await Bun.sleep(0);
    }
  }

  flush(): void {
    for (let bytes = this.#unsent[0]; bytes !== undefined; bytes = this.#unsent[0]) {
      const written = this.#socket.write(bytes);
      if (written < bytes.length) {
        this.#unsent[0] = bytes.subarray(Math.max(0, written));
        return;
      }
      this.#unsent.shift();
    }
  }

  /** Every fatal end has this shape (wire.md 7.1). */
  expel(code: ErrorName, message: string, reason: number = DetachReason.protocol_error): void {
    this.send(
      { name: "ERROR", value: { code: ErrorCode[code], message } },
      { name: "DETACHED", value: { reason, message } },
    );
    this.end();
  }

  end(): void {
    this.#socket.end();
  }

  /** Without the orderly end of a stream: as when the process dies with bytes unread. */
  cut(): void {
    this.#socket.terminate();
  }

  /** Stops reading, so that what the client sends piles up. */
  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }
}

export class FakeServer {
  readonly folder = mkdtempSync(join(tmpdir(), "phux-fake-"));
  readonly socket = join(this.folder, "phux.sock");
  readonly clients: Client[] = [];
  /** The versions that clients offered, in order. */
  readonly offered: string[] = [];
  script: Script;
  version: ProtocolVersion;
  features: readonly Feature[];
  hello: FakeOptions["hello"];
  readonly #listener: Bun.UnixSocketListener<Client | null>;

  constructor({ version = V10, features = [], script = () => {}, hello }: FakeOptions = {}) {
    this.version = version;
    this.features = features;
    this.script = script;
    this.hello = hello;
    const readers = new Map<Client, FrameReader>();
    this.#listener = Bun.listen<Client | null>({
      unix: this.socket,
      socket: {
        binaryType: "uint8array",
        open: (socket) => {
          const client = new Client(this.clients.length, socket);
          socket.data = client;
          this.clients.push(client);
          readers.set(client, new FrameReader());
        },
        data: ({ data: client }, chunk) => {
          const reader = client && readers.get(client);
          if (!client || !reader) return;
          reader.push(chunk);
          this.#read(client, reader);
        },
        drain: ({ data: client }) => client?.flush(),
        close: ({ data: client }) => {
          if (client) client.isOpen = false;
        },
        error: () => {},
      },
    });
  }

  /** Connections that stand. */
  get open(): number {
    return this.clients.filter((client) => client.isOpen).length;
  }

  /** What came after the greetings, over all connections. */
  get frames(): readonly AnyFrame[] {
    return this.clients.flatMap(({ received }) => received.filter(({ name }) => name !== "HELLO"));
  }

  get commands(): readonly Command[] {
    return this.frames.flatMap((frame) => (frame.name === "COMMAND" ? [frame.value.command] : []));
  }

  close(): void {
    this.#listener.stop(true);
    rmSync(this.folder, { recursive: true, force: true });
  }

  #read(client: Client, reader: FrameReader): void {
    for (let raw = reader.next(); raw.ok && raw.value !== null; raw = reader.next()) {
      const frame = decodeFrame(raw.value.type, raw.value.body);
      if (!frame.ok || frame.value.name === "UNKNOWN") throw new Error(`a client sent frame ${raw.value.type}`);
      client.received.push(frame.value);
      if (frame.value.name === "HELLO") this.#greet(frame.value.value, client);
      else this.script(frame.value, client);
    }
  }

  #greet(hello: FrameValue<"HELLO">, client: Client): void {
    const { protocol_major: major, protocol_minor: minor, protocol_patch: patch } = hello;
    this.offered.push(`${major}.${minor}.${patch}`);
    if (this.hello !== undefined) this.hello(hello, client);
    else if (major === this.version.major && minor === this.version.minor) client.send(this.helloOk());
    else client.expel("VERSION_INCOMPATIBLE", `offered ${major}.${minor}, this is ${this.version.major}`);
  }

  helloOk(special: Partial<FrameValue<"HELLO_OK">> = {}): AnyFrame {
    const { major, minor, patch } = this.version;
    return {
      name: "HELLO_OK",
      value: {
        protocol_major: major,
        protocol_minor: minor,
        protocol_patch: patch,
        server_caps: capabilitiesOf(this.features),
        server_id: new Uint8Array(16).fill(7),
        selected_profile: { tag: "synthesized_vt_raw" },
        max_chunk_bytes: 262_144,
        max_history_page_bytes: 1_048_576,
        ...special,
      },
    };
  }
}

/** The id that a request wants its answer under. */
export function requestId(frame: AnyFrame): number {
  const id: unknown = "request_id" in frame.value ? frame.value.request_id : undefined;
  if (typeof id !== "number") throw new Error(`${frame.name} is no request`);
  return id;
}

export const okResult = (request_id: number): AnyFrame => ({
  name: "COMMAND_RESULT",
  value: { request_id, result: { tag: "ok" } },
});

export const jsonResult = (request_id: number, document: unknown): AnyFrame => ({
  name: "COMMAND_RESULT",
  value: {
    request_id,
    result: {
      tag: "ok_with",
      value: { tag: "json", json: typeof document === "string" ? document : JSON.stringify(document) },
    },
  },
});

export const errorResult = (request_id: number, name: ErrorName, message: string): AnyFrame => ({
  name: "COMMAND_RESULT",
  value: { request_id, result: { tag: "error", code: ErrorCode[name], message } },
});

/** An ERROR frame: the answer to a request, or without one a notice. */
export const errorFrame = (request_id: number | null, name: ErrorName, message: string): FrameOf<"ERROR"> => ({
  name: "ERROR",
  value: { ...(request_id !== null && { request_id }), code: ErrorCode[name], message },
});

export const metadataValue = (request_id: number, value: Uint8Array | undefined): AnyFrame => ({
  name: "METADATA_VALUE",
  value: { request_id, ...(value !== undefined && { value }) },
});

/** Waits until a condition holds, looking often; an Error when it never does. */
export async function until(what: string, holds: () => boolean, ms = 3_000): Promise<void> {
  const last = performance.now() + ms;
  while (!holds()) {
    if (performance.now() > last) throw new Error(`waited in vain: ${what}`);
    await Bun.sleep(2);
  }
}
