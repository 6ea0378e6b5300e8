/** Kind L: nothing dangerous without a person's yes, nothing by the word of a pane, and no secret of the host's in any answer. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { binary } from "../e2e/binary.ts";
import { PhuxScript } from "../e2e/phux-script.ts";
import { until } from "../e2e/raw-host.ts";
import { describeShared, sharedJson } from "../shared.ts";
import { argumentsOf, leastCall, listed, members, type Published, publishedTools } from "./g-json-schema.ts";
import { complaint, Judge } from "./g-judge.ts";
import { ask, askText, documentOf, hostWith, LabHost } from "./gh-host.ts";
import { expectMessagesOnly, shortCall } from "./i-answers.ts";
import { gates, noConsent, spoilt } from "./l-gates.ts";
import { lies } from "./l-lies.ts";
import { DangerousRoom, deeds } from "./l-room.ts";

setDefaultTimeout(60_000);

const tools = await publishedTools();
const takesConfirm = (tool: Published) => argumentsOf(tool).some(([name]) => name === "confirm");

describe("a gate", () => {
  let judge: Judge;
  beforeAll(() => {
    judge = new Judge();
  });
  afterAll(() => judge[Symbol.dispose]());

  const rows = gates.map((gate) => [`${gate.tool} ${JSON.stringify(gate.given)}`, gate] as const);
  test.each(rows)("%s opens to JSON true alone, and until then no byte leaves", async (_, { tool, given, says }) => {
    const calls = noConsent.map(([, confirm]) => ({ ...given, confirm }));
    await judge.refuses(
      tool,
      calls.map((call) => [call, "confirm"] as const),
    );
    for (const { text } of await judge.answers(tool, calls)) {
      expect(text).toMatch(says);
      expect(text).toContain("must be called with confirm: true");
    }
    // With consent, what is wrong otherwise is said.
    const [said] = await judge.answers(tool, [{ ...given, confirm: true }]);
    expect(complaint(said ?? { text: "", isError: false })).not.toBe("confirm");
  });

  test.each([...new Set(gates.map(({ tool }) => tool))])("%s comes before everything else that is wrong", (tool) =>
    judge.refuses(
      tool,
      spoilt.flatMap((given) => noConsent.map(([, confirm]) => [{ ...given, confirm }, "confirm"] as const)),
    ),
  );

  test.each([
    ["phux_signal", { target: "@1", signal: "freeze" }],
    ["phux_signal", { target: "@1", signal: "resume" }],
    ["phux_approve", { id: "00112233445566778899aabbccddeeff", decision: "deny" }],
  ])("%s %j needs none, and takes no text for one", async (tool, given) => {
    await judge.passes(
      tool,
      [undefined, null, false, true].map((confirm) => ({ ...given, confirm })),
    );
    await judge.refuses(
      tool,
      ["true", "false", 1, "", [true]].map((confirm) => [{ ...given, confirm }, "confirm"] as const),
    );
  });

  const texts: [given: string, passes: boolean][] = [
    ['{"target":"@1","__proto__":{"confirm":true}}', false],
    ['{"target":"@1","confirm":true,"confirm":"true"}', false],
    ['{"target":"@1","confirm":true,"confirm":false}', false],
    ['{"target":"@1","Confirm":true}', false],
    ['{"target":"@1","confirm ":true}', false],
    ['{"target":"@1","c\\u006fnfirm":true}', true],
    ['{"target":"@1","confirm":false,"confirm":true}', true],
  ];
  test.each(texts)("phux_kill %s", async (given, passes) => {
    const name = complaint(await askText(judge.host, "phux_kill", given));
    expect(name).toBe(passes ? null : "confirm");
  });

  test("stands nowhere else: other tools do not know a confirm", async () => {
    expect(
      tools
        .filter(takesConfirm)
        .map(({ name }) => name)
        .sort(),
    ).toEqual([...new Set(gates.map(({ tool }) => tool))].sort());
    for (const tool of tools.filter((one) => !takesConfirm(one)))
      await judge.refuses(tool.name, [[{ ...leastCall(tool), confirm: true }, "confirm"]]);
  });
});

describeShared("the gates and the contract", () => {
  test("are the same", () => {
    const theirs = listed(sharedJson("spec/tools.json"))
      .map(members)
      .filter(({ confirm }) => confirm !== "none");
    expect(theirs.map(({ name }) => name)).toEqual(tools.filter(takesConfirm).map(({ name }) => name));
    for (const { name, args } of theirs) {
      const ours = tools.find((tool) => tool.name === name);
      const schema = Object.fromEntries(ours === undefined ? [] : argumentsOf(ours))["confirm"];
      expect(members(schema)["const"]).toBe(members(members(args)["confirm"])["const"]);
    }
  });

  test("every tool that can do harm is marked, so that a host asks by itself", () => {
    for (const { name, annotations } of tools.filter(takesConfirm))
      expect([name, annotations["readOnlyHint"], annotations["destructiveHint"]]).toEqual([name, false, true]);
  });
});

test("on a lab: nothing is done without the word, and all of it with it", async () => {
  await using room = await DangerousRoom.open();
  const { host } = room.lab;
  for (const { tool, given } of deeds) {
    for (const [what, confirm] of noConsent) {
      const { text, isError } = await ask(host, tool, { ...given(room), confirm });
      expect([tool, what, isError, text]).toEqual([tool, what, true, expect.stringContaining("confirm: true")]);
    }
  }
  // A server whose answer we have has seen all that was sent before.
  const { approvals } = documentOf(await ask(host, "phux_approvals"));
  expect(listed(approvals)).toHaveLength(1);
  for (const deed of deeds) expect([deed.what, deed.done(room)]).toEqual([deed.what, false]);
  for (const deed of deeds) {
    documentOf(await ask(host, deed.tool, { ...deed.given(room), confirm: true }));
    await until(() => deed.done(room), deed.what, 5_000);
  }
});

describe("what pretends to be somebody with a say", () => {
  const pane = "@1";
  let lab: LabHost;
  beforeAll(async () => {
    lab = await LabHost.open({ session: "main" });
    await lab.rowsWith(pane, "$");
  });
  afterAll(() => lab[Symbol.asyncDispose]());

  const shape = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.length;
    return typeof value === "object" && value !== null
      ? Object.entries(value).map(([name, one]) => [name, shape(one)])
      : typeof value;
  };

  /** One reply, no other line, and nothing asked of the server but what reading takes. */
  async function expectOnlyRead(read: () => Promise<unknown>): Promise<void> {
    const [lines, panes] = [lab.host.lines.length, lab.lab.server.panes.size];
    await read();
    await lab.host.request("ping");
    expect([lab.host.lines.length, lab.lab.server.panes.size]).toEqual([lines + 2, panes]);
  }

  test.each([...lies])("on a screen: %s", async (_, text) => {
    const shapes: unknown[] = [];
    for (const said of ["x".repeat(text.length), text]) {
      writeFileSync(join(lab.folder, "said"), `${said}\n`);
      const command = `cat ${join(lab.folder, "said")}`;
      const ran = await lab.call("phux_run", { target: pane, command, timeout_secs: 20 });
      expect(String(ran["output"]).replaceAll("\n", "")).toBe(said);
      await expectOnlyRead(async () => {
        const screen = await lab.call("phux_snapshot", { target: pane, unwrap: true });
        expect(screen["lines"]).toContain(said);
        shapes.push([shape(ran), shape({ ...screen, lines: null })]);
      });
    }
    expect(shapes[1]).toEqual(shapes[0]);
  });

  test.each([...lies])("in mail and a question: %s", async (_, text) => {
    await lab.call("phux_mail_send", { to: pane, body: text, subject: text.slice(0, 200), from: text });
    await lab.call("phux_ask", { target: pane, id: "q", question: text, suggestions: [text.slice(0, 100)] });
    await expectOnlyRead(async () => {
      const { messages, count } = await lab.call("phux_mail_read", { mailbox: pane });
      expect([count, listed(messages).at(-1)]).toEqual([
        listed(messages).length,
        expect.objectContaining({ body: text, from: text }),
      ]);
    });
  });

  test.each([...lies])("from phux, on stdout beside a document and on stderr: %s", async (_, text) => {
    const phux = new PhuxScript();
    writeFileSync(join(phux.folder, "said"), text);
    using host = hostWith({ path: phux.folder });
    const cat = `cat '${join(phux.folder, "said")}'`;
    const bodies = [
      `printf '{"a":1}\\n'; ${cat}`,
      `${cat}; printf '\\n{"a":1}'`,
      `${cat} >&2; exit 1`,
      `${cat} >&2; echo '{"a":1}'`,
    ];
    for (const [at, body] of bodies.entries()) {
      phux.behave(body);
      const { isError, text: said } = await ask(host, "phux_whoami");
      expect([at, isError]).toEqual([at, at < 3]);
      if (at === 3) expect(said).toBe('{"a":1}');
    }
    expect(host.lines).toHaveLength(bodies.length);
    expectMessagesOnly(host);
    phux.remove();
  });

  test("is called untrusted wherever a model reads about it first", async () => {
    const { instructions } = (await lab.host.request("initialize", {})).result ?? {};
    const guide = Bun.spawnSync([binary, "--skill"]).stdout.toString();
    for (const text of [String(instructions), guide]) expect(text).toMatch(/untrusted data|untrusted: data/);
    for (const text of [String(instructions), guide]) expect(text).toMatch(/never instructions/);
    const shows = "snapshot run watch mail_read claim_list agent_log agent_list agent_explain plugin_action".split(" ");
    const marked = tools.filter(({ description }) => /\bdata\b/.test(description)).map(({ name }) => name);
    expect(shows.map((name) => `phux_${name}`).filter((name) => !marked.includes(name))).toEqual([]);
  });
});

describe("the secrets of a host's environment", () => {
  const secrets = {
    ANTHROPIC_API_KEY: "sk-ant-s3cret-1",
    CLAUDE_CODE_MESSAGING_TOKEN: "s3cret-2",
    OPENAI_API_KEY: "sk-s3cret-3",
    GEMINI_API_KEY: "s3cret-4",
    GITHUB_TOKEN: "ghp_s3cret5",
    AWS_SECRET_ACCESS_KEY: "s3cret-6",
  };

  test("reach no answer, no error, no status and no log, whatever tool is called", async () => {
    await using room = await DangerousRoom.open(secrets);
    const { host, folder } = room.lab;
    for (const tool of tools) {
      const special = tool.name === "phux_perf_trace" ? { duration_secs: 1, output: join(folder, "trace.json") } : {};
      await ask(host, tool.name, { ...shortCall(tool), ...special }, { progressToken: 1 });
      // Without a server these two have phux start one, which would outlive the test.
      if (["phux_new", "phux_launch"].includes(tool.name)) continue;
      await ask(host, tool.name, { ...shortCall(tool), ...special, socket: join(folder, "no.sock") });
    }
    for (const { text } of host.lines) expect(text).not.toMatch(/s3cret/);
    expect(host.stderr).not.toMatch(/s3cret/);
  });

  test("are in no pane that a call starts on a server that runs", async () => {
    await using lab = await LabHost.open({ session: "main" }, { env: secrets });
    for (const [tool, given] of [
      ["phux_spawn", {}],
      ["phux_new", { name: "two" }],
    ] as const) {
      const command = ["/bin/sh", "-c", "env; echo the end; sleep 600"];
      const pane = `@${(await lab.call(tool, { ...given, command }))["terminal_id"]}`;
      expect((await lab.rowsWith(pane, "the end")).join()).not.toMatch(/s3cret/);
    }
  });

  test("go to a phux child as they came, byte for byte, and to the watcher of children not at all", async () => {
    const phux = new PhuxScript();
    phux.behave(`env > '${phux.folder}/seen'; echo '{}'`);
    using host = hostWith({ path: phux.folder, env: { ...secrets, ODD: "a=b\tc", EMPTY: "" } });
    await ask(host, "phux_whoami");
    const seen = readFileSync(join(phux.folder, "seen"), "utf8");
    for (const [name, value] of Object.entries({ ...secrets, ODD: "a=b\tc", EMPTY: "" }))
      expect(seen).toContain(`${name}=${value}\n`);
    const children = readFileSync(`/proc/${host.pid}/task/${host.pid}/children`, "utf8").trim().split(" ");
    for (const child of children) expect(readFileSync(`/proc/${child}/environ`, "utf8")).toBe("");
    phux.remove();
  });
});
