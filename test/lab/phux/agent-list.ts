import { Inventory } from "../../../src/phux/inventory.ts";
import { fail, ok, type Result } from "../../../src/wire/result.ts";
import { type AgentEntry, agentEntry } from "./agent-report.ts";
import { sightAgent } from "./agent-sighting.ts";
import { CURRENT, findPane, refuseTarget } from "./agent-target.ts";
import type { Call } from "./call.ts";
import { explainCapture } from "./explain-capture.ts";
import type { CliRefusal } from "./refusal.ts";
import { optionalWord, value } from "./slot.ts";
import { type Answer, json, socket, verb } from "./verb.ts";

export const agentList = verb({
  name: "agent list",
  contract: 1,
  slots: { json, socket },
  async run(given, call) {
    const connection = await call.connect(given.socket);
    if (!connection.ok) return connection;
    const state = await connection.value.state();
    if (!state.ok) return fail(state.error.refusal);
    for (const notice of state.value.notices) call.remark(`part of the fleet did not answer: ${notice}`);
    const inventory = new Inventory(state.value.snapshot);
    const agents: AgentEntry[] = [];
    for (const { id } of inventory.terminals) {
      const sighting = await sightAgent(connection.value, inventory, id, call);
      if (!sighting.ok) return sighting;
      agents.push(agentEntry(sighting.value));
    }
    return ok({ document: { schema_version: 1, agents }, text: agents.map(lineOf).join("") });
  },
});

export const agentShow = verb({
  name: "agent show",
  contract: 1,
  slots: { json, socket, target: optionalWord("TARGET") },
  run: async (given, call) => answer(await findEntry(given, call), lineOf),
});

export const agentExplain = verb({
  name: "agent explain",
  contract: 1,
  slots: {
    json,
    /** A screen that was captured, in place of a pane: no server is asked. */
    file: value("--file"),
    kind: value("--kind"),
    title: value("--title"),
    socket,
    target: optionalWord("TARGET"),
  },
  exclude({ file, kind, title, target }) {
    if (file !== undefined) return target === undefined ? null : "--file and TARGET exclude each other";
    return kind === undefined && title === undefined ? null : "--kind and --title go with --file";
  },
  async run(given, call) {
    const { file, kind = "", title = null } = given;
    const entry = file === undefined ? await findEntry(given, call) : await explainCapture(file, kind, title);
    return answer(entry, explained);
  },
});

function answer(entry: Result<AgentEntry, CliRefusal>, text: (entry: AgentEntry) => string): Answer {
  return entry.ok ? ok({ document: { schema_version: 1, agents: [entry.value] }, text: text(entry.value) }) : entry;
}

async function findEntry(
  given: { readonly target: string | undefined; readonly socket: string | undefined },
  call: Call,
): Promise<Result<AgentEntry, CliRefusal>> {
  const target = given.target ?? CURRENT;
  const refused = refuseTarget(target);
  if (refused !== null) return fail(refused);
  const connection = await call.connect(given.socket);
  if (!connection.ok) return connection;
  const found = await findPane(connection.value, target, call);
  if (!found.ok) return found;
  const { pane, inventory } = found.value;
  const sighting = await sightAgent(connection.value, inventory, pane, call);
  return sighting.ok ? ok(agentEntry(sighting.value)) : sighting;
}

function lineOf({ terminal, agent, state, attention, cwd }: AgentEntry): string {
  return `${[terminal, agent.label, agent.kind, state, attention, cwd ?? ""].join("\t")}\n`;
}

function explained(entry: AgentEntry): string {
  const rows = entry.sources.map(
    ({ kind, signal, confidence, observed }) => `  ${confidence.toFixed(2)}  ${kind}: ${signal}: ${observed}\n`,
  );
  return `${lineOf(entry)}  because ${entry.explanation}\n${rows.join("")}`;
}
