/** An agent in a terminal that was just made, started by phux itself from one of its integrations. */
import { type CommandFailure, readDocument } from "../../cli/document.ts";
import { findPhux } from "../../cli/find.ts";
import { runCommand } from "../../cli/run.ts";
import { type Refusal, sentence } from "../../phux/errors.ts";
import { type JsonMembers, membersOf } from "../../phux/json-object.ts";
import { quote } from "../../text/clean.ts";
import { fail, ok, type Result } from "../../wire/result.ts";
import type { GuardedCall } from "../tool.ts";

/** An integration of phux that starts an agent. */
export interface KnownAgent {
  readonly integration: string;
  readonly kind: string;
}

const LIST_MS = 30_000;
const START_SECONDS = 60;
/** How much longer than its own limit the child may take. */
const GRACE_MS = 5_000;

/** The one integration that is meant by its id or by the kind of its agent. */
export async function knownAgent(call: GuardedCall, agent: string): Promise<Result<KnownAgent, Refusal>> {
  const listed = await phux(call, ["launch", "--list", "--json"], LIST_MS, "phux launch");
  if (!listed.ok) return listed;
  const all = agentsIn(listed.value);
  const found = all.filter(({ integration, kind }) => integration === agent || kind === agent);
  const exact = found.filter(({ integration }) => integration === agent);
  const [only, ...others] = exact.length > 0 ? exact : found;
  if (only !== undefined && others.length === 0) return ok(only);
  const names = (some: readonly KnownAgent[]) => some.map(({ integration }) => quote(integration)).join(", ") || "none";
  return fail(
    sentence(
      only === undefined
        ? `phux has no integration that starts ${quote(agent)}; it has ${names(all)}`
        : `${quote(agent)} is started by several integrations: ${names(found)}`,
      2,
    ),
  );
}

/** The integrations in the document of `phux launch --list` that start an agent of some kind. */
export function agentsIn(document: JsonMembers): readonly KnownAgent[] {
  const rows: unknown = document["integrations"];
  return (Array.isArray(rows) ? rows : []).flatMap((row: unknown): KnownAgent[] => {
    const { integration, agent_kind: kind } = membersOf(row) ?? {};
    return typeof integration === "string" && typeof kind === "string" ? [{ integration, kind }] : [];
  });
}

/** Starts it at the shell's prompt in a terminal, and gives phux's document once the agent is ready. */
export function startAgent(
  call: GuardedCall,
  { integration, kind }: KnownAgent,
  terminal: number,
  socket: string,
): Promise<Result<JsonMembers, Refusal>> {
  const which = ["--kind", kind, "--integration", integration, "--target", `@${terminal}`];
  const limit = ["--timeout", String(START_SECONDS), "--json", "--socket", socket];
  const argv = ["agent", "start", ...which, ...limit, agentName(kind, terminal)];
  return phux(call, argv, START_SECONDS * 1_000 + GRACE_MS, "phux agent start");
}

/** A name that phux takes and no other terminal has. */
export function agentName(kind: string, terminal: number): string {
  const letters = kind.toLowerCase().replace(/[^a-z0-9_-]/g, "-");
  return `${/^[a-z]/.test(letters) ? letters.slice(0, 20) : "agent"}-${terminal}`;
}

async function phux(
  call: GuardedCall,
  args: readonly string[],
  deadlineMs: number,
  verb: string,
): Promise<Result<JsonMembers, Refusal>> {
  const found = findPhux(call.environment, call.self);
  if (!found.ok) return fail(sentence(found.error.message));
  const given = Object.entries(call.environment);
  const environment = Object.fromEntries(
    given.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  const ran = await runCommand({ path: found.value.path, args, environment, deadlineMs }, call.signal);
  if (!ran.ok) return fail(sentence(ran.error.message));
  const read = readDocument(ran.value, { verb, answerExits: new Set(), deadlineMs, instead: "look with phux itself" });
  if (!read.ok) return fail(sentence(wordsOf(read.error)));
  const document = membersOf(read.value.value);
  return document === null ? fail(sentence(`${verb} printed no JSON object`)) : ok(document);
}

function wordsOf(failure: CommandFailure): string {
  return failure.kind === "document" ? (failure.document.message ?? failure.document.code) : failure.message;
}
