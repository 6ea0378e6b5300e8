import type { Connection } from "../../phux/connection.ts";
import { type Refusal, sentence } from "../../phux/errors.ts";
import { Inventory } from "../../phux/inventory.ts";
import { formatResource } from "../../phux/selector.ts";
import { type SpawnRequest, spawnPane } from "../../phux/spawn.ts";
import { quote } from "../../text/clean.ts";
import type { SessionRow } from "../../wire/frame.ts";
import { fail, ok, type Result } from "../../wire/result.ts";
import { isFolder, openRepository, refusePath, worktreeAt } from "../git/repository.ts";
import { findGroup } from "../group/found-group.ts";
import { findTerminal } from "../terminal/found-terminal.ts";
import { ownFolder } from "../terminal/own-folder.ts";
import { knownAgent, startAgent } from "../terminal/start-agent.ts";
import { type GuardedCall, guardTool } from "../tool.ts";
import { group, line, optional, text } from "./argument.ts";

const MOST_PATH_BYTES = 4_096;
const SILENT = { remark: () => {} };

export const createTerminal = guardTool({
  name: "create_terminal",
  about:
    "Open a terminal with a shell, in a tab of its own that takes nobody's focus. It starts in working_directory or in a " +
    "git worktree, one of the two, else where you are; in your own group unless another is named. agent starts one of " +
    "phux's integrations there. No text of yours is typed: see run_command.",
  readOnly: false,
  input: {
    working_directory: optional(line("Folder, absolute.", MOST_PATH_BYTES, 1)),
    worktree: optional(line("Path of a git worktree from list_worktrees.", MOST_PATH_BYTES, 1)),
    group: optional(group("Group. Default your own.")),
    agent: optional(text("Integration of phux, or its kind of agent, such as claude.", 128)),
  },
  async run({ working_directory: directory, worktree, group: wanted, agent: named }, call) {
    if (directory !== undefined && worktree !== undefined) {
      return fail(sentence("create_terminal: give working_directory or worktree, one of the two", 2));
    }
    const wrong = directory === undefined ? null : refuseFolder(directory);
    if (wrong !== null) return fail(wrong);
    const connection = await call.connect();
    if (!connection.ok) return connection;
    const place = await placeFor(connection.value, wanted, call);
    if (!place.ok) return place;
    const { owner, session } = place.value;
    const checkout = worktree === undefined ? ok(null) : await knownWorktree(call, worktree);
    if (!checkout.ok) return checkout;
    const agent = named === undefined ? ok(null) : await knownAgent(call, named);
    if (!agent.ok) return agent;
    const cwd = directory ?? checkout.value ?? (await ownFolder(connection.value, call));

    const spawned = await spawnPane(connection.value, shellIn(cwd, owner, call.guardSocket), SILENT, () =>
      call.connect(),
    );
    if (!spawned.ok) return spawned;
    const { id } = spawned.value;
    const terminal = formatResource({ tag: "local", id });
    const made = { schema_version: 1, terminal, group: { id: String(session.id), name: session.name }, directory: cwd };
    if (agent.value === null) return ok({ ...made, agent: null });
    call.progress(`waiting for ${agent.value.integration} to be ready in ${terminal}`);
    const started = await startAgent(call, agent.value, id, connection.value.server.socket);
    if (started.ok) {
      const { name, kind, state } = started.value;
      return ok({ ...made, agent: { name, kind, state } });
    }
    const message = `${terminal} was made and stands there; its agent was not seen to start: ${started.error.message}`;
    return fail({ ...started.error, message });
  },
});

function shellIn(cwd: string | null, owner: string, guardSocket: string): SpawnRequest {
  return {
    ...{ target: owner, satellite: null, split: "horizontal", ratio: 0.5, projection: null },
    ...{ cwd, command: [], env: [{ name: "PHUX_MCP_SOCKET", value: guardSocket }], asTab: true },
    ...{ retainSeconds: null, key: null },
  };
}

// A server starts a shell elsewhere, in silence, when the folder is not there (wire.md 15.1).
function refuseFolder(folder: string): Refusal | null {
  const wrong = refusePath("working_directory", folder);
  if (wrong !== null || isFolder(folder)) return wrong;
  return sentence(`create_terminal: ${quote(folder)} is no folder`, 2);
}

async function knownWorktree(call: GuardedCall, path: string): Promise<Result<string, Refusal>> {
  const wrong = refusePath("worktree", path);
  if (wrong !== null) return fail(wrong);
  const repository = await openRepository(call, path);
  if (!repository.ok) return repository;
  const found = worktreeAt(repository.value, path);
  return found.ok ? ok(found.value.path) : found;
}

interface Place {
  readonly session: SessionRow;
  /** A terminal of the group, beside which the new one is counted. */
  readonly owner: string;
}

/** The group that is named, else the caller's, else the one that a person looks at, else the first. */
async function placeFor(
  connection: Connection,
  wanted: string | undefined,
  call: GuardedCall,
): Promise<Result<Place, Refusal>> {
  const state = await connection.state();
  if (!state.ok) return fail(state.error.refusal);
  const inventory = new Inventory(state.value.snapshot);
  const named = wanted === undefined ? ok(null) : findGroup(inventory, wanted);
  if (!named.ok) return named;
  const { sessions, focused_session: focused } = inventory.snapshot;
  const own = call.asker.tab === null ? null : await findTerminal(connection, call.asker.tab.terminal);
  const mine = own?.ok === true ? own.value.session : null;
  const session = named.value ?? mine ?? sessions.find(({ id }) => id === focused) ?? sessions[0];
  if (session === undefined) return fail(sentence("there is no group yet: make one with create_group"));
  const owner = inventory.activeTerminalOf(session) ?? inventory.terminalsOf(session)[0]?.id;
  if (owner === undefined)
    return fail(sentence(`group ${session.id} has no terminal beside which one could be opened`));
  return ok({ session, owner: formatResource(owner) });
}
