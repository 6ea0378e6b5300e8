import type { Connection } from "./connection.ts";
import { plainSpec, startPane } from "./pane.ts";
import type { LabServer } from "./server.ts";

export const createdPrefix = "phux.session.created/v1";
const nameKey = "phux.session.name/v1";
const tokenForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

type CreateRequest = {
  readonly name: string;
  readonly command: readonly string[] | null;
  readonly cwd: string | null;
  readonly env: Readonly<Record<string, string>>;
  readonly token: string | null;
  readonly agentSession: Uint8Array | null;
  readonly keepEmpty: boolean;
  readonly empty: boolean;
};

/** phux.session.create/v1: what is refused is refused in silence, by no result (wire.md 21.1). */
export function createSession(server: LabServer, connection: Connection, value: Uint8Array): void {
  const request = parseCreate(value);
  if (!request) return;
  const done = request.token === null ? undefined : server.createdSessions.get(request.token.toLowerCase());
  // Since 0.9 a token names one session for good: asking again gives the first result under the token as sent now.
  if (done && request.token !== null && !server.release.eight) {
    offer(connection, request.token, { ...done, request_token: request.token });
    return;
  }
  if (server.store.sessionNamed(request.name)) return;
  const result = make(server, request);
  if (!result) return;
  if (request.token === null) {
    server.writeMetadata({ tag: "global" }, createdPrefix, encode(result));
    return;
  }
  server.createdSessions.set(request.token.toLowerCase(), result);
  offer(connection, request.token, result);
}

type CreateResult = Readonly<Record<string, unknown>>;

function offer(connection: Connection, token: string, result: CreateResult): void {
  connection.createResults.set(token, encode(result));
}

function encode(value: CreateResult): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}

/** Members sorted, as 0.22 writes them. Null: nothing was made. */
function make(server: LabServer, request: CreateRequest): CreateResult | null {
  const { name, token: request_token } = request;
  const named = { name, request_token };
  const keepable = server.release.features.includes("keep_empty_sessions");
  const wantsShell = request.command !== null || request.agentSession !== null;
  if (keepable && request.empty && !wantsShell) {
    const session = server.store.createSession(name, server.nowSeconds, true);
    return { empty: true, ...named, session_id: session.id, terminal_id: null };
  }
  const started = startPane(server, {
    ...plainSpec,
    command: request.command ?? undefined,
    cwd: request.cwd ?? undefined,
    env: Object.entries(request.env).map(([key, value]) => ({ name: key, value })),
  });
  if (!started.ok) return null;
  const pane = started.value;
  const session = server.openSession(name, pane);
  session.keepEmpty = keepable && request.keepEmpty;
  if (request.agentSession) {
    const scope = { tag: "resource", id: pane.resource } as const;
    server.writeMetadata(scope, "phux.agent-session/v1", request.agentSession);
  }
  if (server.release.eight) return { ...named, terminal_id: pane.id };
  return { ...named, session_id: session.id, terminal_id: pane.id };
}

function parseCreate(value: Uint8Array): CreateRequest | null {
  const parsed = parseObject(value);
  const name = parsed?.["name"];
  if (!parsed || typeof name !== "string") return null;
  const token = parsed["request_token"] ?? null;
  if (token !== null && !(typeof token === "string" && tokenForm.test(token))) return null;
  const command = parsed["command"] ?? null;
  if (command !== null && !isTexts(command)) return null;
  const env = parsed["env"] ?? {};
  if (!isTextRecord(env)) return null;
  const agent = parsed["agent_session"] ?? null;
  if (agent !== null && !isBytes(agent)) return null;
  const cwd = parsed["cwd"];
  return {
    ...{ name, token, env },
    command: command?.length ? command : null,
    cwd: typeof cwd === "string" ? cwd : null,
    agentSession: agent && Uint8Array.from(agent),
    keepEmpty: parsed["keep_empty"] === true,
    empty: parsed["empty"] === true,
  };
}

function parseObject(value: Uint8Array): Record<string, unknown> | null {
  try {
    const parsed: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(value));
    // A parsed object's members are looked at one by one.
    return typeof parsed === "object" && parsed !== null ? (parsed as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

function isTextRecord(value: unknown): value is Record<string, string> {
  return typeof value === "object" && value !== null && isTexts(Object.values(value));
}

function isBytes(value: unknown): value is number[] {
  const byte = (one: unknown) => typeof one === "number" && Number.isInteger(one) && one >= 0 && one <= 255;
  return Array.isArray(value) && value.length >= 1 && value.length <= 4096 && value.every(byte);
}

/** phux.session.name/v1, `old NUL new`: told to followers when it happened, silence otherwise (recorded 0.8). */
export function renameSession(server: LabServer, connection: Connection, value: Uint8Array): void {
  const [old, next, more] = new TextDecoder().decode(value).split("\0");
  if (old === undefined || next === undefined || more !== undefined) return;
  const session = server.store.sessionNamed(old);
  if (!session || server.store.sessionNamed(next)) return;
  session.name = next;
  server.tellMetadata({ tag: "global" }, nameKey, value, connection.actor);
}

/** phux.session.keep_empty/v1, `name NUL true|false`; false on a session without windows ends it. */
export function clearKeepEmpty(server: LabServer, value: Uint8Array): void {
  const [name, flag] = new TextDecoder().decode(value).split("\0");
  const session = name === undefined ? undefined : server.store.sessionNamed(name);
  if (!session || (flag !== "true" && flag !== "false")) return;
  session.keepEmpty = flag === "true";
  if (session.keepEmpty || server.store.windowsOf(session).length > 0) return;
  const gone = server.store.removeIfEmpty(session);
  if (gone) server.sessionGone(gone);
  server.stopIfEmpty();
}
