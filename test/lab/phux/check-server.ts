import { accessSync, constants, readlinkSync, type Stats, statSync } from "node:fs";
import { dirname } from "node:path";
import type { Connection, StateView } from "../../../src/phux/connection.ts";
import { Deadline } from "../../../src/phux/deadline.ts";
import { type ProtocolVersion, speaksSame, versions, versionText } from "../../../src/wire/version.ts";
import type { Call } from "./call.ts";
import { type Check, failing, pass, warn } from "./check.ts";
import { listenerOf } from "./listener.ts";
import type { CliRefusal } from "./refusal.ts";

/** All questions to the server together; whoever runs us gives up after 30 s. */
const LIMIT_MS = 15_000;
const ANSWER_MS = 5_000;
/** A server that takes longer than this to say what it holds keeps everybody waiting. */
const SLOW_MS = 1_000;

const HEALTH = "server-health";
const NO_SERVER_HINT = "start one with `phux` or `phux server`";

/** The rows about the socket and whoever listens there. */
export async function checkServer(call: Call, argument: string | undefined): Promise<readonly Check[]> {
  const path = call.socket(argument);
  if (!path.ok) return [failing("socket-path", path.error.message, path.error.remedy), ...notAsked];
  const stands = statOf(path.value);
  if (stands !== null && !stands.isSocket()) {
    return [
      failing("socket-path", `${path.value} is no socket`, "name another path, or move the file away"),
      ...notAsked,
    ];
  }
  const place = pass("socket-path", path.value);
  const connection = await call.dial(path.value, new Deadline(LIMIT_MS, call.signal));
  if (!connection.ok)
    return [place, unreached(path.value, stands, connection.error), healthy("there is no server to ask")];
  const { server } = connection.value;
  const answered = pass("server", `answers at ${path.value} in protocol ${versionText(server.version)}`);
  const conditions = [
    ...exposure(path.value),
    ...replaced(path.value),
    ...skew(server.version),
    ...(await responses(connection.value)),
  ];
  return [place, answered, ...(conditions.length > 0 ? conditions : [healthy("nothing ails it")])];
}

const healthy = (detail: string) => pass(HEALTH, detail);

const notAsked: readonly Check[] = [
  warn("server", "not asked, since there is no usable path", "correct the path first"),
  healthy("there is no server to ask"),
];

/** No server is a state of affairs; one that cannot be talked to is a fault. */
function unreached(path: string, stands: Stats | null, { code, message, remedy }: CliRefusal): Check {
  if (code !== "no_server") return failing("server", message, remedy);
  if (isForbidden(path)) return failing("server", message, remedy);
  if (stands === null) return warn("server", message, NO_SERVER_HINT);
  return warn("server", `${message}: the file at ${path} is left from one that has ended`, NO_SERVER_HINT);
}

function isForbidden(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return false;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EACCES";
  }
}

/** Whoever may open the socket may type into every pane. */
function exposure(path: string): Check[] {
  const [socket, folder] = [statOf(path), statOf(dirname(path))];
  if (socket === null || folder === null || (socket.mode & 0o022) === 0 || (folder.mode & 0o011) === 0) return [];
  return [failing(HEALTH, `other users may connect: the socket has mode ${modeText(socket)}`, `chmod 600 ${path}`)];
}

const modeText = ({ mode }: Stats) => (mode & 0o777).toString(8).padStart(4, "0");

/** A server goes on with the program it was started from, whatever has been installed since. */
function replaced(path: string): Check[] {
  const pid = listenerOf(path);
  const program = pid === null ? null : linkOf(`/proc/${pid}/exe`);
  if (program === null || !program.endsWith(" (deleted)")) return [];
  const file = program.replace(/ \(deleted\)$/, "");
  return [
    warn(HEALTH, `the program of the server (${pid}) has been replaced: ${file}`, "restart it with `phux upgrade`"),
  ];
}

function skew(version: ProtocolVersion): Check[] {
  const [newest] = versions;
  if (speaksSame(version, newest)) return [];
  const detail = `version skew: the server speaks protocol ${versionText(version)}, this phux ${versionText(newest)}`;
  return [warn(HEALTH, detail, "restart the server with this phux when its panes can be spared")];
}

/** Whether the server says in time what it holds, and which parts of the fleet it misses. */
async function responses(connection: Connection): Promise<Check[]> {
  const began = performance.now();
  const state = await connection.state(ANSWER_MS);
  const took = Math.round(performance.now() - began);
  if (!state.ok) return [failing(HEALTH, state.error.refusal.message, "look at the server's log, then restart it")];
  const slow =
    took > SLOW_MS ? [warn(HEALTH, `the server needed ${took} ms to tell its state`, "see `phux perf`")] : [];
  return [...slow, ...missing(state.value)];
}

function missing({ notices }: StateView): Check[] {
  return notices.map((notice) =>
    warn(HEALTH, `part of the fleet is missing: ${notice}`, "check that host and the way to it"),
  );
}

function statOf(path: string): Stats | null {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}

function linkOf(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}
