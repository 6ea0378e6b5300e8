import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describeShared, sharedJson } from "../../shared.ts";
import { errorOf, type Ran, until, Workbench } from "./workbench.ts";

/** One command line of the recorded 0.22, as far as it is compared. */
interface Recorded {
  readonly argv: readonly string[];
  readonly exit: number;
  readonly stdout: unknown;
  readonly stdout_kind: string;
  readonly stderr: { readonly kind: string; readonly code?: string; readonly exit_code?: number };
  readonly note?: string;
}

type Kinds = Pick<Recorded, "exit" | "stdout_kind" | "stderr">;

const ours = [
  ...["ls", "status", "new", "kill", "snapshot", "send-keys", "run", "nosuchverb"],
  ...["launch", "archive", "project", "agent", "ask"],
];

/** What 0.22 called by another name (the conventions in the file). */
const renamed: Readonly<Record<string, readonly string[]>> = {
  "workspace inspect": ["project", "inspect"],
  "workspace save": ["archive", "save"],
  "workspace restore": ["archive", "import"],
};

function asToday(argv: readonly string[]): readonly string[] {
  const name = renamed[argv.slice(0, 2).join(" ")];
  return name === undefined ? argv : [...name, ...argv.slice(2)];
}

/** Runs that say something about the way they were recorded, or need a verb that we do not have. */
const leftOut: Readonly<Record<number, string>> = {
  180: "the recorder between client and server kept the socket open",
  181: "as before",
  182: "as before",
  183: "0.22 crashes on these characters",
  184: "as before",
  187: "after an upgrade of the server",
};

/** Where we follow the contract and not 0.22: by the index of the run, what we do instead. */
const departures: Readonly<Record<number, [why: string, what: Partial<Kinds>]>> = {
  16: ["tools.md 11: a code", { stderr: { kind: "document", code: "session_exists", exit_code: 1 } }],
  21: ["tools.md 11: a code", { stderr: { kind: "document", code: "session_create_failed", exit_code: 1 } }],
  28: ["tools.md 11: a code", { exit: 2, stderr: { kind: "document", code: "invalid_selector", exit_code: 2 } }],
  35: ["tools.md 11: a code", { exit: 2, stderr: { kind: "document", code: "invalid_selector", exit_code: 2 } }],
  132: ["tools.md 11: a code", { stderr: { kind: "document", code: "no_such_target", exit_code: 1 } }],
  152: ["tools.md 11: a code", { exit: 2, stderr: { kind: "document", code: "unknown_integration", exit_code: 2 } }],
};

/** Members that documents have got since. */
const sinceThen = ["features", "keep_empty", "empty", "resources", "hosts", "hosts_complete", "agent_session"];
/** What the capabilities of 0.22 tell of things that the lab has not, or that depend on where it is installed; and what a check hints at. */
const notCompared =
  /\.(mcp\.(launcher|schema_note|command)|skill|json_contracts\[\d+\]\.(schema_version|note)|checks\[\d+\]\.hint)$/;

let bench: Workbench;
let runs: readonly Recorded[] = [];

describeShared("the recorded command lines", () => {
  beforeAll(async () => {
    // A process of ours starts too slowly to hit the 22 ms in which a killed pane is still there.
    bench = await Workbench.open({ version: "0.8", killWindowMs: 500 });
    const file = sharedJson("vectors/recorded-cli.json");
    // The shape is the contract's own (conventions in the file), and a wrong member fails its comparison.
    const recorded = (file as { readonly runs: readonly Recorded[] }).runs;
    runs = recorded.map((run) => ({ ...run, argv: asToday(run.argv) }));
  });
  afterAll(() => bench.close());

  test("of the verbs we have, one after another", async () => {
    const compared: [index: number, argv: string, kinds: Kinds][] = [];
    const expected: typeof compared = [];
    for (const [index, run] of runs.entries()) {
      const [first = ""] = run.argv;
      if (!(first.startsWith("-") || ours.includes(first)) || index in leftOut) continue;
      await prepare(index);
      const ran = await play(run, index);
      const argv = run.argv.join(" ");
      expected.push([index, argv, { ...kindsOf(run), ...departures[index]?.[1] }]);
      compared.push([index, argv, observed(ran)]);
      if (run.stdout_kind === "document") expectShape(JSON.parse(ran.stdout), run.stdout, argv);
    }
    expect(compared).toEqual(expected);
    expect(compared.length).toBeGreaterThan(60);
  }, 60_000);
});

function kindsOf({ exit, stdout_kind, stderr }: Recorded): Kinds {
  const { begins: _, ...kind } = { begins: "", ...stderr };
  return { exit, stdout_kind, stderr: kind };
}

function observed(ran: Ran): Kinds {
  const error = errorOf(ran);
  const isUsage = ran.exit === 2 && ran.stderr.startsWith("error: ");
  const plain = ran.stderr === "" ? "empty" : isUsage ? "usage" : "plain";
  return {
    exit: ran.exit ?? -1,
    stdout_kind: ran.stdout === "" ? "empty" : isDocument(ran.stdout) ? "document" : "text",
    stderr:
      error === null ? { kind: plain } : { kind: "document", code: String(error.code), exit_code: Number(error.exit) },
  };
}

function isDocument(text: string): boolean {
  try {
    return typeof JSON.parse(text) === "object";
  } catch {
    return false;
  }
}

/** The same members of the same types, all the way down; one more only where it has come since. */
function expectShape(document: unknown, recorded: unknown, at: string): void {
  expect([at, typeOf(document)]).toEqual([at, typeOf(recorded)]);
  if (Array.isArray(document) && Array.isArray(recorded)) {
    // Every row of ours is like the first of theirs.
    const [like] = recorded;
    if (like !== undefined) for (const [row, member] of document.entries()) expectShape(member, like, `${at}[${row}]`);
    return;
  }
  if (!isRecord(document) || !isRecord(recorded)) return;
  for (const [name, member] of Object.entries(recorded)) {
    const place = `${at}.${name}`;
    if (!notCompared.test(place)) expectShape(document[name], member, place);
  }
  const more = Object.keys(document).filter((name) => !(name in recorded) && !sinceThen.includes(name));
  expect([at, more]).toEqual([at, []]);
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function typeOf(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
}

/** The lab of the recording was in another folder, and two runs had another environment. */
function play(run: Recorded, index: number): Promise<Ran> {
  const argv = run.argv.map((word) => word.replaceAll("/srv/lab", bench.folder));
  // Their default place, where nobody listens: ours is a folder of the bench (design.md section 5 for the empty one).
  const env = index === 9 || index === 10 ? { PHUX_SOCKET: "" } : {};
  return bench.phux(argv, { env });
}

/** What happened in between by verbs that we do not have, and what a run has to wait for. */
async function prepare(index: number): Promise<void> {
  const { server } = bench.lab;
  if (index === 23) await until(async () => (await bench.phux(["snapshot", "cli"])).stdout.includes("$"));
  if (index === 46) await settled("cli");
  if (index === 51) await settled("cli");
  if (index === 154) makeRepository(join(bench.folder, "repo"));
  if (index === 155) mkdirSync(join(bench.folder, "home"));
  if (index === 158) writeFileSync(join(bench.folder, "arch2.json"), '{"schema_version":2,"sessions":[{"name":""}]}');
  if (index === 160) writeFileSync(join(bench.folder, "badarch.json"), "{");
  if (index === 170) {
    // The spawns 66, 71 and 80, the tag 92; and the session that gave its name away in 109.
    for (const name of ["three", "four", "five"]) await bench.document(["new", "-s", name, "--json", "--", "/bin/cat"]);
    const [, cli] = server.panes.values();
    if (cli) server.writeMetadata({ tag: "resource", id: cli.resource }, "phux.tags/v1", Buffer.from('["build"]'));
    const session = server.store.sessionNamed("cli");
    if (session) session.name = "";
  }
  if (index === 172) await until(() => !server.panes.has(4));
}

function makeRepository(folder: string): void {
  const author = ["-c", "user.name=lab", "-c", "user.email=lab@localhost"];
  for (const args of [
    ["init", "-q", "-b", "master", folder],
    ["-C", folder, ...author, "commit", "-q", "--allow-empty", "-m", "one"],
  ]) {
    expect(Bun.spawnSync(["git", ...args]).success).toBe(true);
  }
}

/** A prompt alone on its line: whatever was typed before has been read. */
function settled(session: string): Promise<void> {
  return until(async () => (await bench.phux(["snapshot", session])).stdout.trimEnd().endsWith("\n$"));
}
