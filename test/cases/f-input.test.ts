/** What a program gets when an agent types: kind F, through the compiled binary and a real PTY. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { keysToEvents } from "../../src/phux/keys.ts";
import { Agent } from "../e2e/agent.ts";
import { SLACK, until } from "../e2e/raw-host.ts";
import { type InputModes, keyBytes, mouseBytes, pasteBytes } from "../lab/key-encoding.ts";
import { describeShared, sharedJson } from "../shared.ts";
import { commandOf, PROMPT, shells } from "./e-shells.ts";
import { bytesOf, Sink } from "./f-sink.ts";

setDefaultTimeout(60_000 * SLACK);

let agent: Agent;
let sink: Sink;
beforeAll(async () => {
  agent = await Agent.start();
  sink = await Sink.open(agent, "raw");
});
afterAll(() => agent[Symbol.asyncDispose]());

const type = (keys: readonly string[], target = sink.pane) => agent.call("phux_send_keys", { target, keys: [...keys] });

describe("keys, as the program reads them", () => {
  const rows: [why: string, keys: string[], bytes: string][] = [
    ["Enter is a carriage return", ["Enter"], "\r"],
    ["names in any case", ["enTER", "TAB", "space"], "\r\t "],
    ["Escape alone", ["Escape"], "\u001b"],
    ["BSpace erases", ["BSpace"], "\u007f"],
    ["arrows", ["Up", "Down", "Right", "Left"], "\u001b[A\u001b[B\u001b[C\u001b[D"],
    ["Home and End", ["Home", "End"], "\u001b[H\u001b[F"],
    ["control keys", ["C-c", "C-d", "C-z"], "\u0003\u0004\u001a"],
    ["a control key in capitals", ["C-C"], "\u0003"],
    ["Meta is Escape in front", ["M-x"], "\u001bx"],
    ["a text that is no name", ["Entrance"], "Entrance"],
    ["a name that phux does not know is text", ["F13x"], "F13x"],
    ["a dash and a letter is text", ["x-c"], "x-c"],
    ["texts one after another", ["echo ", "a", "b"], "echo ab"],
    ["text of every script", ["é 漢字 שלום 👩‍👩‍👧"], bytesOf("é 漢字 שלום 👩‍👩‍👧")],
    ["text before Enter", ["ls -la", "Enter"], "ls -la\r"],
    ["quotes, dollars, backslashes", [`'"$\\\``], `'"$\\\``],
    ["a space alone", [" "], " "],
  ];
  test.each(rows)("%s: %j", async (_, keys, bytes) => {
    await type(keys);
    expect(await sink.taken()).toBe(bytes);
  });

  test("no keys at all are refused", async () => {
    expect((await agent.answer("phux_send_keys", { target: sink.pane, keys: [] })).isError).toBe(true);
    expect(await sink.taken()).toBe("");
  });
});

describeShared("every list of the contract's vectors", () => {
  const plain: InputModes = {
    applicationCursorKeys: false,
    applicationKeypad: false,
    bracketedPaste: false,
    focusReports: false,
    mouse: "none",
    sgrMouse: false,
  };
  const bytesFor = (keys: readonly string[]) =>
    keysToEvents(keys)
      .map((event) => {
        if (event.tag === "key") return keyBytes(event.event, plain);
        if (event.tag === "mouse") return mouseBytes(event.event, plain);
        if (event.tag === "paste")
          return pasteBytes(event.event.data, event.event.trust === 0, plain) ?? new Uint8Array();
        return new Uint8Array();
      })
      .map((bytes) => Buffer.from(bytes).toString("latin1"))
      .join("");

  test("arrives in order, whole, and nothing else", async () => {
    // Parse boundary: the shape of the contract's own file.
    const { cases } = sharedJson("vectors/keys.json") as { cases: { keys: string[] }[] };
    expect(cases.length).toBeGreaterThan(100);
    for (const { keys } of cases) {
      await type(keys);
      expect(`${JSON.stringify(keys)}: ${JSON.stringify(await sink.taken())}`).toBe(
        `${JSON.stringify(keys)}: ${JSON.stringify(bytesFor(keys))}`,
      );
    }
  });
});

describe("bounds", () => {
  test("4,096 bytes, and one more, arrive whole: a call has no bound of its own", async () => {
    for (const length of [4_096, 4_097, 20_000]) {
      const text = "abcdefghij".repeat(Math.ceil(length / 10)).slice(0, length);
      await type([text, "Enter"]);
      expect(await sink.taken()).toBe(`${text}\r`);
    }
  });

  test("64 entries and 65", async () => {
    for (const count of [64, 65]) {
      await type(Array.from({ length: count }, (_, at) => (at % 2 === 0 ? "x" : "Tab")));
      expect((await sink.taken()).length).toBe(count);
    }
  });

  test("a megabyte of paste", async () => {
    const text = "0123456789abcdef".repeat(65_536);
    await agent.call("phux_paste", { target: sink.pane, text });
    expect(await sink.taken()).toBe(text);
  });
});

describe("pastes", () => {
  const texts: [why: string, text: string, bytes: string][] = [
    ["several lines end as keys of Enter do", "one\ntwo\n", "one\rtwo\r"],
    ["a tab stays one", "a\tb", "a\tb"],
    ["every script", "漢字 é 😀", bytesOf("漢字 é 😀")],
  ];
  test.each(texts)("%s", async (_, text, bytes) => {
    await agent.call("phux_paste", { target: sink.pane, text });
    expect(await sink.taken()).toBe(bytes);
  });

  test("into a program that asked for brackets: one paste, whatever is in it", async () => {
    const bracketed = await Sink.open(agent, "bracketed", "\\033[?2004h");
    await agent.call("phux_paste", { target: bracketed.pane, text: "first\nsecond" });
    const taken = await bracketed.taken();
    expect(taken).toStartWith("\u001b[200~");
    expect(taken).toEndWith("\u001b[201~");
    // A text with the end mark in it must not end its paste early, and type the rest as keys.
    await agent.answer("phux_paste", { target: bracketed.pane, text: "safe\u001b[201~rm -rf x\n" });
    const hostile = await bracketed.taken();
    const inside = hostile.slice("\u001b[200~".length, hostile.lastIndexOf("\u001b[201~"));
    expect(inside).not.toContain("\u001b[201~");
  });

  test("several lines into a shell with bracketed paste run nothing until Enter", async () => {
    const bash = shells[1];
    if (bash === undefined) throw new Error("no bash");
    const pane = await agent.session("shell", commandOf(bash), PROMPT.trim());
    const mark = join(agent.folder, "ran");
    await agent.call("phux_paste", { target: pane, text: `echo one > '${mark}'\necho two >> '${mark}'` });
    await agent.call("phux_wait", { target: pane, idle_ms: 200, timeout_secs: 5 });
    expect(existsSync(mark)).toBe(false);
    await type(["Enter"], pane);
    await until(() => existsSync(mark) && readFileSync(mark, "utf8") === "one\ntwo\n", "both lines", 5_000 * SLACK);
  });

  test("several lines into an editor are text in its buffer", async () => {
    const editor = ["/usr/bin/nvim", "/usr/bin/vi"].find((path) => existsSync(path));
    if (editor === undefined) {
      if (process.env["PHUX_MCP_SKIP_NOTHING"] !== undefined) throw new Error("no editor is installed");
      return;
    }
    const file = join(agent.folder, "edited.txt");
    const { terminal_id } = await agent.call("phux_new", { name: "editor", command: [editor, "-u", "NONE", file] });
    const pane = `@${terminal_id}`;
    await agent.call("phux_wait", { target: pane, idle_ms: 400, timeout_secs: 10 });
    await type(["i"], pane);
    await agent.call("phux_paste", { target: pane, text: "def f():\n    return 1\n\nprint(f())" });
    await type(["Escape"], pane);
    await agent.call("phux_wait", { target: pane, idle_ms: 200, timeout_secs: 10 });
    // In one call the text before Enter would be a paste, which an editor takes for text (the guide says so).
    await type([":wq"], pane);
    await type(["Enter"], pane);
    await until(() => existsSync(file), "the saved file", 10_000 * SLACK);
    expect(readFileSync(file, "utf8")).toBe("def f():\n    return 1\n\nprint(f())\n");
  });
});

describe("the right pane, and no other", () => {
  test("eight panes, 200 calls at once: each gets its own, in order", async () => {
    const sinks = await Promise.all(Array.from({ length: 8 }, (_, at) => Sink.open(agent, `pane${at}`)));
    const expected = sinks.map(() => "");
    const calls = Array.from({ length: 200 }, (_, at) => {
      const to = (at * 5) % sinks.length;
      const text = `<${to}:${at}>`;
      expected[to] += text;
      return type([text], sinks[to]?.pane);
    });
    await Promise.all(calls);
    for (const [at, one] of sinks.entries()) expect(await one.taken()).toBe(expected[at] ?? "");
  });

  test("a selector that names two panes types into the one that has the focus, and says which", async () => {
    const { terminal_id } = await agent.call("phux_spawn", { target: sink.pane, command: ["/bin/cat"] });
    const sent = await agent.call("phux_send_keys", { target: "raw", keys: ["z"] });
    expect(["raw", `@${terminal_id}`, sink.pane]).toContain(String(sent["pane"]));
    expect(await sink.taken()).toBe(sent["pane"] === sink.pane ? "z" : "");
    await agent.call("phux_kill", { target: `@${terminal_id}`, confirm: true });
  });

  test("a pane that has gone, or a name that is nobody's: nothing is typed anywhere", async () => {
    for (const target of ["@9999", "nobody", "%nobody", "#nothing"]) {
      expect((await agent.answer("phux_send_keys", { target, keys: ["lost"] })).isError).toBe(true);
      expect((await agent.answer("phux_paste", { target, text: "lost" })).isError).toBe(true);
    }
    expect(await sink.taken()).toBe("");
  });
});
