import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { local } from "./answer.ts";
import { LabClient } from "./client.ts";
import { agentSession, openAgentRoom, paneOf, recordOf, typeInto } from "./phux/agent-room.ts";
import { until, type Workbench } from "./phux/workbench.ts";

// Real programs come and go here, on machines that are busy.
setDefaultTimeout(30_000);

let bench: Workbench;
beforeAll(async () => {
  bench = await openAgentRoom();
});
afterAll(() => bench.close());

const type = (session: string, text: string) => typeInto(bench, session, text);
const becomes = (session: string, state: string) => until(() => recordOf(bench, session)?.["state"] === state);
const declare = (session: string, ...words: string[]) => bench.phux(["agent", "set", ...words, session]);

/** The states that a record goes through until one of them, as a follower hears of them. */
async function statesUntil(session: string, last: string, act: () => void): Promise<string[]> {
  const client = await LabClient.open(bench.lab.socket, bench.lab.server.release.version);
  const scope = { tag: "resource", id: local(paneOf(bench, session)) } as const;
  client.send({ name: "SUBSCRIBE_METADATA", value: { scope, key: "phux.agent/v1" } });
  await client.command({ tag: "GET_STATE", scope: 0 });
  act();
  const states: string[] = [];
  while (states.at(-1) !== last) {
    const { value } = await client.next("METADATA_CHANGED", 10_000);
    states.push(String(JSON.parse(new TextDecoder().decode(value)).state));
  }
  client.close();
  return states;
}

describe("an agent's turns show in the record of its pane", () => {
  beforeAll(() => agentSession(bench, "turns"));

  test("it is adopted under the name of its kind", () => {
    expect(recordOf(bench, "turns")).toEqual({ name: "lab", kind: "lab", state: "idle" });
  });

  test("work, and rest", async () => {
    const states = await statesUntil("turns", "idle", () => type("turns", "say hello\r"));
    expect(states).toEqual(["working", "idle"]);
  });

  test("a question that is answered", async () => {
    expect(await statesUntil("turns", "blocked", () => type("turns", "ask Go on? | Yes\r"))).toEqual([
      "working",
      "blocked",
    ]);
    expect(await statesUntil("turns", "idle", () => type("turns", "1\r"))).toEqual(["idle"]);
  });

  test("a command that it runs after asking, interrupted with Escape", async () => {
    type("turns", "run sleep 60\r");
    await becomes("turns", "blocked");
    type("turns", "yes\r");
    await becomes("turns", "working");
    type("turns", "\x1b");
    await becomes("turns", "idle");
  });

  test("C-c interrupts, and twice at rest it exits", async () => {
    type("turns", "work 60\r");
    await becomes("turns", "working");
    type("turns", "\x03");
    await becomes("turns", "idle");
    const pane = paneOf(bench, "turns");
    type("turns", "\x03\x03");
    await until(() => !bench.lab.server.panes.has(pane));
  });
});

describe("in a shell", () => {
  beforeAll(() => bench.session("shell", "/bin/sh"));
  const start = () => type("shell", `${join(bench.bin, "lab-agent")}\r`);

  test("a shell is no agent, whatever it prints", async () => {
    type("shell", "echo '  Enter sends'; sleep 0.3\r");
    await until(async () => (await bench.phux(["snapshot", "shell"])).stdout.includes("\n  Enter sends"));
    expect(recordOf(bench, "shell")).toBeNull();
  });

  test("an agent comes and leaves: its record stays, and knows nothing", async () => {
    start();
    await becomes("shell", "idle");
    type("shell", "exit\r");
    await becomes("shell", "unknown");
    expect(recordOf(bench, "shell")).toEqual({ name: "lab", kind: "lab", state: "unknown" });
    start();
    await becomes("shell", "idle");
  });

  test("one that is killed has left too", async () => {
    const pane = bench.lab.server.panes.get(paneOf(bench, "shell"));
    process.kill(pane?.terminal.foreground?.pgid ?? Number.NaN, "SIGKILL");
    await becomes("shell", "unknown");
    // It could not give the terminal back as it was.
    type("shell", "stty sane\n");
  });

  test("who has a name keeps it, and its state is seen all the same", async () => {
    await declare("shell", "--name", "reviewer", "--kind", "lab", "--session", "s-1", "--attention", "low");
    start();
    await becomes("shell", "idle");
    const identity = { name: "reviewer", kind: "lab", session: "s-1" };
    expect(recordOf(bench, "shell")).toEqual({ ...identity, state: "idle", attention: "low" });
    type("shell", "exit\r");
    await becomes("shell", "unknown");
    expect(recordOf(bench, "shell")).toEqual({ ...identity, state: "unknown" });
  });

  test("a kind that somebody declared is believed over another that is seen", async () => {
    await declare("shell", "--name", "x", "--kind", "codex");
    start();
    await until(async () => (await bench.phux(["snapshot", "shell"])).stdout.includes("Enter sends"));
    expect(recordOf(bench, "shell")).toEqual({ name: "x", kind: "codex", state: "unknown" });
    type("shell", "exit\r");
    await until(async () => (await bench.phux(["snapshot", "shell"])).stdout.trimEnd().endsWith("\n$"));
    await bench.phux(["agent", "clear", "shell"]);
  });

  test("a shell is an agent where somebody says so, and works while its command runs", async () => {
    await declare("shell", "--name", "dull", "--kind", "shell");
    type("shell", "/bin/sh\r");
    await becomes("shell", "idle");
    expect(await statesUntil("shell", "idle", () => type("shell", "sleep 0.6\r"))).toEqual(["working", "idle"]);
    type("shell", "exit\r");
    await becomes("shell", "unknown");
  });
});

describe("what a client declares outranks what is seen", () => {
  beforeAll(() => agentSession(bench, "declared"));

  test("until the record is deleted", async () => {
    await declare("declared", "--name", "mine", "--kind", "lab", "--state", "blocked");
    await until(async () => (await bench.phux(["snapshot", "declared"])).stdout.includes("Enter sends"));
    type("declared", "say hello\r");
    await until(async () => (await bench.phux(["snapshot", "declared"])).stdout.includes("* hello"));
    expect(recordOf(bench, "declared")).toEqual({ name: "mine", kind: "lab", state: "blocked" });
    await bench.phux(["agent", "clear", "declared"]);
    await becomes("declared", "idle");
    expect(recordOf(bench, "declared")).toMatchObject({ name: "lab" });
  });
});

test("or until the agent leaves", async () => {
  await bench.session("leaving", "/bin/sh");
  type("leaving", `${join(bench.bin, "lab-agent")}\r`);
  await becomes("leaving", "idle");
  await declare("leaving", "--name", "mine", "--kind", "lab", "--state", "working");
  type("leaving", "exit\r");
  await becomes("leaving", "unknown");
  expect(recordOf(bench, "leaving")).toEqual({ name: "mine", kind: "lab", state: "unknown" });
});

test("hooks are evidence: done stands until work is seen", async () => {
  await agentSession(bench, "hooks", "--report");
  expect(await statesUntil("hooks", "done", () => type("hooks", "say hello\r"))).toEqual(["working", "done"]);
  expect(await statesUntil("hooks", "blocked", () => type("hooks", "ask Go on?\r"))).toEqual(["working", "blocked"]);
  type("hooks", "\x1b");
  await becomes("hooks", "done");
  await bench.phux(["agent", "report-state", "hooks", "working"]);
  await becomes("hooks", "working");
  // Nothing on the screen confirms it.
  await becomes("hooks", "idle");
});

test("an agent session says more than a screen", async () => {
  const room = await openAgentRoom({ openLogs: true });
  await room.session("streamed", "/bin/sh");
  const emit = (...words: string[]) => room.document(["agent", "emit", "--json", "--type", ...words, "--", "streamed"]);
  const state = async (wanted: string) => until(() => recordOf(room, "streamed")?.["state"] === wanted);
  await room.document(["agent", "session", "open", "--provider", "codex", "--json", "streamed"]);
  await emit("prompt", "--data", '{"length":3}');
  await state("working");
  expect(recordOf(room, "streamed")).toEqual({ name: "codex", kind: "codex", state: "working" });
  await emit("ask", "--data", '{"id":"q","question":"Go on?"}');
  await state("blocked");
  await emit("stop");
  await state("done");
  await emit("session_end");
  await state("unknown");
  await room.close();
});

test("a server without detection leaves every record to its clients", async () => {
  const room = await openAgentRoom({ detection: false });
  const agent = [join(room.bin, "lab-agent")];
  await room.document(["new", "-s", "unseen", "--json", "--", ...agent]);
  await until(async () => (await room.phux(["snapshot", "unseen"])).stdout.includes("Enter sends"));
  expect(recordOf(room, "unseen")).toBeNull();
  await room.close();
});
