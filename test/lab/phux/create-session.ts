import type { Connection } from "../../../src/phux/connection.ts";
import { Deadline } from "../../../src/phux/deadline.ts";
import { fail, ok, type Result } from "../../../src/wire/result.ts";
import { type CliRefusal, refuseCli } from "./refusal.ts";

export interface NewSession {
  readonly name: string;
  /** The first pane's program; empty for the server's shell. */
  readonly command: readonly string[];
  /** Absolute; null for the server's own. */
  readonly cwd: string | null;
  readonly env: Readonly<Record<string, string>>;
  /** 32 hex digits that make a repeat harmless, or null. */
  readonly key: string | null;
  /** What is stored with the first pane as the origin of its agent's session, or null. */
  readonly origin: Uint8Array | null;
}

const GLOBAL = { tag: "global" } as const;
const CREATE_KEY = "phux.session.create/v1";
const CREATED_KEY = "phux.session.created/v1";

/** A server that makes the session only after it has answered the next request still counts (wire.md 21.1). */
const RESULT_MS = 3_000;
const POLL_MS = 25;

/** Creates a session and gives the number of its first pane: ask, then read the result under our token. */
export async function createSession(connection: Connection, wanted: NewSession): Promise<Result<number, CliRefusal>> {
  const before = await isTaken(connection, wanted.name);
  if (!before.ok) return before;
  // With a key the name may be taken by our own first try, so the server decides.
  if (before.value && wanted.key === null) return fail(exists(wanted.name));
  const token = uuid(wanted.key ?? crypto.randomUUID().replaceAll("-", ""));
  const request = new TextEncoder().encode(JSON.stringify(createRequest(wanted, token)));
  const asked = await connection.writeMetadata(GLOBAL, CREATE_KEY, request);
  if (!asked.ok) return fail(asked.error.refusal);
  // On 0.8 the result is there at once or never; so is a repeat's.
  const { major, minor } = connection.server.version;
  const patience = (major === 0 && minor === 8) || before.value ? 0 : RESULT_MS;
  const deadline = new Deadline(patience, new AbortController().signal);
  for (;;) {
    const result = await connection.metadata(GLOBAL, `${CREATED_KEY}/${token}`);
    if (!result.ok) return fail(result.error.refusal);
    if (result.value !== null) return readResult(result.value, wanted.name, token);
    if (deadline.hasPassed()) return fail(await whyNot(connection, wanted, before.value));
    await deadline.pause(POLL_MS);
  }
}

/** All six members, sorted, absent ones as null: the form of the reference (recorded 0.8). */
function createRequest({ name, command, cwd, env, origin }: NewSession, request_token: string) {
  const agent_session = origin === null ? null : [...origin];
  return { agent_session, command: command.length === 0 ? null : command, cwd, env, name, request_token };
}

function uuid(hex: string): string {
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

async function isTaken(connection: Connection, name: string): Promise<Result<boolean, CliRefusal>> {
  const state = await connection.state();
  if (!state.ok) return fail(state.error.refusal);
  return ok(state.value.snapshot.sessions.some((session) => session.name === name));
}

const exists = (name: string) => refuseCli("session_exists", `there is a session ${JSON.stringify(name)} already`);

function readResult(value: Uint8Array, name: string, token: string): Result<number, CliRefusal> {
  const result: unknown = JSON.parse(new TextDecoder().decode(value));
  const member = (key: string) =>
    typeof result === "object" && result !== null ? Reflect.get(result, key) : undefined;
  const terminal: unknown = member("terminal_id");
  if (member("name") === name && member("request_token") === token && typeof terminal === "number") return ok(terminal);
  return fail(refuseCli("session_create_failed", "the key belongs to another request; no session was made"));
}

/** The server gives no reason: what it shows afterwards has to do. */
async function whyNot(connection: Connection, wanted: NewSession, takenBefore: boolean): Promise<CliRefusal> {
  const now = await isTaken(connection, wanted.name);
  if (!now.ok) return now.error;
  if (now.value && !takenBefore) return exists(wanted.name);
  const program = wanted.command[0] === undefined ? "" : `: can it start ${JSON.stringify(wanted.command[0])}?`;
  const why = takenBefore ? ": the name is taken, and not by an earlier try of this request" : program;
  return refuseCli("session_create_failed", `the server made no session ${JSON.stringify(wanted.name)}${why}`);
}
