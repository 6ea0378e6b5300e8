import { ErrorCode } from "../wire/error-code.ts";
import type { ResourceId } from "../wire/frame.ts";
import { limits } from "../wire/limits.ts";
import { fail, ok, type Result } from "../wire/result.ts";
import type { Connection } from "./connection.ts";
import { type Refusal, refuse, sentence } from "./errors.ts";
import type { Redial } from "./keyed.ts";
import type { LocalFile } from "./local-file.ts";
import { hasGone, type RequestFailure } from "./request-failure.ts";
import { formatResource } from "./selector.ts";

/** Bytes of a chunk, and the milliseconds that one may take (wire.md 17, client.md 1.4). */
const CHUNK_BYTES = 1024 * 1024;
const CHUNK_MS = 60_000;

/** A file that has arrived, in the words of the document of phux_upload. */
export interface Uploaded {
  /** Where it is, on the machine that owns the pane. */
  readonly path: string;
  readonly bytes: number;
  /** 64 and 32 lowercase hex digits. */
  readonly sha256: string;
  readonly upload_id: string;
}

interface Chunk {
  readonly offset: number;
  readonly data: Uint8Array;
  /** Of the whole file, with its last chunk. */
  readonly digest: Uint8Array | null;
}

/** What the server holds after a chunk: the first so many bytes, and the file's path once all of them are there. */
interface Held {
  readonly bytes: number;
  readonly path: string | null;
}

/** The file is larger than the protocol carries. */
export function refuseSize(file: LocalFile): Refusal | null {
  if (file.size <= limits.put_file_total) return null;
  return refuse("upload_too_large", `${file.path} has ${file.size} bytes; an upload holds ${limits.put_file_total}`);
}

/** The suffix for the name over there: the file's own in lower case where it is one, else `bin`. */
export function extensionOf(path: string): string {
  const suffix = /[^/]\.([A-Za-z0-9]{1,16})$/.exec(path)?.[1];
  return suffix?.toLowerCase() ?? "bin";
}

/** One file on its way to the machine that owns a pane (client.md 4.25). */
export class Upload {
  readonly #pane: ResourceId;
  readonly #extension: string;
  readonly #redial: Redial;
  readonly #id = crypto.getRandomValues(new Uint8Array(16));
  readonly #what: string;
  #connection: Connection;
  #resumed = false;

  constructor(connection: Connection, redial: Redial, pane: ResourceId, extension: string) {
    this.#connection = connection;
    this.#redial = redial;
    this.#pane = pane;
    this.#extension = extension;
    this.#what = `uploading to ${formatResource(pane)}`;
  }

  /** Sends the file, a chunk at a time and each acknowledged before the next. `sent` hears how far it is, in bytes. */
  async send(file: LocalFile, sent: (bytes: number) => void): Promise<Result<Uploaded, Refusal>> {
    const hash = new Bun.CryptoHasher("sha256");
    for (let offset = 0; ; sent(offset)) {
      const read = await file.read(CHUNK_BYTES);
      if (!read.ok) return read;
      const { bytes: data, isLast } = read.value;
      hash.update(data);
      const digest = isLast ? new Uint8Array(hash.digest()) : null;
      const held = await this.#deliver({ offset, data, digest });
      if (!held.ok) return held;
      offset = held.value.bytes;
      if (digest === null) continue;
      const { path } = held.value;
      if (path === null) return this.#odd("the server has the whole file and names no path");
      return ok({ path, bytes: file.size, sha256: digest.toHex(), upload_id: this.#id.toHex() });
    }
  }

  /** Sends a chunk until the server holds all of it; what it says to hold is where the rest of the chunk begins. */
  async #deliver(chunk: Chunk): Promise<Result<Held, Refusal>> {
    const end = chunk.offset + chunk.data.length;
    for (let rest = chunk; ; ) {
      const answer = await this.#put(rest);
      if (!answer.ok) return fail(this.#refusal(answer.error));
      const { bytes, path } = answer.value;
      if (bytes < rest.offset || bytes > end) {
        return this.#odd(`the server says that it holds ${bytes} bytes after ${rest.offset} to ${end} were sent`);
      }
      if (path !== null && (chunk.digest === null || bytes !== end)) {
        return this.#odd("the server names a path before the whole file was sent");
      }
      if (bytes === end) return ok({ bytes, path });
      if (bytes === rest.offset) return this.#odd(`the server took nothing of the chunk at ${bytes}`);
      rest = { ...chunk, offset: bytes, data: chunk.data.subarray(bytes - chunk.offset) };
    }
  }

  /** One PUT_FILE. The first loss of the connection is made good: sent again, a chunk changes nothing (wire.md 17). */
  async #put(chunk: Chunk): Promise<Result<Held, RequestFailure>> {
    const answer = await this.#putOnce(chunk);
    if (answer.ok || this.#resumed || !hasGone(answer.error)) return answer;
    this.#resumed = true;
    const again = await this.#redial();
    if (!again.ok) return answer;
    this.#connection = again.value;
    return this.#putOnce(chunk);
  }

  async #putOnce({ offset, data, digest }: Chunk): Promise<Result<Held, RequestFailure>> {
    const answer = await this.#connection.command(
      {
        tag: "PUT_FILE",
        upload_id: this.#id,
        terminal_id: this.#pane,
        extension: this.#extension,
        offset: BigInt(offset),
        data,
        final_chunk: digest !== null,
        sha256: digest,
      },
      this.#what,
      undefined,
      CHUNK_MS,
    );
    if (!answer.ok) return answer;
    if (answer.value?.tag === "file_upload") {
      return ok({ bytes: Number(answer.value.next_offset), path: answer.value.path });
    }
    return fail(this.#connection.strange(this.#what));
  }

  #refusal({ refusal, wireCode }: RequestFailure): Refusal {
    return wireCode === ErrorCode.RESOURCE_EXHAUSTED ? refuse("upload_too_large", refusal.message) : refusal;
  }

  #odd(message: string) {
    return fail(sentence(`${this.#what}: ${message}`));
  }
}
