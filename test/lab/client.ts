import { connect, type Socket } from "node:net";
import { headlessCapabilities } from "../../src/wire/capability.ts";
import type { Command, CommandResult } from "../../src/wire/command.ts";
import { type AnyFrame, decodeFrame, encodeFrame, type FrameName, type FrameOf } from "../../src/wire/frame.ts";
import { FrameReader } from "../../src/wire/frame-reader.ts";
import type { ProtocolVersion } from "../../src/wire/version.ts";

/** What came from the server: a frame with its bytes, or (null) the end of the stream. */
export type Received = { readonly frame: AnyFrame; readonly bytes: Uint8Array } | null;

const patienceMs = 5_000;

/** A bare client for the lab's own use: sends what it is told, keeps everything that comes, waits with a bound. */
export class LabClient {
  readonly received: Received[] = [];
  /** The text of all output streams so far, bootstraps included. */
  streamed = "";
  readonly #socket: Socket;
  readonly #reader = new FrameReader();
  #waiting: (() => void)[] = [];
  #nextRequest = 1;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on("data", (chunk: Buffer) => {
      this.#reader.push(chunk);
      this.#collect();
    });
    socket.on("error", () => socket.destroy());
    socket.on("close", () => this.#arrived(null));
  }

  static async connect(path: string): Promise<LabClient> {
    const connected = Promise.withResolvers<void>();
    const socket = connect(path, connected.resolve);
    socket.once("error", connected.reject);
    await connected.promise;
    return new LabClient(socket);
  }

  /** Connects and shakes hands; the server must admit the version. */
  static async open(path: string, version: ProtocolVersion, name = "lab/0.1.0"): Promise<LabClient> {
    const client = await LabClient.connect(path);
    client.send({
      name: "HELLO",
      value: {
        client_name: name,
        protocol_major: version.major,
        protocol_minor: version.minor,
        protocol_patch: version.patch,
        client_caps: headlessCapabilities,
      },
    });
    await client.next("HELLO_OK");
    return client;
  }

  #collect(): void {
    for (let next = this.#reader.next(); next.ok && next.value; next = this.#reader.next()) {
      const { type, body } = next.value;
      const decoded = decodeFrame(type, body);
      if (!decoded.ok) throw new Error(`the server sent an undecodable frame: ${decoded.error.message}`);
      if (decoded.value.name === "UNKNOWN") throw new Error(`the server sent an unknown frame type ${type}`);
      const header = Buffer.alloc(5);
      header.writeUInt32BE(body.length + 1);
      header.writeUInt8(type, 4);
      this.#arrived({ frame: decoded.value, bytes: Buffer.concat([header, body]) });
    }
  }

  #arrived(received: Received): void {
    const frame = received?.frame;
    if (frame?.name === "RESOURCE_OUTPUT") this.streamed += Buffer.from(frame.value.bytes).toString();
    if (frame?.name === "BOOTSTRAP_CHUNK") this.streamed += Buffer.from(frame.value.payload).toString();
    this.received.push(received);
    for (const wake of this.#waiting.splice(0)) wake();
  }

  /** Bytes of a frame that has not come to its end. */
  get partialBytes(): number {
    return this.#reader.buffered;
  }

  send(...frames: readonly AnyFrame[]): void {
    this.sendBytes(Buffer.concat(frames.map(encodeFrame)));
  }

  sendBytes(bytes: Uint8Array): void {
    this.#socket.write(bytes);
  }

  /** Takes the first thing received that `wanted` accepts, waiting for it; undefined when the wait is over. */
  async take(wanted: (received: Received) => boolean, waitMs = patienceMs): Promise<Received | undefined> {
    const deadline = Date.now() + waitMs;
    for (;;) {
      const at = this.received.findIndex(wanted);
      if (at >= 0) return this.received.splice(at, 1)[0];
      const left = deadline - Date.now();
      if (left <= 0) return undefined;
      await Promise.race([new Promise<void>((resolve) => this.#waiting.push(resolve)), Bun.sleep(left)]);
    }
  }

  /** The next frame of this name; an Error when it does not come. */
  async next<N extends FrameName>(name: N, waitMs = patienceMs): Promise<FrameOf<N>["value"]> {
    const found = await this.take((received) => received === null || received.frame.name === name, waitMs);
    if (!found) throw new Error(`no ${name} came${found === null ? ": the connection ended" : ""}`);
    // The predicate above compared the name.
    return found.frame.value as FrameOf<N>["value"];
  }

  async command(command: Command, waitMs = patienceMs): Promise<CommandResult> {
    const request = this.#nextRequest++;
    this.send({ name: "COMMAND", value: { request_id: request, command } });
    const found = await this.take(
      (one) => one === null || (one.frame.name === "COMMAND_RESULT" && one.frame.value.request_id === request),
      waitMs,
    );
    if (found?.frame.name !== "COMMAND_RESULT") throw new Error(`no answer to ${command.tag}`);
    return found.frame.value.result;
  }

  close(): void {
    this.#socket.destroy();
  }
}
