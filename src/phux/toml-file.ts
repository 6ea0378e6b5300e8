import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { fail, ok, type Result } from "../wire/result.ts";
import { type JsonMembers, membersOf } from "./json-object.ts";

/** Nobody writes a configuration file or a manifest of more bytes than this by hand. */
export const MAX_TOML_BYTES = 1024 * 1024;

/** Why a file gave nothing: in words that follow its path. */
export interface TomlFault {
  readonly reason: string;
  /** There is no such file. */
  readonly absent: boolean;
}

/** The tables of a TOML file: a regular one of at most 1 MiB. What is a date or a large number comes out as TOML says. */
export async function readToml(path: string): Promise<Result<JsonMembers, TomlFault>> {
  const bytes = await readBounded(path);
  if (!bytes.ok) return bytes;
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes.value);
    return ok(membersOf(Bun.TOML.parse(text)) ?? {});
  } catch (error) {
    return fail({ reason: `is no TOML: ${messageOf(error)}`, absent: false });
  }
}

async function readBounded(path: string): Promise<Result<Uint8Array, TomlFault>> {
  try {
    // Opening a named pipe would wait for its other end.
    await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const facts = await file.stat();
    if (!facts.isFile()) return fail({ reason: "is no regular file", absent: false });
    if (facts.size > MAX_TOML_BYTES) {
      return fail({ reason: `has ${facts.size} bytes, and more than ${MAX_TOML_BYTES} are not read`, absent: false });
    }
    return ok(await file.readFile());
  } catch (error) {
    return fail(faultOf(error));
  }
}

function faultOf(error: unknown): TomlFault {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  switch (code) {
    case "ENOENT":
    case "ENOTDIR":
      return { reason: `does not exist (${code})`, absent: true };
    case "EACCES":
      return { reason: "may not be read by this user (EACCES)", absent: false };
    default:
      return { reason: `cannot be read: ${messageOf(error)}`, absent: false };
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message.replace(/^TOML Parse error: /, "") : String(error);
}
