/** The folder for our own sockets and tokens, which nobody else may touch (serve.md "HTTP", guard.md "Socket"). */
import { lstatSync, mkdirSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { quote } from "../text/clean.ts";
import { fail, type Result } from "../wire/result.ts";

/** `$XDG_RUNTIME_DIR/phux-mcp`, else `/tmp/phux-mcp-UID`; a relative or empty variable counts as none. */
export function ownFolderPath(env: Readonly<Record<string, string | undefined>>, uid: number): string {
  const runtime = env["XDG_RUNTIME_DIR"] ?? "";
  return isAbsolute(runtime) ? join(runtime, "phux-mcp") : join("/tmp", `phux-mcp-${uid}`);
}

const OTHERS_WRITE = 0o022;

/** Makes the folder with mode 0700 where it is missing. Refused, in one sentence, when it is not ours alone to write to. */
export function openOwnFolder(path: string, uid: number): Result<string, string> {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    const found = lstatSync(path);
    if (!found.isDirectory()) return refused(path, "it is not a folder");
    if (found.uid !== uid) return refused(path, `it belongs to the user ${found.uid}`);
    if ((found.mode & OTHERS_WRITE) !== 0) return refused(path, "others can write to it (`chmod 700` closes it)");
    return { ok: true, value: path };
  } catch (error) {
    return refused(path, error instanceof Error ? error.message : String(error));
  }
}

function refused(path: string, why: string): Result<string, string> {
  return fail(`the folder ${quote(path)} cannot be used: ${why}`);
}
