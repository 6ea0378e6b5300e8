import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { fail, ok, type Result } from "../wire/result.ts";
import { type Refusal, refuse } from "./errors.ts";

/**
 * A regular file of this machine, read once from its beginning through one descriptor, so that what is read is what was
 * looked at. A file that changes meanwhile is refused with `io`.
 */
export class LocalFile {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  readonly #handle: FileHandle;
  readonly #modified: bigint;
  #at = 0;

  private constructor(path: string, handle: FileHandle, size: bigint, modified: bigint) {
    this.path = path;
    this.size = Number(size);
    this.#handle = handle;
    this.#modified = modified;
  }

  /** Opens a path after following links. Refused: what is not there, not a regular file, or not readable (`io`). */
  static async open(path: string): Promise<Result<LocalFile, Refusal>> {
    let handle: FileHandle | null = null;
    try {
      // Without O_NONBLOCK a named pipe would wait for somebody who writes.
      handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
      const { size, mtimeNs, isFile } = await facts(handle);
      if (isFile) return ok(new LocalFile(path, handle, size, mtimeNs));
      await handle.close();
      return fail(refuse("io", `${path} is no regular file`));
    } catch (error) {
      await handle?.close();
      return fail(refuse("io", `${path} cannot be read: ${reason(error)}`));
    }
  }

  /** The next `most` bytes, or fewer at the end; `isLast` when none follow. The file is then as it was at the start. */
  async read(most: number): Promise<Result<{ readonly bytes: Uint8Array; readonly isLast: boolean }, Refusal>> {
    const wanted = Math.min(most, this.size - this.#at);
    const bytes = new Uint8Array(wanted);
    try {
      for (let filled = 0; filled < wanted; ) {
        const { bytesRead } = await this.#handle.read(bytes, filled, wanted - filled, this.#at + filled);
        if (bytesRead === 0) return this.#changed();
        filled += bytesRead;
      }
      this.#at += wanted;
      const isLast = this.#at === this.size;
      if (isLast && !(await this.#isUnchanged())) return this.#changed();
      return ok({ bytes, isLast });
    } catch (error) {
      return fail(refuse("io", `${this.path} cannot be read: ${reason(error)}`));
    }
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }

  async #isUnchanged(): Promise<boolean> {
    const { size, mtimeNs } = await facts(this.#handle);
    return size === BigInt(this.size) && mtimeNs === this.#modified;
  }

  #changed() {
    return fail(refuse("io", `${this.path} changed while it was read`));
  }
}

async function facts(handle: FileHandle) {
  const stat = await handle.stat({ bigint: true });
  return { size: stat.size, mtimeNs: stat.mtimeNs, isFile: stat.isFile() };
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
