import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { join } from "node:path";
import type { Random } from "../fuzz/random.ts";

/** One connection in so many dies on its way. */
const DROPPED = 40;

/** A socket that leads to another one, and now and then breaks off after some bytes. */
export class Wire implements AsyncDisposable {
  readonly #server: Server;
  dropped = 0;

  constructor(path: string, to: string, random: Random) {
    this.#server = createServer((near) => {
      const far = connect(to);
      let left = random.oneIn(DROPPED) ? random.below(300) : Number.POSITIVE_INFINITY;
      const end = () => {
        near.destroy();
        far.destroy();
      };
      far.on("data", (bytes: Buffer) => {
        left -= bytes.length;
        if (left >= 0) {
          near.write(bytes);
          return;
        }
        this.dropped += 1;
        near.write(bytes.subarray(0, bytes.length + left), end);
      });
      near.on("data", (bytes: Buffer) => far.write(bytes));
      for (const one of [near, far]) one.on("close", end).on("error", end);
    });
    this.#server.listen(path);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise((closed) => this.#server.close(closed));
  }
}

/** A folder for PATH with a `phux` that is the lab's, or now and then dies, floods or hangs in its place. */
export function moodyPhux(folder: string, phux: string): string {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const program = join(folder, "phux");
  writeFileSync(
    program,
    `#!/bin/sh
case $(($$ % 23)) in
0) exit 1;;
1) echo broken >&2; exit 3;;
2) exec yes '{"a":1}';;
3) sleep 600 & wait;;
*) exec '${phux}' "$@";;
esac
`,
  );
  chmodSync(program, 0o755);
  return folder;
}
