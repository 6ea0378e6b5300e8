import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { ErrorCode } from "../../../src/wire/error-code.ts";
import { agentSession, openAgentRoom, paneOf, recordOf, typeInto } from "./agent-room.ts";
import { errorOf, type Ran, until, Workbench } from "./workbench.ts";

setDefaultTimeout(30_000);

let bench: Workbench;
beforeAll(async () => {
  bench = await openAgentRoom({ openLogs: true });
});
afterAll(() => bench.close());
afterEach(() => {
  bench.lab.faults.refuse = {};
  bench.lab.faults.dropReplies = {};
});

const answer = (target: string, ...words: string[]) =>
  bench.phux(["agent", "answer", "--json", ...words, "--", target]);
const shows = (target: string, text: string) =>
  until(async () => (await bench.phux(["snapshot", target])).stdout.includes(text));

function documentOf(ran: Ran): Record<string, unknown> {
  expect(ran).toMatchObject({ exit: 0, stderr: "" });
  return JSON.parse(ran.stdout);
}

/** The id under which the pane of a session asks, once the question has been published. */
async function liveId(session: string): Promise<string> {
  let id: string | undefined;
  await until(async () => {
    const { stderr } = await answer(session, "--id", "?", "--text", "x");
    id = /\\"([^"\\]+)\\": /.exec(stderr)?.[1];
    return id !== undefined;
  });
  return id ?? "";
}

describe("an agent that asks", () => {
  let id = "";
  beforeAll(() => agentSession(bench, "a"));
  beforeEach(async () => {
    await bench.document(["agent", "prompt", "--wait", "--json", "--", "a", "ask Deploy? | Yes | No"]);
    id = await liveId("a");
  });
  afterEach(async () => {
    typeInto(bench, "a", "\x15\x1b");
    await until(() => recordOf(bench, "a")?.["state"] === "idle");
  });

  test("gets the suggestion of a number", async () => {
    expect(documentOf(await answer("a", "--id", id, "--choice", "2"))).toEqual({
      ...{ schema_version: 1, terminal: `@${paneOf(bench, "a")}`, answer: "No", source: "choice", delivered: true },
      ask: { id, question: "Deploy?", suggestions: ["Yes", "No"] },
      operation_id: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    await shows("a", "* The answer is: No");
    expect(errorOf(await answer("a", "--id", id, "--choice", "2"))).toEqual({ code: "no_active_ask", exit: 2 });
  });

  test("gets a suggestion in words, or with leave other words", async () => {
    expect(documentOf(await answer("a", "--id", id, "--text", "Yes"))).toMatchObject({ answer: "Yes", source: "text" });
    await shows("a", "* The answer is: Yes");
    await bench.document(["agent", "prompt", "--wait", "--json", "--", "a", "ask Deploy? | Yes | No"]);
    id = await liveId("a");
    documentOf(await answer("a", "--id", id, "--text", "after lunch", "--allow-unlisted"));
    await shows("a", "* The answer is: after lunch");
  });

  test("is told no number that it does not have, and nothing is typed", async () => {
    const cases: [words: string[], code: string][] = [
      [["--id", id, "--choice", "3"], "choice_out_of_range"],
      [["--id", id, "--choice", "0"], "choice_out_of_range"],
      [["--id", id, "--text", "Maybe"], "unlisted_answer"],
      [["--id", id, "--text", " "], "invalid_answer"],
      [["--id", id, "--text", "Yes\nNo"], "invalid_answer"],
      [["--id", id, "--text", "x".repeat(4097), "--allow-unlisted"], "invalid_answer"],
      [["--id", id], "no_answer"],
      [["--id", "another", "--choice", "1"], "ask_stale"],
    ];
    for (const [words, code] of cases)
      expect([code, errorOf(await answer("a", ...words))]).toEqual([code, { code, exit: 2 }]);
    expect((await bench.phux(["snapshot", "a"])).stdout).toContain("│ >    ");
  });

  test("asks again when somebody typed and did not answer", async () => {
    typeInto(bench, "a", "hm");
    await bench.phux(["send-keys", "a", "C-u"]);
    expect(await liveId("a")).toBe(id);
  });

  test.each([
    ["INVALID_COMMAND", "answer_refused", 2],
    ["INPUT_LEASE_HELD", "answer_refused", 2],
    ["RESOURCE_EXHAUSTED", "answer_refused", 1],
    ["INPUT_NOT_WRITTEN", "answer_refused", 1],
    ["TERMINAL_NOT_FOUND", "answer_refused", 1],
    ["INPUT_DELIVERY_UNKNOWN", "answer_delivery_unknown", 3],
  ] as const)("%s", async (name, code, exit) => {
    bench.lab.faults.refuse = { APPLY_INPUT: { code: ErrorCode[name], message: "as asked" } };
    expect(errorOf(await answer("a", "--id", id, "--choice", "1"))).toEqual({ code, exit });
  });

  test("nobody knows whether it arrived", async () => {
    bench.lab.faults.dropReplies = { APPLY_INPUT: 2 };
    expect(errorOf(await answer("a", "--id", id, "--choice", "1"))).toEqual({
      code: "answer_delivery_unknown",
      exit: 3,
    });
  });
});

describe("a pane without an agent may ask too", () => {
  const ask = (...words: string[]) => bench.phux(["ask", ...words]);
  /** The question goes when somebody types. */
  const forget = () => bench.phux(["send-keys", "main", "Enter"]);

  test("by a report, of which the newest counts", async () => {
    expect(await ask("--id", "q1", "main", "One?")).toMatchObject({ exit: 0, stdout: "reported ask q1 to @1\n" });
    expect(
      documentOf(await ask("--json", "--id", "q2", "--suggest", "ls", "--elapsed-seconds", "3", "--", "main", "Two?")),
    ).toEqual({
      ...{ schema_version: 1, event: "asked", terminal: "@1", id: "q2", question: "Two?", suggestions: ["ls"] },
      elapsed_seconds: 3,
    });
    expect(errorOf(await answer("main", "--id", "q1", "--text", "x"))).toEqual({ code: "ask_stale", exit: 2 });
    expect(documentOf(await answer("main", "--id", "q2", "--choice", "1"))).toMatchObject({ answer: "ls" });
    await shows("main", "$ ls");
  });

  test("in words, where nothing is suggested", async () => {
    await ask("--id", "q3", "main", "Three?");
    expect(errorOf(await answer("main", "--id", "q3", "--choice", "1"))).toEqual({ code: "no_suggestions", exit: 2 });
    expect(documentOf(await answer("main", "--id", "q3", "--text", "true"))).toMatchObject({ answer: "true" });
  });

  test("without an id nobody can answer", async () => {
    expect(await ask("main", "Who?")).toMatchObject({ exit: 0, stdout: "reported ask  to @1\n" });
    expect(errorOf(await answer("main", "--id", "q", "--text", "x"))).toEqual({ code: "ask_unidentified", exit: 2 });
    await forget();
    expect(errorOf(await answer("main", "--id", "q", "--text", "x"))).toEqual({ code: "no_active_ask", exit: 2 });
  });

  test("in its title", async () => {
    await bench.document([
      "new",
      "-s",
      "titled",
      "--json",
      "--",
      "sh",
      "-c",
      "printf '\\033]2;phux-ask[t1]:Go on??s=yes|no\\007'; exec cat",
    ]);
    const id = await liveId("titled");
    expect(id).toBe("t1");
    expect(documentOf(await answer("titled", "--id", id, "--choice", "2"))).toMatchObject({ answer: "no" });
  });

  test("through its agent session", async () => {
    await bench.session("streamed", "/bin/sh");
    await bench.document(["agent", "session", "open", "--provider", "codex", "--json", "streamed"]);
    const data = JSON.stringify({ id: "s1", question: "Go on?", suggestions: ["true", "false"] });
    await bench.document(["agent", "emit", "--json", "--type", "ask", "--data", data, "--", "streamed"]);
    await until(() => recordOf(bench, "streamed")?.["state"] === "blocked");
    expect(errorOf(await answer("streamed", "--id", "s2", "--choice", "1"))).toEqual({ code: "ask_stale", exit: 2 });
    expect(documentOf(await answer("streamed", "--id", "s1", "--choice", "1"))).toMatchObject({ answer: "true" });
  });

  test("one whose state was withdrawn does not", async () => {
    await bench.phux(["agent", "set", "--name", "gone", "--kind", "codex", "main"]);
    await ask("--id", "q4", "main", "Four?");
    expect(errorOf(await answer("main", "--id", "q4", "--text", "x"))).toEqual({ code: "agent_withdrawn", exit: 2 });
    await bench.phux(["agent", "clear", "main"]);
    await forget();
  });
});

test.each(["0.8", "0.9", "1.0"] as const)("on %s", async (version) => {
  const room = await Workbench.open({ version });
  await room.phux(["ask", "--id", "q", "main", "Go on?"]);
  const ran = await room.phux(["agent", "answer", "--json", "--id", "q", "--text", "true", "--", "main"]);
  // On 0.8 the event was the only trace of the question (recorded).
  if (version === "0.8") expect(errorOf(ran)).toEqual({ code: "no_active_ask", exit: 2 });
  else expect(documentOf(ran)).toMatchObject({ answer: "true" });
  await room.close();
});

test("a server without a journal cannot say what is asked", async () => {
  const room = await Workbench.open({ without: ["event_journal"] });
  await room.phux(["ask", "--id", "q", "main", "Go on?"]);
  const ran = await room.phux(["agent", "answer", "--json", "--id", "q", "--text", "true", "--", "main"]);
  expect(errorOf(ran)).toEqual({ code: "ask_unidentified", exit: 2 });
  await room.close();
});

test.each([
  [["--choice", "1"]],
  [["--id", "q", "--choice", "1", "--text", "x"]],
  [["--id", "q", "--choice", "1", "--allow-unlisted"]],
  [["--id", "q", "--choice", "one"]],
])("%j is no way to ask", async (words) => {
  expect(await answer("main", ...words)).toMatchObject({
    exit: 2,
    stdout: "",
    stderr: expect.stringMatching(/^error: /),
  });
});

test.each([
  [["--id", "x".repeat(129), "main", "Q?"], 1],
  [["main", ""], 1],
  [["--suggest", " ", "main", "Q?"], 1],
  [["nowhere", "Q?"], 1],
  [["--id", "q", "main"], 2],
])("%#: what the server does not take is no question", async (words, exit) => {
  expect(await bench.phux(["ask", ...words])).toMatchObject({ exit, stdout: "" });
});
