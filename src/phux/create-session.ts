import { fail, ok, type Result } from "../wire/result.ts";
import type { Connection } from "./connection.ts";
import { Deadline } from "./deadline.ts";
import { type Refusal, refuse, sentence } from "./errors.ts";
import { parseJsonObject } from "./json-object.ts";
import { refuseSessionName } from "./session-name.ts";

const GLOBAL = { tag: "global" } as const;
const CREATE_KEY = "phux.session.create/v1";
const CREATED_KEY = "phux.session.created/v1";

/** A newer server may make the session after it has answered the next request (wire.md 21.1). */
const RESULT_MS = 15_000;
const POLL_MS = 25;

export interface NewSession {
  readonly name: string;
  /** Null for the server's own. */
  readonly cwd: string | null;
  /** Added to the server's environment. */
  readonly env: Readonly<Record<string, string>>;
}

export interface CreatedSession {
  readonly session: number;
  /** The number of its first pane. */
  readonly terminal: number;
}

/**
 * Creates a session with one shell (wire.md 21.1): asks, then reads the result under a token of ours. Refusals:
 * `invalid_session_name`, `session_exists`.
 */
export async function createSession(
  connection: Connection,
  { name, cwd, env }: NewSession,
): Promise<Result<CreatedSession, Refusal>> {
  const wrong = refuseSessionName(name) ?? (await refuseTaken(connection, name));
  if (wrong !== null) return fail(wrong);
  const token = crypto.randomUUID();
  const request = { agent_session: null, command: null, cwd, env, name, request_token: token };
  const asked = await connection.writeMetadata(GLOBAL, CREATE_KEY, new TextEncoder().encode(JSON.stringify(request)));
  if (!asked.ok) return fail(asked.error.refusal);
  // On 0.8 the result is there at once or never.
  const { major, minor } = connection.server.version;
  const deadline = new Deadline(major === 0 && minor === 8 ? 0 : RESULT_MS, connection.signal);
  for (;;) {
    const result = await connection.metadata(GLOBAL, `${CREATED_KEY}/${token}`);
    if (!result.ok) return fail(result.error.refusal);
    if (result.value !== null) return confirm(connection, name, result.value, token);
    const taken = deadline.hasPassed() ? await refuseTaken(connection, name) : null;
    if (taken !== null) return fail(taken);
    if (deadline.hasPassed()) return fail(sentence(`the server made no session ${JSON.stringify(name)}`));
    await deadline.pause(POLL_MS);
  }
}

async function refuseTaken(connection: Connection, name: string): Promise<Refusal | null> {
  const state = await connection.state();
  if (!state.ok) return state.error.refusal;
  const isTaken = state.value.snapshot.sessions.some((session) => session.name === name);
  return isTaken ? refuse("session_exists", `there is a session ${JSON.stringify(name)} already`) : null;
}

/** 0.8 tells no session's id, so the state does. */
async function confirm(
  connection: Connection,
  name: string,
  value: Uint8Array,
  token: string,
): Promise<Result<CreatedSession, Refusal>> {
  const result = parseJsonObject(value);
  const terminal = result?.["terminal_id"];
  const state = await connection.state();
  if (!state.ok) return fail(state.error.refusal);
  const session = state.value.snapshot.sessions.find((one) => one.name === name);
  if (result?.["request_token"] !== token || typeof terminal !== "number" || session === undefined) {
    return fail(sentence(`the server's answer does not say that session ${JSON.stringify(name)} was made`));
  }
  return ok({ session: session.id, terminal });
}
