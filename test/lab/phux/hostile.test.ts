/** Words that could be taken for something else: each arrives as it is, or is refused in words. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Verb } from "./verb.ts";
import { verbs } from "./verbs.ts";
import { errorOf, type Ran, until, Workbench } from "./workbench.ts";

setDefaultTimeout(60_000);

let bench: Workbench;
beforeAll(async () => {
  bench = await Workbench.open();
});
afterAll(() => bench.close());

const longest = "x".repeat(9_000);
/** Some verbs write the file that they are told: none of these may lead out of the bench's folder. */
const odd = ["", "-", "-\u001b[31m", "漢😀\u202e\n", "constructor", longest];

describe("whatever stands there, the answer is one", () => {
  /** Verbs that answer in time whatever they are told: a server runs on, and a capture takes its second. */
  const brief = verbs.filter(({ name }) => name !== "server" && name !== "perf trace");

  /** Each value as the word of the verb, and behind each of its options; the others are harmless. */
  function commandLines({ slots }: Verb, value: string): string[][] {
    const flags = slots.some(({ place }) => place.kind === "option" && place.names.includes("--json"))
      ? ["--json"]
      : [];
    const rooms = slots.filter(({ place }) => place.kind === "word");
    const options = slots.flatMap(({ place }) =>
      place.kind === "option" && place.arity !== "none" ? [place.names] : [],
    );
    return [
      [...flags, "--", ...rooms.map(() => value)],
      ...options.map((names) => [...flags, `${names.at(-1)}=${value}`, "--", ...rooms.map(() => "true")]),
    ];
  }

  function expectAnswer(argv: readonly string[], ran: Ran): void {
    const { exit, stdout, stderr } = ran;
    const told = { argv, exit, stderr: stderr.slice(0, 300) };
    expect([0, 1, 2, 3], JSON.stringify(told)).toContain(exit ?? -1);
    expect(stderr).not.toMatch(/defect|\n\s+at /);
    // Nothing steers the terminal of whoever reads it, and nothing is too long for the product to read.
    expect(stderr.replace(/[\n\t]/g, "")).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
    expect(Buffer.byteLength(stderr)).toBeLessThan(65_536);
    if (exit !== 0 && stdout === "") expect({ ...told, silent: stderr === "" }).toEqual({ ...told, silent: false });
    if (argv.includes("--json") && stdout !== "") expect(JSON.parse(stdout)).toBeObject();
    const error = errorOf(ran);
    if (error !== null) expect({ ...told, exit: error.exit }).toEqual(told);
  }

  test.each(brief.map((verb): [string, Verb] => [verb.name, verb]))("%s", async (name, verb) => {
    for (const value of odd) {
      const lines = commandLines(verb, value).map((rest) => [...name.split(" "), ...rest]);
      const ran = await Promise.all(lines.map((argv) => bench.phux(argv)));
      for (const [index, argv] of lines.entries())
        expectAnswer(argv, ran[index] ?? { exit: null, stdout: "", stderr: "" });
    }
  });
});

describe("what is given is what is meant", () => {
  test("a session, its folder, its variables and its program", async () => {
    const folder = join(bench.folder, "-漢 😀\n");
    mkdirSync(folder);
    const script = 'printf "<%s>" "$0" "$@" "$ODD"; pwd; exec sleep 60';
    const command = ["sh", "-c", script, "--json", "-x", "", "--", "a\nb", "'\"$(id)"];
    await bench.document(["new", "--session=-漢 😀", "--json", `--cwd=${folder}`, "--env=ODD=-é=\n", "--", ...command]);
    await until(async () => (await bench.phux(["snapshot", "--", "-漢 😀"])).stdout.includes("/-漢"));
    const { stdout } = await bench.phux(["snapshot", "--", "-漢 😀"]);
    expect(stdout).toStartWith("<--json><-x><><--><a\nb><'\"$(id)><-é=\n>");
    const { sessions } = await bench.document(["ls", "--json"]);
    expect(sessions).toContainEqual(expect.objectContaining({ name: "-漢 😀" }));
    expect(await bench.phux(["kill", "--", "-漢 😀"])).toEqual({ exit: 0, stdout: "", stderr: "" });
  });

  test("keys", async () => {
    await bench.document(["new", "-s", "keys", "--json", "--", "sh", "-c", "stty -echo; echo ready; exec cat"]);
    const shown = async () => (await bench.phux(["snapshot", "keys"])).stdout;
    await until(async () => (await shown()).includes("ready"));
    const typed = await bench.phux(["send-keys", "--", "keys", "--socket", "-l", "--", "漢😀", "'$(id)'", "Enter"]);
    expect(typed).toEqual({ exit: 0, stdout: "", stderr: "" });
    await until(async () => (await shown()).includes("--socket-l--漢😀'$(id)'\n"));
  });

  test("commands", async () => {
    await bench.document(["new", "--session=-shell", "--json", "--", "/bin/sh"]);
    await until(async () => (await bench.phux(["snapshot", "--", "-shell"])).stdout.includes("$"));
    const commands = ["echo --json -- -x", "printf '%s' '漢😀 é'", "echo \"$(printf '\\134') `echo b`\" '*'"];
    for (const command of commands) {
      const own = Bun.spawnSync(["sh", "-c", command]).stdout.toString().trimEnd();
      const document = await bench.document(["run", "--json", "--timeout", "10", "--", "-shell", command]);
      expect(document).toMatchObject({ command, exit_code: 0, output: own });
    }
  });

  test("files whose names begin with a dash", async () => {
    const traced = await bench.document(["perf", "trace", "--json", "--duration=1", "--output=-漢.json"]);
    expect(traced).toMatchObject({ path: join(bench.folder, "-漢.json") });
    expect(readFileSync(join(bench.folder, "-漢.json"), "utf8")).toStartWith("{");
    expect(await bench.phux(["archive", "save", "--output=-a.json"])).toMatchObject({ exit: 0 });
    expect(JSON.parse(readFileSync(join(bench.folder, "-a.json"), "utf8"))).toBeObject();
    const report = await bench.document(["doctor", "--json", "--socket=-s"]);
    expect(report["checks"]).toContainEqual(expect.objectContaining({ name: "socket-path", detail: "-s" }));
  });
});
