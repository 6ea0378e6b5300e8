import { readFileSync, realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { after } from "../cli/timer.ts";
import { killAllRunning } from "../cli/watcher.ts";
import type { Connection } from "../phux/connection.ts";
import { Deadline } from "../phux/deadline.ts";
import { advertises } from "../phux/designed-features.ts";
import { Dialer } from "../phux/dial.ts";
import type { Refusal } from "../phux/errors.ts";
import { Inventory } from "../phux/inventory.ts";
import type { SocketPath } from "../phux/socket-path.ts";
import { quote } from "../text/clean.ts";
import { chosenSocket, trustOf, unsafeWay } from "../tools/place.ts";
import { featureNames } from "../wire/capability.ts";
import { fail, ok, type Result } from "../wire/result.ts";
import { type CheckFacts, isRefusal, type ServerFacts, type SessionFacts, type SocketFacts } from "./check-facts.ts";
import { designed, needed } from "./check-features.ts";
import { checkDocument, checkPage, isFine } from "./check-page.ts";
import { phuxFacts } from "./check-phux.ts";
import { toolFacts } from "./check-tools.ts";
import { refuseUsage } from "./help.ts";
import { print } from "./print.ts";
import { programVersion } from "./version.ts";

/** Milliseconds for the server: connect, greeting and state together. */
const SERVER_MS = 5_000;
/** After this nothing is waited for any more: a person looks at the screen. */
const WHOLE_MS = 8_000;
/** Session names that are shown. */
const NAMES = 20;

/**
 * One page about what works and what does not, or with `--json` a document: exit 0 when tools work, else 1. It asks the
 * server and `phux` for what they are, at most 10 s; it starts no server and changes nothing.
 */
export async function runCheck(argv: readonly string[]): Promise<void> {
  const asked = askedIn(argv);
  if (!asked.ok) return refuseUsage(asked.error);
  const { socket, json } = asked.value;
  // Whatever way the process ends by itself, no child outlives it.
  process.on("exit", killAllRunning);
  const over = new AbortController();
  const forget = after(WHOLE_MS, () => over.abort());
  const facts = await look(socket, over.signal);
  forget();
  over.abort();
  if (!isFine(facts)) process.exitCode = 1;
  await print(json ? checkDocument(facts) : checkPage(facts));
}

interface Asked {
  readonly socket: string | undefined;
  readonly json: boolean;
}

/** The options, each at most once, in any order. */
function askedIn(argv: readonly string[]): Result<Asked, string> {
  const usage = "check takes --socket PATH and --json, each once";
  const paths: string[] = [];
  let json = 0;
  for (let at = 0; at < argv.length; at += 1) {
    const argument = argv[at] ?? "";
    if (argument === "--json") json += 1;
    else if (argument.startsWith("--socket=")) paths.push(argument.slice("--socket=".length));
    else if (argument === "--socket") {
      at += 1;
      paths.push(argv[at] ?? "");
    } else return fail(`cannot use ${quote(argument)}: ${usage}`);
  }
  if (json > 1 || paths.length > 1) return fail(usage);
  if (paths[0] === "") return fail(`--socket names no path: ${usage}`);
  return ok({ socket: paths[0], json: json === 1 });
}

async function look(argument: string | undefined, signal: AbortSignal): Promise<CheckFacts> {
  const uid = process.getuid?.() ?? null;
  const chosen = chosenSocket(argument, process.env, uid);
  const socket = chosen.ok ? socketFacts(chosen.value, uid) : chosen.error;
  const isUsable = !isRefusal(socket) && socket.unsafe === null;
  const [phux, server] = await Promise.all([
    phuxFacts(process.env, process.execPath, signal),
    isUsable ? serverFacts(socket.path, signal) : ({ kind: "not_asked" } as const),
  ]);
  const binary = { version: programVersion, path: process.execPath };
  return { uid, phux, socket, server, tools: toolFacts(process.env), binary };
}

function socketFacts({ path, origin }: SocketPath, uid: number | null): SocketFacts {
  const unsafe = uid === null ? null : unsafeWay(path, trustOf(uid));
  return { path, origin, standing: standingAt(path), listening: listensAt(path), unsafe };
}

function standingAt(path: string): SocketFacts["standing"] {
  try {
    const found = statSync(path);
    const kind = found.isSocket() ? "socket" : found.isFile() ? "file" : found.isDirectory() ? "folder" : "other";
    return { kind, uid: found.uid, mode: found.mode & 0o7777 };
  } catch {
    return null;
  }
}

/** Linux lists its sockets by the path that they were bound to; flag 10000 is one that listens. */
function listensAt(path: string): boolean {
  try {
    const lines = readFileSync("/proc/net/unix", "utf8").split("\n");
    const names = [path, resolve(path), realpathSync(path)];
    return lines.some((line) => line.includes(" 00010000 ") && names.some((name) => line.endsWith(` ${name}`)));
  } catch {
    return false;
  }
}

async function serverFacts(path: string, signal: AbortSignal): Promise<ServerFacts> {
  const deadline = new Deadline(SERVER_MS, signal);
  const dialled = await new Dialer(`phux-mcp/${programVersion}`).dial(path, signal, deadline);
  // A timer may fire a little before its instant.
  if (!dialled.ok) return { kind: "fails", silent: deadline.left() < 20, refusal: dialled.error };
  const connection = dialled.value;
  const { capabilities, version, id } = connection.server;
  const sessions = await sessionFacts(connection, deadline);
  connection.close();
  return {
    kind: "answers",
    version,
    id,
    features: [...featureNames(capabilities), ...designed.filter((name) => advertises(capabilities, name))],
    lacking: needed.filter(({ feature }) => !advertises(capabilities, feature)),
    sessions,
  };
}

async function sessionFacts(connection: Connection, deadline: Deadline): Promise<SessionFacts | Refusal> {
  const state = await connection.state(deadline.left());
  if (!state.ok) return state.error.refusal;
  const { snapshot } = state.value;
  const names = snapshot.sessions.slice(0, NAMES).map(({ name }) => name);
  return { count: snapshot.sessions.length, panes: new Inventory(snapshot).terminals.length, names };
}
