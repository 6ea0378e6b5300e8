import { expect, test } from "bun:test";
import { agentClear, agentSet } from "../../src/tools/agent-record.ts";
import { insert, move, swap } from "../../src/tools/layout.ts";
import { ask } from "../../src/tools/question.ts";
import { detach, rename } from "../../src/tools/session.ts";
import { tag } from "../../src/tools/tag.ts";
import { type AnyFrame, decodeFrame, type FrameOf } from "../../src/wire/frame.ts";
import { withServer } from "../phux/dialled.ts";
import { requestId, V08 } from "../phux/fake-server.ts";
import { SmallPhux, scopeText } from "../phux/small-phux.ts";
import { describeShared, sharedJson } from "../shared.ts";
import { items, type Members, members, toVector } from "../wire/vector.ts";
import { Bench } from "./calls.ts";

const tools = [agentSet, agentClear, insert, move, swap, tag, rename, ask, detach];

/** A call as phux 0.22 made it: the frames of both sides in order, and what came of it. */
interface Recorded {
  readonly tool: string;
  readonly args: Members;
  readonly sent: readonly AnyFrame[];
  readonly came: readonly AnyFrame[];
  readonly result: unknown;
  readonly failure: Members | null;
  readonly differs: readonly unknown[];
}

// What 0.22 sends to a 0.8 server for these tools, ours sends too: the same commands with the same fields in the same
// order, except where the recording says that ours differs on purpose.
describeShared("calls recorded from 0.22", () => {
  const file = members(sharedJson("vectors/recorded-tools.json"));
  const shared = members(file["shared"]);
  const calls = items(file["calls"])
    .map(members)
    .filter((call) => tools.some(({ name }) => name === call["tool"]))
    .map((call) => recordedCall(call, shared))
    // Across sessions 0.22 was thrown out; a #tag is read once more by ours, for the panes that it acts on.
    .filter(({ args, differs }) => !differs.includes("cross_session") && args["target"] !== "#build");

  test("there are such calls", () => expect(calls.length).toBeGreaterThan(20));

  test.each(calls.map((call) => [call.tool, JSON.stringify(call.args), call] as const))("%s %s", (_, __, call) => {
    const phux = new SmallPhux();
    for (const frame of call.came) learnState(phux, frame);
    learnMetadata(phux, call);
    phux.override = (frame, client) => {
      if (frame.name === "SET_METADATA" && frame.value.key === "phux.session.name/v1") renamed(phux, frame.value.value);
      const answer = frame.name === "COMMAND" ? resultOf(call, frame) : null;
      if (answer !== null) client.send(answer);
      return answer !== null;
    };
    return withServer({ version: V08, script: phux.script }, async (server) => {
      const { text, isError } = await new Bench(server.socket, {}, tools).call(call.tool, call.args);
      expect(server.frames.map(comparable)).toEqual(expectedFrames(call).map(comparable));
      expect(isError).toBe(call.failure !== null);
      if (call.failure === null) expect(JSON.parse(text)).toEqual(call.result);
      if (call.failure?.["kind"] === "document") {
        expect(JSON.parse(text)).toMatchObject({
          error: { code: call.failure["code"] },
          exit_code: call.failure["exit"],
        });
      }
    });
  });
});

function recordedCall(call: Members, shared: Members): Recorded {
  const steps = items(call["connections"])
    .flatMap((connection) => items(members(connection)["frames"]))
    .map(members)
    .map((step) => (typeof step["ref"] === "string" ? members(shared[step["ref"]]) : step));
  const frames = (dir: string) => steps.filter((step) => step["dir"] === dir).map((step) => frameOf(step["hex"]));
  return {
    tool: String(call["tool"]),
    args: members(call["arguments"]),
    sent: frames("c2s"),
    came: frames("s2c"),
    result: call["result"] ?? null,
    failure: call["failure"] ? members(call["failure"]) : null,
    differs: call["differs"] ? items(call["differs"]) : [],
  };
}

function frameOf(hex: unknown): AnyFrame {
  const bytes = Uint8Array.fromHex(String(hex));
  const frame = decodeFrame(bytes[4] ?? 0, bytes.subarray(5));
  if (!frame.ok || frame.value.name === "UNKNOWN") throw new Error(`no frame: ${String(hex)}`);
  return frame.value;
}

function learnState(phux: SmallPhux, frame: AnyFrame): void {
  if (frame.name !== "COMMAND_RESULT" || frame.value.result.tag !== "ok_with") return;
  const { value } = frame.value.result;
  if (value.tag === "state") phux.state = value.state;
}

/** The first value that a recorded read of each key gave; what was written later is the script's own to keep. */
function learnMetadata(phux: SmallPhux, { sent, came }: Recorded): void {
  const known = new Set<string>();
  const replies = came.filter((frame) => frame.name === "METADATA_VALUE");
  for (const frame of sent) {
    if (frame.name !== "GET_METADATA") continue;
    const name = `${scopeText(frame.value.scope)} ${frame.value.key}`;
    const value = replies.shift()?.value.value;
    if (!known.has(name) && value !== undefined) phux.set(scopeText(frame.value.scope), frame.value.key, value);
    known.add(name);
  }
}

function renamed(phux: SmallPhux, value: Uint8Array | undefined): void {
  const [from, to] = new TextDecoder().decode(value).split("\0");
  const sessions = phux.state.sessions.map((session) =>
    session.name === from ? { ...session, name: to ?? "" } : session,
  );
  phux.state = { ...phux.state, sessions };
}

/** The recorded answer to a command that is more than a look at the state, under the id that was asked with. */
function resultOf({ came }: Recorded, frame: FrameOf<"COMMAND">): AnyFrame | null {
  if (frame.value.command.tag === "GET_STATE") return null;
  const last = came.findLast(({ name }) => name === "COMMAND_RESULT");
  if (last?.name !== "COMMAND_RESULT") return null;
  return { ...last, value: { ...last.value, request_id: requestId(frame) } };
}

const readsState: AnyFrame = { name: "COMMAND", value: { command: { tag: "GET_STATE", scope: 0 } } };

/** What ours sends instead, where the recording marks a difference that is meant. */
function expectedFrames({ sent, result, differs }: Recorded): readonly AnyFrame[] {
  if (differs.includes("local_check")) return sent.slice(0, 1);
  if (differs.includes("tag_scope")) {
    const acted = result === null ? [] : items(members(result)["terminals"]).map((row) => members(row)["terminal"]);
    return sent.filter((frame) => frame.name !== "GET_METADATA" || acted.includes(scopeText(frame.value.scope)));
  }
  const writes = sent.at(-1)?.name === "SET_METADATA";
  return differs.includes("confirm_read") && writes ? [...sent, readsState] : sent;
}

function comparable({ name, value }: AnyFrame): unknown {
  return { name, value: toVector({ ...value, request_id: 0 }) };
}
