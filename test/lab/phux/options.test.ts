/** The option tables of our verbs, held against those of the recorded 0.22 and against what the tools type. */
import { beforeAll, describe, expect, test } from "bun:test";
import { catalog } from "../../../src/tools/catalog.ts";
import { describeShared, sharedJson } from "../../shared.ts";
import { verbs } from "./verbs.ts";

interface RecordedVerb {
  readonly flags: readonly { readonly names: readonly string[]; readonly value: "none" | "one" | "optional" }[];
  readonly positionals: readonly string[];
}

/** Names of 0.22, where a verb has another one since (tools.md 14). */
const formerly: Readonly<Record<string, string>> = {
  "archive save": "workspace save",
  "archive import": "workspace restore",
  "project inspect": "workspace inspect",
};

/** Options of 0.22 that we do not have, by verb, with the reason. */
const leftOut: Readonly<Record<string, readonly [why: string, ...names: string[]]>> = {
  "agent explain": ["no tool types it", "--format"],
  launch: ["no tool types it", "--print"],
  "project inspect": ["it asks no server (tools.md 14)", "--socket"],
  server: [
    "the lab listens at one socket",
    "--listen",
    "--quic",
    "--webtransport",
    "--connect",
    "--hub",
    "--exit-after-idle",
  ],
  snapshot: ["they became --format", "--rendered", "--cols", "--rows"],
};

/** Options that came since, by verb. */
const added: Readonly<Record<string, readonly string[]>> = {
  "agent wait": ["--any"],
  "archive save": ["--projection"],
  launch: ["--projection"],
  new: ["--idempotency-key"],
  run: ["--force"],
  server: ["--protocol"],
  snapshot: ["--format"],
};

/** Words that are written in another way. */
const words: Readonly<Record<string, readonly string[]>> = { kill: ["[TARGET]"] };

const options = verbs.map((verb) => ({
  name: verb.name,
  options: verb.slots.flatMap(({ place }) => (place.kind === "option" ? [place] : [])),
  words: verb.slots.flatMap(({ place, label }) => (place.kind === "word" ? [label] : [])),
}));

describeShared("as in 0.22", () => {
  let recorded: Readonly<Record<string, RecordedVerb>>;
  beforeAll(() => {
    // The shape is the contract's own.
    const file = sharedJson("vectors/recorded-cli.json") as { readonly flags: typeof recorded };
    recorded = file.flags;
  });

  test.each(options)("$name", ({ name, options, words: labels }) => {
    const former = recorded[formerly[name] ?? name];
    if (former === undefined) return;
    const ours = options.map(({ names, arity }) => `${names.join(" ")}: ${arity === "many" ? "one" : arity}`);
    const theirs = former.flags.map(({ names, value }) => `${names.join(" ")}: ${value}`);
    const nameOf = (row: string) => row.split(":")[0]?.split(" ").at(-1) ?? "";
    const missing = theirs.filter((row) => !ours.includes(row)).map(nameOf);
    const more = ours.filter((row) => !theirs.includes(row)).map(nameOf);
    const [, ...reasonable] = leftOut[name] ?? [""];
    expect(missing.filter((option) => !reasonable.includes(option))).toEqual([]);
    expect(more.filter((option) => !added[name]?.includes(option))).toEqual([]);
    expect(labels).toEqual([...(words[name] ?? former.positionals)]);
  });
});

describe("everything that a tool types is understood", () => {
  const key = "00112233445566778899aabbccddeeff";
  const socket = "/s";
  const expecting = { expect_agent: "a", expect_kind: "claude" };
  const calls: readonly [tool: string, ...calls: object[]][] = [
    ["phux_run", { target: "@1", command: "-x" }, { target: "-t", command: "a", timeout_secs: 1, force: true, socket }],
    ["phux_new", { name: "-n" }, { name: "n", cwd: "-c", command: ["-a", "--"], idempotency_key: key, socket }],
    [
      "phux_launch",
      { list: true },
      {
        integration: "i",
        target: "@1",
        split: "vertical",
        ratio: 0.3,
        projection: "p.layout/v1/1",
        cwd: "-c",
        extra: ["--", "-x"],
        socket,
      },
    ],
    [
      "phux_archive",
      { action: "save" },
      { action: "save", output: "-o", projection: "p", socket },
      { action: "import", path: "p", socket },
    ],
    ["phux_project_inspect", {}, { path: "p" }],
    ["phux_agent_list", {}, { socket }],
    ["phux_agent_show", {}, { target: "-t", socket }],
    ["phux_agent_explain", {}, { target: "-t", socket }],
    ["phux_agent_wait", {}, { any: true }, { target: "-t", until: ["idle", "blocked"], timeout_secs: 1, socket }],
    ["phux_agent_send_keys", { target: "-t", keys: ["-k", "--"], ...expecting, socket }],
    [
      "phux_agent_prompt",
      { target: "-t", text: "-x" },
      { target: "t", text: "--", until: ["idle"], timeout_secs: 1, ...expecting, socket },
    ],
    [
      "phux_agent_answer",
      { target: "-t", id: "-i", choice: 1 },
      { target: "t", id: "i", text: "-x", allow_unlisted: true, socket },
    ],
    [
      "phux_agent_start",
      { name: "n", kind: "claude", target: "@1" },
      {
        name: "n",
        kind: "-k",
        target: "-t",
        integration: "-i",
        timeout_secs: 1,
        force: true,
        args: ["--", "-x"],
        socket,
      },
    ],
    [
      "phux_agent_session_open",
      { target: "-t", provider: "p" },
      { target: "t", provider: "-p", native_id: "n", socket },
    ],
    ["phux_agent_session_close", { target: "-t" }, { target: "t", socket }],
    ["phux_agent_emit", { target: "-t", type: "stop" }, { target: "t", type: "tool_start", data: { a: "-x" }, socket }],
    ["phux_agent_log", { target: "-t" }, { target: "t", tail: 3, socket }],
    ["phux_status", {}, { socket: "-s" }],
    ["phux_doctor", {}, { socket: "-s" }],
    ["phux_whoami", {}, { socket: "-s" }],
    ["phux_perf", {}, { desktop: true, socket: "-s" }],
    ["phux_perf_trace", {}, { duration_secs: 9, output: "-o", desktop: true, socket: "-s" }],
  ];

  test("there is a row for each of them", () => {
    const names = catalog.filter(({ runs }) => runs === "cli").map(({ name }) => name);
    expect(calls.map(([name]) => name).sort()).toEqual([...names].sort());
  });

  test.each(calls)("%s", (name, ...given) => {
    for (const one of given) {
      const prepared = catalog.find((tool) => tool.name === name)?.prepare({ ...one });
      if (prepared?.ok !== true || prepared.value.runs !== "cli")
        throw new Error(`${name}: ${JSON.stringify(prepared)}`);
      const { argv } = prepared.value;
      const fits = verbs.filter((verb) => argv.join(" ").startsWith(`${verb.name} `) || argv.join(" ") === verb.name);
      const verb = fits.sort((a, b) => b.name.length - a.name.length)[0];
      expect([argv, verb?.start(argv.slice(verb.name.split(" ").length)).ok]).toEqual([argv, true]);
    }
  });
});
