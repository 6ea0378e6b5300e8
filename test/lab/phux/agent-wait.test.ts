import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { agentSession, begun, openAgentRoom, paneOf, recordOf, typeInto } from "./agent-room.ts";
import { errorOf, type Ran, until, Workbench } from "./workbench.ts";

setDefaultTimeout(30_000);

let bench: Workbench;
beforeAll(async () => {
  bench = await openAgentRoom();
  await agentSession(bench, "a");
});
afterAll(() => bench.close());

const wait = (...words: string[]) => bench.phux(["agent", "wait", "--json", ...words]);
const documentOf = ({ stdout }: Ran) => JSON.parse(stdout);

/** Begins to wait, and does something once the wait has begun. */
async function whileWaiting(words: readonly string[], act: () => unknown): Promise<Ran> {
  const { outcome } = await begun(bench, () => wait("--timeout", "10", ...words));
  await act();
  return outcome;
}

const set = (state: string, ...words: string[]) =>
  bench.phux(["agent", "set", "--name", "bot", "--kind", "codex", "--state", state, ...words, "main"]);
const clear = () => bench.phux(["agent", "clear", "main"]);

describe("an edge, not a level", () => {
  test("the end of a turn", async () => {
    const ran = await whileWaiting(["a"], () => typeInto(bench, "a", "say hello\r"));
    expect(ran).toMatchObject({ exit: 0, stderr: "" });
    expect(documentOf(ran)).toEqual({
      ...{ schema_version: 1, terminal: `@${paneOf(bench, "a")}`, satisfied: true, baseline: "idle", state: "idle" },
      edge: { from: "working", to: "idle", via: "push" },
      agent: { name: "lab", kind: "lab", session: null },
      observations: { edges: 2, pushes: 2, polls: expect.any(Number) },
      detection: null,
    });
  });

  test("a state that is there already runs out, and that is an answer", async () => {
    const ran = await wait("--until", "idle", "--timeout", "1", "--", "a");
    expect(ran).toMatchObject({ exit: 124, stderr: expect.stringMatching(/^phux: agent wait timed out; /) });
    expect(documentOf(ran)).toMatchObject({
      ...{ terminal: `@${paneOf(bench, "a")}`, satisfied: false, edge: null, baseline: "idle", state: "idle" },
      observations: { edges: 0, pushes: 0 },
      detection: { terminal: `@${paneOf(bench, "a")}`, state: "idle" },
    });
    expect(documentOf(ran).observations.polls).toBeGreaterThan(3);
  });

  test("only the states that were asked for end it", async () => {
    const working = await whileWaiting(["--until", "working", "a"], () => typeInto(bench, "a", "ask Go on? | Yes\r"));
    expect(documentOf(working).edge).toMatchObject({ from: "idle", to: "working" });
    await until(() => recordOf(bench, "a")?.["state"] === "blocked");
    const words = ["--until", "idle", "--until", "done", "a"];
    expect(documentOf(await whileWaiting(words, () => typeInto(bench, "a", "1\r"))).edge).toMatchObject({ to: "idle" });
  });

  test("what a subscription does not bring is read", async () => {
    await set("working");
    const { server } = bench.lab;
    const tell = server.tellMetadata.bind(server);
    server.tellMetadata = () => {};
    const ran = await whileWaiting(["main"], () => set("done"));
    server.tellMetadata = tell;
    expect(documentOf(ran).edge).toEqual({ from: "working", to: "done", via: "poll" });
    await clear();
  });

  test("reads as a line for a person", async () => {
    await set("working");
    const { outcome } = await begun(bench, () => bench.phux(["agent", "wait", "main"]));
    await set("blocked");
    expect(await outcome).toMatchObject({ exit: 0, stdout: "@1\tworking -> blocked\n" });
    await clear();
  });
});

describe("an agent that leaves has not finished", () => {
  test.each([
    ["its record is deleted", clear],
    ["its state is withdrawn", () => set("unknown")],
    [
      "another kind takes its place",
      () => bench.phux(["agent", "set", "--name", "x", "--kind", "pi", "--state", "idle", "main"]),
    ],
  ])("%s", async (_why, leave) => {
    await set("working");
    const ran = await whileWaiting(["main"], leave);
    expect(ran).toMatchObject({ exit: 1, stdout: "" });
    expect(errorOf(ran)).toEqual({ code: "agent_departed", exit: 1 });
    await clear();
  });

  test("it exits, or its pane is closed", async () => {
    await bench.session("b", "/bin/sh");
    typeInto(bench, "b", `${join(bench.bin, "lab-agent")}\r`);
    await until(() => recordOf(bench, "b")?.["state"] === "idle");
    expect(errorOf(await whileWaiting(["b"], () => typeInto(bench, "b", "exit\r")))).toMatchObject({
      code: "agent_departed",
    });
    await agentSession(bench, "c");
    const killed = await whileWaiting(["c"], () => bench.phux(["kill", "c"]));
    expect(errorOf(killed)).toEqual({ code: "agent_departed", exit: 1 });
  });

  test("another name is the same agent", async () => {
    await set("working");
    const ran = await whileWaiting(["main"], () => set("idle", "--session", "s-2"));
    expect(documentOf(ran)).toMatchObject({ satisfied: true, agent: { name: "bot", session: "s-2" } });
    await clear();
  });
});

describe("--any", () => {
  test("whichever moves first, those that come later too", async () => {
    await agentSession(bench, "d");
    const ran = await whileWaiting(["--any"], () => typeInto(bench, "d", "say hello\r"));
    expect(documentOf(ran)).toMatchObject({
      ...{ satisfied: true, terminal: `@${paneOf(bench, "d")}`, state: "idle", agent: { name: "lab", kind: "lab" } },
      edge: { from: "working", to: "idle" },
    });
    expect(documentOf(ran).observations.agents).toBeGreaterThan(1);
    const later = await whileWaiting(["--any", "--until", "blocked"], async () => {
      await agentSession(bench, "e");
      typeInto(bench, "e", "ask Go on?\r");
    });
    expect(documentOf(later)).toMatchObject({ satisfied: true, terminal: `@${paneOf(bench, "e")}`, state: "blocked" });
    typeInto(bench, "e", "\x1b");
    await until(() => recordOf(bench, "e")?.["state"] === "idle");
  });

  test("nobody moves", async () => {
    const ran = await wait("--any", "--timeout", "1");
    expect(ran.exit).toBe(124);
    expect(documentOf(ran)).toEqual({
      ...{ schema_version: 1, terminal: null, satisfied: false, edge: null, baseline: null, state: null, agent: null },
      observations: { edges: 0, pushes: 0, polls: expect.any(Number), agents: expect.any(Number) },
      detection: null,
    });
  });

  test("one that leaves is one less; nobody left is a departure", async () => {
    const room = await openAgentRoom();
    const states = (session: string, ...words: string[]) =>
      room.phux(["agent", "set", "--name", "x", "--kind", "pi", ...words, session]);
    await room.session("other", "/bin/sh");
    expect(errorOf(await room.phux(["agent", "wait", "--any", "--json"]))).toEqual({
      code: "no_agent_record",
      exit: 2,
    });
    await states("main", "--state", "working");
    await states("other", "--state", "working");
    const { outcome } = await begun(room, () => room.phux(["agent", "wait", "--any", "--json", "--timeout", "10"]));
    await room.phux(["agent", "clear", "main"]);
    await room.phux(["agent", "clear", "other"]);
    expect(errorOf(await outcome)).toEqual({ code: "agent_departed", exit: 1 });
    await room.close();
  });
});

describe("is refused", () => {
  test.each([
    [["main"], "no_agent_record", 2],
    [["nowhere"], "no_such_target", 1],
    [["="], "invalid_selector", 2],
  ])("%j: %s", async (words, code, exit) => {
    const ran = await wait("--timeout", "1", ...words);
    expect(ran.stdout).toBe("");
    expect(errorOf(ran)).toEqual({ code, exit });
  });

  test("on another host", async () => {
    const box = await Workbench.open();
    const hub = await Workbench.open({ satellites: { box: { socket: box.lab.socket } } });
    const ran = await hub.phux(["agent", "wait", "--json", "--", "box/@1"]);
    expect(errorOf(ran)).toEqual({ code: "satellite_target", exit: 2 });
    await Promise.all([hub.close(), box.close()]);
  });

  test.each([
    [["--any", "main"]],
    [["--until", "unknown", "main"]],
    [["--timeout", "0", "main"]],
    [["--timeout", "soon", "main"]],
  ])("%j is no way to ask", async (words) => {
    expect(await wait(...words)).toMatchObject({ exit: 2, stdout: "", stderr: expect.stringMatching(/^error: /) });
  });

  test("a server that goes away ends it", async () => {
    const room = await openAgentRoom();
    await room.phux(["agent", "set", "--name", "x", "--state", "working", "main"]);
    const { outcome } = await begun(room, () => room.phux(["agent", "wait", "--json", "--timeout", "10", "main"]));
    room.lab.server.upgrade();
    expect(errorOf(await outcome)).toEqual({ code: "server_disconnected", exit: 1 });
    await room.close();
  });

  test("one that is silent does not hold it for long", async () => {
    const began = performance.now();
    await set("working");
    bench.lab.faults.silent = ["GET_METADATA"];
    const ran = await wait("--timeout", "1", "main");
    bench.lab.faults.silent = [];
    expect(errorOf(ran)).toMatchObject({ code: "transport" });
    expect(performance.now() - began).toBeLessThan(6_000);
    await clear();
  });
});
