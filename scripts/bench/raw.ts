import { connect, type Socket } from "node:net";
import { headlessCapabilities } from "../../src/wire/capability.ts";
import { type AnyFrame, decodeFrame, encodeFrame, type UnknownFrame } from "../../src/wire/frame.ts";
import { FrameReader } from "../../src/wire/frame-reader.ts";

/** The least a client can do: frames on a socket, one answer at a time. The baseline of the round trips. */
export class RawClient {
  readonly #socket: Socket;
  readonly #reader = new FrameReader();
  #waiting: ((frame: AnyFrame | UnknownFrame) => void) | null = null;

  constructor(path: string) {
    this.#socket = connect(path);
    this.#socket.on("data", (chunk: Buffer) => {
      this.#reader.push(chunk);
      for (let next = this.#reader.next(); next.ok && next.value !== null; next = this.#reader.next()) {
        const frame = decodeFrame(next.value.type, next.value.body);
        if (frame.ok) this.#waiting?.(frame.value);
      }
    });
  }

  ask(frame: AnyFrame): Promise<AnyFrame | UnknownFrame> {
    const { promise, resolve } = Promise.withResolvers<AnyFrame | UnknownFrame>();
    this.#waiting = resolve;
    this.#socket.write(encodeFrame(frame));
    return promise;
  }

  hello(): Promise<AnyFrame | UnknownFrame> {
    const version = { protocol_major: 1, protocol_minor: 0, protocol_patch: 0 };
    return this.ask({ name: "HELLO", value: { client_name: "bench", ...version, client_caps: headlessCapabilities } });
  }

  end(): void {
    this.#socket.destroy();
  }
}
