import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installPhux } from "./install.ts";

let folder: string;
let phux: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "phux-install-"));
  phux = join(await installPhux(join(folder, "a 'quoted' $folder")), "phux");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (argv: readonly string[], cwd = folder) => Bun.spawnSync([phux, ...argv], { cwd, env: {} });

describe("arguments arrive as they are", () => {
  test.each([
    "a b",
    "",
    "-x",
    "--",
    "$(id)",
    "`id`",
    "*",
    "a\nb",
    "'",
    '"',
    "\\",
    "漢😀é",
    "\t",
    "%s",
    "x".repeat(9000),
  ])("%j", (argument) => {
    // An unknown verb is quoted back.
    expect(run([argument]).stderr.toString()).toContain(`there is no verb ${JSON.stringify(argument)}\n`);
  });
});

test("the folder it is started in changes nothing", () => {
  const trap = join(folder, "trap");
  mkdirSync(trap);
  writeFileSync(join(trap, "bunfig.toml"), 'preload = ["./trap.ts"]\n');
  writeFileSync(join(trap, "trap.ts"), 'console.log("trapped"); process.exit(9);\n');
  writeFileSync(join(trap, ".env"), "PHUX_SOCKET=/trap\n");
  expect(run(["--version"], trap)).toMatchObject({ exitCode: 0 });
  expect(run(["status"], trap).stderr.toString()).not.toContain("/trap");
});

test("capabilities name every verb, and the adapter once it stands beside", () => {
  const document = () => JSON.parse(run(["--capabilities", "--json"]).stdout.toString());
  expect(document()).toMatchObject({
    schema_version: 1,
    binary: { name: "phux", wire_protocol: "1.0.0" },
    commands: expect.arrayContaining(["phux new", "phux run", "phux status"]),
    mcp: { available: false, command: null },
  });
  const adapter = join(phux, "..", "phux-mcp");
  writeFileSync(adapter, "", { mode: 0o755 });
  expect(document().mcp).toMatchObject({ available: true, command: adapter });
  rmSync(adapter);
});

test.each([
  [["--version"], 0, /^phux \d+\.\d+\.\d+/],
  [["--help"], 0, /phux run /],
  [["run", "--help"], 0, /^Usage: phux run /],
])("%j", (argv, exit, stdout) => {
  const ran = run(argv);
  expect(ran.exitCode).toBe(exit);
  expect(ran.stdout.toString()).toMatch(stdout);
});
