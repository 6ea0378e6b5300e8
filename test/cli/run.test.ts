import { afterEach, describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { STDERR_CAP, STDOUT_CAP } from "../../src/cli/run.ts";
import { alive, outcomeOf, ownChildren, pidsIn, program, run, temporaryFolder, until } from "./children.ts";

const folder = realpathSync(temporaryFolder());
const openFiles = () => readdirSync("/proc/self/fd").length;

afterEach(async () => {
  await until(() => ownChildren().length === 0, 2_000, "no child is left, and no zombie");
});

describe("what a child gets", () => {
  test("its arguments, byte for byte", async () => {
    const args = [
      "",
      " ",
      "a b",
      "$(id)",
      "`id`",
      ";",
      "--",
      "-x",
      "'",
      '"',
      "\\",
      "a\nb",
      "\t",
      "%s",
      "*",
      "漢😀é",
      "\u0001",
    ];
    const path = program(folder, `printf '%s\\0' "$@"`);
    const { out, exitCode } = outcomeOf(await run(path, { args }));
    expect(out.split("\0").slice(0, -1)).toEqual(args);
    expect(exitCode).toBe(0);
  });

  test("a null stdin, a process group and a session of its own, and no other file of ours", async () => {
    const path = program(folder, `readlink /proc/$$/fd/0; cut -d' ' -f1,5,6 /proc/$$/stat; ls /proc/$$/fd`);
    const [stdin, numbers = "", ...files] = outcomeOf(await run(path)).out.split("\n");
    expect(stdin).toBe("/dev/null");
    expect(new Set(numbers.split(" ")).size).toBe(1);
    // 10 is the script itself, held open by its shell.
    expect(files.sort()).toEqual(["", "0", "1", "10", "2"]);
  });

  test("our environment untouched, or exactly the one that is given", async () => {
    const path = program(folder, "cat /proc/$$/environ");
    const { PATH } = process.env;
    const inherited = outcomeOf(await run(path))
      .out.split("\0")
      .slice(0, -1);
    expect(inherited).toContain(`PATH=${PATH}`);
    const given = { ODD: "a=b c\td", EMPTY: "" };
    const exact = outcomeOf(await run(path, { environment: given }))
      .out.split("\0")
      .slice(0, -1);
    expect(exact.sort()).toEqual(["EMPTY=", "ODD=a=b c\td"]);
  });

  test("our folder, or another", async () => {
    const path = program(folder, "pwd -P");
    expect(outcomeOf(await run(path)).out.trim()).toBe(realpathSync(process.cwd()));
    expect(outcomeOf(await run(path, { cwd: folder })).out.trim()).toBe(folder);
  });
});

describe("how it ends by itself", () => {
  const rows: [rule: string, body: string, outcome: object][] = [
    [
      "both pipes and the status",
      "echo out; echo err >&2; exit 3",
      { exitCode: 3, signal: null, out: "out\n", err: "err\n" },
    ],
    ["nothing at all", "exit 0", { exitCode: 0, signal: null, out: "", err: "" }],
    ["bytes that are no UTF-8", "printf '\\377\\000\\303'", { stdout: Buffer.from([0xff, 0, 0xc3]) }],
    ["closed pipes, then an end", "exec >&- 2>&-; sleep 0.05; exit 4", { exitCode: 4, out: "" }],
    ["by a signal", "echo before; kill -9 $$", { exitCode: null, signal: "SIGKILL", out: "before\n" }],
    ["by one that dumps core", "ulimit -c 0; kill -6 $$", { exitCode: null, signal: "SIGABRT" }],
    ["by one without a name", "kill -40 $$", { exitCode: null, signal: "40" }],
  ];
  test.each(rows)("%s", async (_, body, outcome) => {
    expect(outcomeOf(await run(program(folder, body)))).toMatchObject({ ended: "exited", ...outcome });
  });
});

describe("what cannot be started is one sentence", () => {
  const put = (name: string, content: string, mode: number) => {
    writeFileSync(join(folder, name), content, { mode });
    return join(folder, name);
  };
  mkdirSync(join(folder, "a-folder"));
  const rows: [rule: string, path: string, reason: RegExp][] = [
    ["missing", join(folder, "no-phux"), /no-phux could not be executed: there is no such file \(ENOENT\)/],
    ["no execute bit", put("no-bit", "#!/bin/sh\n", 0o644), /no-bit could not be executed: .*\(EACCES\)/],
    ["a folder", join(folder, "a-folder"), /\(EACCES\)/],
    ["rubbish with an execute bit", put("rubbish", "\x7fELF rubbish", 0o755), /\(ENOEXEC\)/],
    ["no interpreter", put("no-interpreter", "#!/no/such/sh\n", 0o755), /the interpreter .* does not exist/],
    ["a NUL in the path", "/bin/tr\0ue", /NUL/],
  ];
  test.each(rows)("%s", async (_, path, reason) => {
    const before = openFiles();
    const started = await run(path);
    expect(started).toMatchObject({
      ok: false,
      error: { code: "spawn_failed", message: expect.stringMatching(reason) },
    });
    expect(openFiles()).toBeLessThanOrEqual(before + 1);
  });

  test("a working folder that is gone", async () => {
    const started = await run("/bin/true", { cwd: "/no/such/folder" });
    expect(started.ok ? "" : started.error.message).toContain("its working folder /no/such/folder does not exist");
  });

  test.each([
    ["a\0b", /Argument 2 .* a NUL/],
    ["a\ud800b", /Argument 2 .* surrogate/],
  ])("the argument %j", async (argument, reason) => {
    const started = await run("/bin/true", { args: ["-x", argument] });
    expect(started.ok ? "" : started.error.message).toMatch(reason);
  });

  test("arguments beyond what the kernel takes", async () => {
    const started = await run("/bin/true", { args: ["x".repeat(3_000_000)] });
    expect(started.ok ? "" : started.error.message).toContain("(E2BIG)");
  });
});

describe("how much it may print", () => {
  const zeros = (count: number, pipe: 1 | 2) => `head -c ${count} /dev/zero >&${pipe}`;
  test("exactly both caps", async () => {
    const path = program(folder, `${zeros(STDERR_CAP, 2)}; ${zeros(STDOUT_CAP, 1)}`);
    const { ended, stdout, stderr, exitCode } = outcomeOf(await run(path));
    expect([ended, exitCode, stdout.length, stderr.length]).toEqual(["exited", 0, STDOUT_CAP, STDERR_CAP]);
  });

  const rows: [rule: string, body: string, ended: string[]][] = [
    ["one byte more on stdout", zeros(STDOUT_CAP + 1, 1), ["stdout_cap"]],
    ["one byte more on stderr", zeros(STDERR_CAP + 1, 2), ["stderr_cap"]],
    ["3 MB on both, one after the other", `${zeros(3e6, 2)}; ${zeros(3e6, 1)}`, ["stderr_cap"]],
    ["3 MB on both, side by side", `${zeros(3e6, 2)} & ${zeros(3e6, 1)}; wait`, ["stderr_cap", "stdout_cap"]],
    ["stdout for ever", "exec cat /dev/zero", ["stdout_cap"]],
    ["stderr for ever", "exec cat /dev/zero >&2", ["stderr_cap"]],
    ["for ever, by a grandchild", "cat /dev/zero & wait", ["stdout_cap"]],
  ];
  test.each(rows)("%s ends it", async (_, body, endings) => {
    const before = process.memoryUsage.rss();
    const { ended, stdout, stderr, durationMs } = outcomeOf(await run(program(folder, body)));
    expect(endings).toContain(ended);
    expect(stdout.length).toBeLessThanOrEqual(STDOUT_CAP);
    expect(stderr.length).toBeLessThanOrEqual(STDERR_CAP);
    expect(durationMs).toBeLessThan(5_000);
    expect(process.memoryUsage.rss() - before).toBeLessThan(32 * 1024 * 1024);
  });

  test("a grandchild that goes on printing after the end of its parent is over the cap too", async () => {
    const file = join(folder, "flood");
    const path = program(folder, `cat /dev/zero & echo $! > '${file}'; exit 0`);
    expect(outcomeOf(await run(path))).toMatchObject({ ended: "stdout_cap", exitCode: 0 });
    const [pid = 0] = await pidsIn(file, 1);
    await until(() => !alive(pid), 1_000, "it lost its pipe");
  });
});

test("200 runs in a row leave no open file", async () => {
  const path = program(folder, "echo '{}'");
  outcomeOf(await run(path));
  const before = openFiles();
  for (let n = 0; n < 200; n++) expect(outcomeOf(await run(path)).out).toBe("{}\n");
  await until(() => openFiles() <= before, 500, "files are closed");
  rmSync(path);
});
