/** `phux-mcp check` through the binary: programs named phux of every kind, settings, hostile paths, arguments. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { installPhux } from "../lab/phux/install.ts";
import { phuxVersion } from "../lab/phux/version.ts";
import { type Stage, stage } from "../lab/stage.ts";
import { binary } from "./binary.ts";
import { CheckRoom } from "./check-room.ts";
import { SLACK, until } from "./raw-host.ts";

setDefaultTimeout(30_000 * SLACK);

const room = new CheckRoom();
let lab: Stage;
beforeAll(async () => {
  lab = await stage();
});
afterAll(async () => {
  await lab.end();
  room.end();
});

describe("a phux that", () => {
  const at = () => ["--socket", lab.lab.socket];
  type Row = readonly [about: string, text: string, code: string | null, line: RegExp];
  const rows: readonly Row[] = [
    ["has no launcher", 'test "$1" = --version && echo phux 1.2.3', "no_launcher", /launcher {2}none/],
    [
      "says why",
      'test "$1" = --version && echo p && exit; echo no such verb >&2; exit 2',
      "no_launcher",
      /2: no such verb/,
    ],
    ["prints what it is given", "echo hello", "no_launcher", /it prints hello/],
    [
      "starts another phux-mcp",
      'test "$1" = mcp && echo phux-mcp 0.0.1 || echo p',
      "other_launcher",
      /phux-mcp 0\.0\.1/,
    ],
    ["fails", "exit 9", "phux_broken", /--version: exit code 9, without a word/],
    [
      "prints without end",
      "while :; do echo xxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done",
      "phux_broken",
      /more than a version/,
    ],
    ["dies", "kill -9 $$", "phux_broken", /ended by SIGKILL/],
  ];
  test.each(rows)("%s", async (_, text, code, line) => {
    const { page, codes } = await room.both(at(), { PATH: `${room.withPhux(text)}:/usr/bin:/bin` });
    expect(codes.filter((one) => one !== "features_missing")).toEqual(code === null ? [] : [code]);
    expect(page).toMatch(line);
  });

  test("is not there", async () => {
    const { page, codes, document } = await room.both(at(), { PATH: "/no/such" });
    expect(codes).toContain("no_phux");
    expect(page).toContain("phux      not found\n");
    expect(document).toMatchObject({ ok: false, phux: { path: null }, server: { protocol: "1.0.0" } });
  });

  test("hangs is ended, with all that it started", async () => {
    const pids = join(room.fresh(), "pids");
    const bin = room.withPhux(`sleep 300 & echo $! $$ >> '${pids}'; wait`);
    const { codes } = await room.both(at(), { PATH: `${bin}:/usr/bin:/bin` });
    expect(codes).toContain("phux_broken");
    const left = () =>
      readFileSync(pids, "utf8")
        .trim()
        .split(/\s+/)
        .filter((pid) => existsSync(`/proc/${pid}/exe`));
    await until(() => left().length === 0, "the end of phux and its child", 2_000 * SLACK);
  });

  test("is the lab's", async () => {
    const bin = await installPhux(join(room.fresh(), "bin"));
    const { page } = await room.both(at(), { PATH: `${bin}:/usr/bin:/bin` });
    expect(page).toContain(`phux      phux ${phuxVersion}, ${bin}/phux\n`);
  });
});

describe("what a host would see", () => {
  const at = () => ["--socket", lab.lab.socket];
  const listed = (env: Readonly<Record<string, string>>): unknown[] =>
    JSON.parse(Bun.spawnSync([binary, "--schema"], { env }).stdout.toString());

  const settings: Record<string, string>[] = [
    {},
    { PHUX_MCP_READ_ONLY: "1" },
    { PHUX_MCP_TOOLS: "mail,core" },
    { PHUX_MCP_MAX_RESULT_CHARS: "50000" },
  ];
  test.each(settings)("with %p is what tools/list gives", async (env) => {
    const tools = listed(env);
    const { document } = await room.both(at(), env);
    expect(document).toMatchObject({
      tools: { count: tools.length, of: 59, bytes: Buffer.byteLength(JSON.stringify(tools)) },
    });
  });

  test("is nothing with a setting that cannot be used", async () => {
    const { codes, page } = await room.both(at(), { PHUX_MCP_TOOLS: "no-such-set" });
    expect(codes[0]).toBe("tools_setting");
    expect(page).toContain('"no-such-set" is neither a tool nor a set');
  });
});

test("hostile paths break no line and steer no terminal", async () => {
  const evil = join(room.fresh(), "a\x1b[2J\nserver    answers");
  const { page, document } = await room.both([], { PHUX_SOCKET: evil, PATH: `/\x1b]0;x\x07:${room.whole}` });
  expect(page).not.toMatch(/[^\P{Cc}\n]/u);
  expect(page).not.toMatch(/^server {4}answers/m);
  expect(document).toMatchObject({ socket: { path: evil } });
});

describe("arguments", () => {
  const wrong = [
    ["x"],
    [""],
    ["--jsn"],
    ["--socket"],
    ["--socket="],
    ["--socket", ""],
    ["--json", "--json"],
    ["--help"],
  ];
  const twice = ["--socket", "/a", "--socket=/b"];
  test.each([...wrong, twice].map((args): [string, string[]] => [JSON.stringify(args), args]))(
    "%s are a usage error",
    async (_, args) => {
      const { code, out, err } = await room.check(args);
      expect([code, out]).toEqual([2, ""]);
      expect(err).toMatch(/^phux-mcp: .*--socket PATH and --json.*\n$/);
    },
  );

  test("--help names the mode, and a usage error elsewhere does too", () => {
    expect(Bun.spawnSync([binary, "--help"]).stdout.toString()).toContain("phux-mcp check");
    expect(Bun.spawnSync([binary, "--bogus"]).stderr.toString()).toContain("check");
  });
});
