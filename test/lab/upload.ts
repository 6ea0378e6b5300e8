import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Command, CommandResult } from "../../src/wire/command.ts";
import { limits } from "../../src/wire/limits.ts";
import { hex, refuse } from "./answer.ts";

type PutFile = Extract<Command, { tag: "PUT_FILE" }>;

type Upload = { readonly extension: string; bytes: Buffer; path: string | null };

const invalid = (message: string) => refuse("INVALID_COMMAND", message);

/** PUT_FILE: files that arrive in chunks and are kept once their digest matched (wire.md 17). */
export class Uploads {
  readonly #folder: string;
  readonly #uploads = new Map<string, Upload>();

  constructor(dataFolder: string) {
    this.#folder = join(dataFolder, "phux", "uploads");
  }

  put(chunk: PutFile): CommandResult {
    if (!/^[A-Za-z0-9]{1,16}$/.test(chunk.extension)) {
      return invalid("file upload extension must be 1-16 ASCII letters or digits");
    }
    const id = hex(chunk.upload_id);
    const extension = chunk.extension.toLowerCase();
    const upload = this.#uploads.get(id) ?? { extension, bytes: Buffer.alloc(0), path: null };
    if (upload.extension !== extension) return invalid("file upload extension changed");
    if (upload.path !== null) return answer(upload);
    if (!chunk.final_chunk && chunk.data.length === 0) return invalid("file upload chunk is empty");
    if (chunk.final_chunk !== (chunk.sha256 !== null)) return invalid("the final chunk, and it alone, has a SHA-256");
    const refused = this.#append(upload, Number(chunk.offset), chunk.data);
    if (refused) return refused;
    this.#uploads.set(id, upload);
    if (chunk.sha256 !== null) return this.#finish(id, upload, chunk.sha256);
    return answer(upload);
  }

  #append(upload: Upload, offset: number, piece: Uint8Array): CommandResult | null {
    const have = upload.bytes.length;
    if (offset > have) return invalid(`file upload offset gap: expected at most ${have}, got ${offset}`);
    const overlap = Math.min(have - offset, piece.length);
    if (Buffer.compare(upload.bytes.subarray(offset, offset + overlap), piece.subarray(0, overlap)) !== 0) {
      return invalid("file upload overlaps what was sent before and differs");
    }
    if (have + piece.length - overlap > limits.put_file_total) {
      return refuse("RESOURCE_EXHAUSTED", "file upload is too large");
    }
    upload.bytes = Buffer.concat([upload.bytes, piece.subarray(overlap)]);
    return null;
  }

  #finish(id: string, upload: Upload, digest: Uint8Array): CommandResult {
    const real = createHash("sha256").update(upload.bytes).digest();
    if (Buffer.compare(real, digest) !== 0) {
      this.#uploads.delete(id);
      return invalid("file upload SHA-256 mismatch");
    }
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      upload.path = join(this.#folder, `phux-upload-${id}.${upload.extension}`);
      writeFileSync(upload.path, upload.bytes, { mode: 0o600 });
      return answer(upload);
    } catch (error) {
      return refuse("INTERNAL_ERROR", `file upload could not be stored: ${error}`);
    }
  }
}

function answer({ bytes, path }: Upload): CommandResult {
  return { tag: "ok_with", value: { tag: "file_upload", next_offset: BigInt(bytes.length), path } };
}
