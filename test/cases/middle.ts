/** Somebody between the adapter and a real server: passes on what the client says, and spoils what the server answers. */
import { rmSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import { isMutating, type MethodName, methods } from "../../src/phux/method.ts";
import { type AnyFrame, decodeFrame } from "../../src/wire/frame.ts";
import { FrameReader } from "../../src/wire/frame-reader.ts";

/** One frame of the server, header included, and its place in the order of its connection: 0 is the answer to HELLO. */
export interface Answered {
  readonly bytes: Uint8Array;
  readonly at: number;
}

/** The client's end of one connection, as a fault uses it. */
export interface Victim {
  write(bytes: Uint8Array): void;
  /** Closes, after what was written. */
  end(): void;
}

/** What becomes of each frame of the server. */
export type Fault = (answer: Answered, victim: Victim) => void;

export const honest: Fault = ({ bytes }, victim) => victim.write(bytes);

/** Every whole frame in a stream, as its bytes. */
class Frames {
  readonly #reader = new FrameReader();

  push(chunk: Uint8Array): Uint8Array[] {
    this.#reader.push(chunk);
    const found: Uint8Array[] = [];
    for (;;) {
      const next = this.#reader.next();
      if (!next.ok) throw new Error(`not a frame: ${next.error.message}`);
      if (next.value === null) return found;
      const { type, body } = next.value;
      const head = new Uint8Array(5);
      new DataView(head.buffer).setUint32(0, body.length + 1);
      head[4] = type;
      found.push(new Uint8Array(Buffer.concat([head, body])));
    }
  }
}

export class Middle implements AsyncDisposable {
  readonly path: string;
  /** What the server answered in the first connection, frame by frame. */
  readonly answers: Uint8Array[] = [];
  /** What clients asked the server to change, over all connections. */
  readonly changes: AnyFrame[] = [];
  connections = 0;
  open = 0;
  readonly #server: Server;

  /** Listens at `path` for clients of the server at `to`. */
  constructor(path: string, to: string, fault: (connection: number) => Fault) {
    this.path = path;
    this.#server = createServer((near) => this.#join(near, connect(to), fault(this.connections++)));
    this.#server.listen(path);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise((closed) => this.#server.close(closed));
    rmSync(this.path, { force: true });
  }

  #join(near: Socket, far: Socket, fault: Fault): void {
    const first = this.connections === 1;
    this.open += 1;
    let at = 0;
    const [asked, answered] = [new Frames(), new Frames()];
    const victim: Victim = { write: (bytes) => void near.write(bytes), end: () => void near.end() };
    near.on("data", (chunk: Buffer) => {
      for (const bytes of asked.push(chunk)) this.#note(bytes);
      far.write(chunk);
    });
    far.on("data", (chunk: Buffer) => {
      for (const bytes of answered.push(chunk)) {
        if (first) this.answers.push(bytes);
        fault({ bytes, at: at++ }, victim);
      }
    });
    near.on("close", () => {
      this.open -= 1;
      far.destroy();
    });
    far.on("close", () => near.end());
    for (const one of [near, far]) one.on("error", () => {});
  }

  #note(bytes: Uint8Array): void {
    const decoded = decodeFrame(bytes[4] ?? 0, bytes.subarray(5));
    if (!decoded.ok || decoded.value.name === "UNKNOWN") throw new Error("the client sent what is no frame");
    const frame = decoded.value;
    const name = frame.name === "COMMAND" ? frame.value.command.tag : frame.name;
    if (isMethod(name) && isMutating(methods[name])) this.changes.push(frame);
  }
}

function isMethod(name: string): name is MethodName {
  return name in methods;
}
