/** Standard output and error as sinks that never make the program stand still, whatever the two are. */
import type { BunFile } from "bun";
import type { ByteSink } from "./writer.ts";

/** How long a terminal that takes nothing now is waited for: somebody else has made it non-blocking. */
const RETRY_MS = 5;

/**
 * Where to write what goes to `file`, which is the descriptor `fd`.
 *
 * Bun's writer is the lightest, and waits for the readers of sockets and pipes as it should. A terminal that is stopped
 * (Ctrl-S) holds it, and with it the whole program, in a write: no signal is heard any more. So terminals are written by
 * another thread.
 */
export function outputTo(file: BunFile, fd: number): ByteSink {
  return mayBeTerminal() ? new LateSink(file, fd) : file.writer();
}

/**
 * Bun looked at its start, for its colours, whether stdout or stderr is a terminal: a look of our own costs half a
 * millisecond of every start. These variables would hide what it saw.
 */
function mayBeTerminal(): boolean {
  const { NO_COLOR, FORCE_COLOR } = process.env;
  return Bun.enableANSIColors || NO_COLOR !== undefined || FORCE_COLOR !== undefined;
}

/** Holds back until it is known what it writes to. */
class LateSink implements ByteSink {
  readonly #sink: Promise<ByteSink>;
  #text = "";

  constructor(file: BunFile, fd: number) {
    this.#sink = sinkOf(file, fd);
  }

  write(text: string): void {
    this.#text += text;
  }

  async flush(): Promise<void> {
    const sink = await this.#sink;
    const wrote = sink.write(this.#text);
    this.#text = "";
    await Promise.all([wrote, sink.flush()]);
  }
}

async function sinkOf(file: BunFile, fd: number): Promise<ByteSink> {
  // What cannot be looked at fails again when it is written.
  const stat = await file.stat().catch(() => null);
  return stat?.isCharacterDevice() ? new DeviceSink(fd) : file.writer();
}

/** Writes on Bun's thread pool, in order. */
class DeviceSink implements ByteSink {
  readonly #fd: number;
  #text = "";
  #last: Promise<void> = Promise.resolve();

  constructor(fd: number) {
    this.#fd = fd;
  }

  write(text: string): void {
    this.#text += text;
  }

  flush(): Promise<void> {
    this.#last = this.#last.then(() => this.#drain());
    return this.#last;
  }

  async #drain(): Promise<void> {
    const { write } = await import("node:fs");
    let left = new TextEncoder().encode(this.#text);
    this.#text = "";
    while (left.length > 0) {
      const { promise, resolve, reject } = Promise.withResolvers<number>();
      write(this.#fd, left, (error, written) => (error === null ? resolve(written) : reject(error)));
      try {
        left = left.subarray(await promise);
      } catch (error) {
        if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) throw error;
        await Bun.sleep(RETRY_MS);
      }
    }
  }
}
