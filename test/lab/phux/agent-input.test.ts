import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { ErrorCode } from "../../../src/wire/error-code.ts";
import { local } from "../answer.ts";
import { stage } from "../stage.ts";
import { agentSession, begun, openAgentRoom, paneOf, recordOf, typeInto } from "./agent-room.ts";
import { errorOf, type Ran, until, Workbench } from "./workbench.ts";

setDefaultTimeout(30_000);

let bench: Workbench;
beforeAll(async () => {
  bench = await openAgentRoom();
  await agentSession(bench, "a");
});
afterAll(() => bench.close());
afterEach(() => {
  bench.lab.faults.refuse = {};
  bench.lab.faults.dropReplies = {};
  bench.lab.faults.dropBeforeReply = [];
});

const sendKeys = (target: string, keys: readonly string[], ...options: readonly string[]) =>
  bench.phux(["agent", "send-keys", "--json", ...options, "--", target, ...keys]);
const prompt = (target: string, text: string, ...words: string[]) =>
  bench.phux(["agent", "prompt", "--json", "--timeout", "10", ...words, "--", target, text]);
const screen = async (target: string) => (await bench.phux(["snapshot", target])).stdout;
const shows = (target: string, text: string) => until(async () => (await screen(target)).includes(text));
const at = (session: string) => `@${paneOf(bench, session)}`;

function documentOf(ran: Ran): Record<string, unknown> {
  expect(ran).toMatchObject({ exit: 0, stderr: "" });
  return JSON.parse(ran.stdout);
}

describe("agent send-keys", () => {
  test("types all of it at once, to the agent that is expected", async () => {
    const document = documentOf(
      await sendKeys("a", ["-x", "y", "Space", "漢", "BSpace"], "--expect-agent", "lab", "--expect-kind", "lab"),
    );
    expect(document).toEqual({
      ...{ schema_version: 1, terminal: at("a"), agent: { name: "lab", kind: "lab" }, keys: 5, verified: true },
      ...{ delivery: "ok", operation_id: expect.stringMatching(/^[0-9a-f]{32}$/), attempts: 1 },
    });
    await shows("a", "│ > -xy  ");
    documentOf(await sendKeys("a", ["C-u"]));
    await shows("a", "│ >    ");
  });

  test.each(["C-cc", "C-", "c-é", "M-", "m-"])("%s is no key, and nothing is typed", async (key) => {
    expect(errorOf(await sendKeys("a", ["typed", key]))).toEqual({ code: "invalid_key_spec", exit: 2 });
    expect(await screen("a")).toContain("│ >    ");
  });

  test("a chord that no terminal has types nothing, so alone it is refused", async () => {
    expect(errorOf(await sendKeys("a", ["C-\\"]))).toEqual({ code: "invalid_key_spec", exit: 2 });
  });

  test.each([["NotAKey-"], ["M-x"], ["C-x"], ["^C"], ["S-Tab"]])("%s is a key, or a text", async (key) => {
    documentOf(await sendKeys("a", [key, "C-u"]));
  });

  test("too much for one batch", async () => {
    expect(errorOf(await sendKeys("a", ["x".repeat(257)]))).toEqual({ code: "input_too_large", exit: 2 });
  });
});

describe("who is typed to", () => {
  const attempts: [why: string, () => Promise<Ran>, code: string, exit: number][] = [
    ["no agent", () => sendKeys("main", ["x"]), "no_agent_record", 2],
    ["no agent to prompt", () => prompt("main", "x"), "no_agent_record", 2],
    ["another name", () => sendKeys("a", ["x"], "--expect-agent", "other"), "agent_mismatch", 2],
    ["another kind", () => prompt("a", "x", "--expect-kind", "claude"), "agent_mismatch", 2],
    ["a pane that is not there", () => sendKeys("nowhere", ["x"]), "no_such_target", 1],
    ["no selector", () => prompt("=", "x"), "invalid_selector", 2],
    ["a kind", () => prompt("%lab", "x"), "invalid_agent_name", 2],
  ];
  test.each(attempts)("%s", async (_why, attempt, code, exit) => {
    const ran = await attempt();
    expect(ran.stdout).toBe("");
    expect(errorOf(ran)).toEqual({ code, exit });
  });

  test("one whose state was withdrawn, by name or not", async () => {
    await bench.phux(["agent", "set", "--name", "gone", "--kind", "codex", "main"]);
    expect(errorOf(await prompt("%gone", "x"))).toEqual({ code: "agent_withdrawn", exit: 2 });
    expect(errorOf(await sendKeys("main", ["x"]))).toEqual({ code: "agent_withdrawn", exit: 2 });
    await bench.phux(["agent", "clear", "main"]);
  });

  test("part of the fleet is missing", async () => {
    bench.lab.faults.notices = [{ code: 107, message: "box is away" }];
    const ran = await sendKeys("box/@1", ["x"]);
    bench.lab.faults.notices = [];
    expect(errorOf(ran)).toEqual({ code: "partial_view", exit: 1 });
  });

  test("nobody on another host", async () => {
    await using box = await stage();
    const hub = await Workbench.open({ satellites: { box: { socket: box.lab.socket } } });
    const ran = await hub.phux(["agent", "send-keys", "--json", "--", "box/@1", "x"]);
    expect(errorOf(ran)).toEqual({ code: "satellite_target", exit: 2 });
    await hub.close();
  });

  test("an agent that changes while the input is on its way", async () => {
    const { faults, server } = bench.lab;
    faults.lateMs = { APPLY_INPUT: 400 };
    const { outcome } = await begun(bench, () => sendKeys("a", ["x", "C-u"]));
    const scope = { tag: "resource", id: local(paneOf(bench, "a")) } as const;
    server.writeMetadata(scope, "phux.agent/v1", Buffer.from('{"name":"other","kind":"pi","state":"idle"}'));
    faults.lateMs = {};
    expect(errorOf(await outcome)).toEqual({ code: "unknown_occupant", exit: 1 });
    await bench.phux(["agent", "clear", "a"]);
    await until(() => recordOf(bench, "a")?.["name"] === "lab");
  });

  test("an older server without acknowledged input", async () => {
    const room = await Workbench.open({ without: ["acknowledged_input"] });
    const ran = await room.phux(["agent", "send-keys", "--json", "--", "main", "x"]);
    expect(errorOf(ran)).toEqual({ code: "unsupported_server", exit: 2 });
    await room.close();
  });
});

describe("what becomes of the batch", () => {
  test.each([
    ["RESOURCE_EXHAUSTED", "input_busy", 1],
    ["INPUT_NOT_WRITTEN", "input_not_written", 1],
    ["INPUT_DELIVERY_UNKNOWN", "delivery_unknown", 1],
    ["INVALID_COMMAND", "invalid_input_batch", 2],
    ["UNSAFE_PASTE", "unsafe_paste", 2],
    ["INPUT_LEASE_HELD", "input_lease_held", 2],
    ["CANONICAL_LIMIT_EXCEEDED", "canonical_limit_exceeded", 2],
    ["PERMISSION_DENIED", "permission_denied", 2],
  ] as const)("%s", async (name, code, exit) => {
    bench.lab.faults.refuse = { APPLY_INPUT: { code: ErrorCode[name], message: "as asked" } };
    expect(errorOf(await sendKeys("a", ["x"]))).toEqual({ code, exit });
  });

  test("a lost answer is asked for again under the same id: it is typed once", async () => {
    bench.lab.faults.dropReplies = { APPLY_INPUT: 1 };
    expect(documentOf(await sendKeys("a", ["once"]))).toMatchObject({ attempts: 2, delivery: "ok" });
    await shows("a", "│ > once  ");
    documentOf(await sendKeys("a", ["C-u"]));
  });

  test("lost twice, nobody knows", async () => {
    bench.lab.faults.dropReplies = { APPLY_INPUT: 2 };
    expect(errorOf(await sendKeys("a", ["x"]))).toEqual({ code: "delivery_unknown", exit: 1 });
    documentOf(await sendKeys("a", ["C-u"]));
  });
});

describe("agent prompt", () => {
  test("submits a line, and waits for what the agent makes of it", async () => {
    const document = documentOf(await prompt("a", "say it's -- fine", "--wait", "--expect-agent", "lab"));
    expect(document).toEqual({
      ...{
        schema_version: 1,
        terminal: at("a"),
        delivery: "ok",
        operation_id: expect.stringMatching(/^[0-9a-f]{32}$/),
      },
      ...{ agent: { name: "lab", kind: "lab", state: "idle", session: null }, pre_submit_state: "idle" },
      ...{ staleness_bound_ms: null, attempts: 1, submit_ms: expect.any(Number), transition_observed: true },
      ...{ matched_by: "transition", edge: { from: "working", to: "idle", via: "push" } },
      ...{ waited_ms: expect.any(Number), degraded_to_polling: false },
    });
    expect(await screen("a")).toContain("* it's -- fine");
  });

  test("a question ends the wait too, and Escape the question", async () => {
    const asked = documentOf(await prompt("a", "ask Go on? | Yes", "--wait"));
    expect(asked).toMatchObject({ agent: { state: "blocked" }, edge: { to: "blocked" } });
    documentOf(await sendKeys("a", ["Escape"]));
    await shows("a", "* Nobody answered.");
    await until(() => recordOf(bench, "a")?.["state"] === "idle");
  });

  test("only the states that were asked for", async () => {
    const document = documentOf(await prompt("a", "say x", "--wait", "--until", "working"));
    expect(document).toMatchObject({ edge: { from: "idle", to: "working" }, agent: { state: "working" } });
    await until(() => recordOf(bench, "a")?.["state"] === "idle");
  });

  test("at its limit it was delivered all the same, and that is an answer", async () => {
    const ran = await bench.phux(["agent", "prompt", "--wait", "--timeout", "1", "--json", "--", "a", "work 60"]);
    expect(ran).toMatchObject({ exit: 124, stderr: expect.stringMatching(/^phux: prompt delivered to @\d+, /) });
    expect(JSON.parse(ran.stdout)).toMatchObject({
      ...{ transition_observed: false, matched_by: null, edge: null, pre_submit_state: "idle" },
      agent: { state: "working" },
    });
    typeInto(bench, "a", "\x1b");
    await until(() => recordOf(bench, "a")?.["state"] === "idle");
  });

  test("without --wait it says that it was delivered", async () => {
    expect(documentOf(await prompt("a", "say soon"))).toMatchObject({ waited_ms: null, transition_observed: false });
    await shows("a", "* soon");
    await until(() => recordOf(bench, "a")?.["state"] === "idle");
  });

  test("after a lost answer the state is read", async () => {
    bench.lab.faults.dropReplies = { APPLY_INPUT: 1 };
    const document = documentOf(await prompt("a", "ask Lost?", "--wait", "--until", "blocked"));
    expect(document).toMatchObject({ attempts: 2, edge: { to: "blocked" } });
    typeInto(bench, "a", "\x1b");
    await until(() => recordOf(bench, "a")?.["state"] === "idle");
  });

  test("an agent that exits has not finished", async () => {
    await agentSession(bench, "leaving");
    expect(errorOf(await prompt("leaving", "exit", "--wait"))).toEqual({ code: "agent_departed", exit: 1 });
  });

  test.each([
    ["", "prompt_empty"],
    ["  ", "prompt_empty"],
    ["one\ntwo", "prompt_multiline"],
    ["one\r", "prompt_multiline"],
    ["x".repeat(70_000), "input_too_large"],
  ])("%#: what is no prompt is not typed", async (text, code) => {
    expect(errorOf(await prompt("a", text))).toEqual({ code, exit: 2 });
  });

  test.each([[["--until", "unknown"]], [["--timeout", "0"]]])("%j is no way to ask", async (words) => {
    const ran = await bench.phux(["agent", "prompt", "--json", ...words, "--", "a", "x"]);
    expect(ran).toMatchObject({ exit: 2, stdout: "", stderr: expect.stringMatching(/^error: /) });
  });
});
