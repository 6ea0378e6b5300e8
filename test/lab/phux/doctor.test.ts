import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { LabOptions } from "../options.ts";
import type { Check } from "./check.ts";
import { type Circumstances, type Ran, Workbench } from "./workbench.ts";

setDefaultTimeout(30_000);

let bench: Workbench;
beforeAll(async () => {
  bench = await Workbench.open();
});
afterAll(() => bench.close());

interface Report {
  readonly ok: boolean;
  readonly failed: number;
  readonly checks: readonly Check[];
}

const NAMES = "config instance socket-path server server-health plugins agent-shim remote-cert logs".split(" ");

/** A report's document, of which the sums and the shape are right whatever it says. */
function reportOf(ran: Ran): Report {
  const report: Report & { readonly schema_version: number } = JSON.parse(ran.stdout);
  const failed = report.checks.filter(({ status }) => status === "fail").length;
  expect(report).toMatchObject({ schema_version: 1, ok: failed === 0, failed });
  expect(ran).toMatchObject({ exit: failed === 0 ? 0 : 1, stderr: "" });
  expect([...new Set(report.checks.map(({ name }) => name))]).toEqual(NAMES);
  for (const { status, detail, hint } of report.checks) {
    expect(detail).not.toBe("");
    expect(hint === null).toBe(status === "pass");
  }
  return report;
}

async function examined(argv: readonly string[] = [], circumstances: Circumstances = {}): Promise<Report> {
  return reportOf(await bench.phux(["doctor", "--json", ...argv], circumstances));
}

const rows = ({ checks }: Report, name: string) => checks.filter((check) => check.name === name);
const statuses = (report: Report, name: string) => rows(report, name).map(({ status }) => status);

/** A report about a server of its own. */
async function examine(options: Partial<LabOptions>, prepare?: (own: Workbench) => void): Promise<Report> {
  const own = await Workbench.open(options);
  prepare?.(own);
  return reportOf(await own.phux(["doctor", "--json"]).finally(() => own.close()));
}

describe("the server", () => {
  test("that runs has nothing but passes", async () => {
    const report = await examined();
    expect(rows(report, "socket-path")).toEqual([
      { name: "socket-path", status: "pass", detail: bench.lab.socket, hint: null },
    ]);
    expect([statuses(report, "server"), statuses(report, "server-health")]).toEqual([["pass"], ["pass"]]);
  });

  test("that does not run is a warning", async () => {
    const report = await examined(["--socket", join(bench.folder, "none.sock")]);
    expect([report.ok, statuses(report, "server")]).toEqual([true, ["warn"]]);
  });

  test("has a health row for each condition", async () => {
    const gone = { unreachable: "no route" };
    const report = await examine({ version: "0.9", satellites: { east: gone, west: gone } });
    expect(statuses(report, "server-health")).toEqual(["warn", "warn", "warn"]);
    const details = rows(report, "server-health").map(({ detail }) => detail);
    for (const [index, said] of ["0.9.0", "east", "west"].entries()) expect(details[index]).toContain(said);
  });

  test("that refuses to tell its state fails, and so does one that others may open", async () => {
    const refuse = { GET_STATE: { code: 500, message: "out of order" } };
    const report = await examine({ faults: { refuse } }, ({ folder, lab }) => {
      chmodSync(folder, 0o755);
      chmodSync(lab.socket, 0o666);
    });
    expect(report.failed).toBe(2);
    const details = rows(report, "server-health").map(({ detail }) => detail);
    expect(details[0]).toContain("0666");
    expect(details[1]).toContain("out of order");
  });

  test("that is slow gets a warning", async () => {
    const report = await examine({ faults: { lateMs: { GET_STATE: 1_100 } } });
    expect(statuses(report, "server-health")).toEqual(["warn"]);
  });

  test("of another version fails", async () => {
    const report = await examine({ faults: { claimVersion: { major: 7, minor: 0, patch: 0 } } });
    expect([report.failed, statuses(report, "server")]).toEqual([1, ["fail"]]);
  });
});

describe("a path that cannot be used fails", () => {
  test.each([
    ["because it is too long", () => `/${"x".repeat(200)}`],
    ["because a file is there", () => join(bench.folder, "file")],
    ["because a folder is there", () => bench.folder],
  ])("%s", async (_, path) => {
    writeFileSync(join(bench.folder, "file"), "");
    const report = await examined(["--socket", path()]);
    expect([report.failed, statuses(report, "socket-path"), statuses(report, "server")]).toEqual([
      1,
      ["fail"],
      ["warn"],
    ]);
  });

  test("and an empty one is not even looked at", async () => {
    expect(await bench.phux(["doctor", "--json", "--socket", ""])).toMatchObject({ exit: 2, stdout: "" });
  });
});

describe("the machine", () => {
  /** A home of its own, with these files. */
  function home(name: string, files: Readonly<Record<string, string>>): Circumstances {
    const folder = join(bench.folder, name);
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(folder, path, ".."), { recursive: true });
      writeFileSync(join(folder, path), text, { mode: 0o755 });
    }
    return { env: { HOME: folder, XDG_CONFIG_HOME: folder, XDG_STATE_HOME: join(folder, "state") } };
  }

  const plugin = (id: string) => `[[plugins]]\nmanifest = "${id}"\n`;
  const manifest = (id: string) => `id = "${id}"\nname = "${id}"\n`;

  test.each<[string, Record<string, string>, string, Check["status"][]]>([
    ["no configuration", {}, "config", ["pass"]],
    ["a good one", { "phux/config.toml": "" }, "config", ["pass"]],
    ["a broken one", { "phux/config.toml": "[[" }, "config", ["fail"]],
    [
      "a good plugin",
      { "phux/config.toml": plugin("a"), "phux/a/phux-plugin.toml": manifest("a") },
      "plugins",
      ["pass"],
    ],
    ["two broken plugins", { "phux/config.toml": plugin("a") + plugin("b") }, "plugins", ["fail", "fail"]],
    ["a file in place of the logs", { "state/phux": "" }, "logs", ["fail"]],
    ["logs", { "state/phux/server.log": "x" }, "logs", ["pass"]],
    ["a certificate that is none", { "phux/remote-cert.pem": "x" }, "remote-cert", ["fail"]],
    ["no certificate", {}, "remote-cert", ["warn"]],
  ])("%s", async (name, files, check, expected) => {
    const report = await examined([], home(name.replaceAll(" ", "-"), files));
    expect(statuses(report, check)).toEqual(expected);
  });

  test("a script in front of an agent that is not there", async () => {
    const { env } = home("shim", { "bin/claude": "#!/bin/sh\nexec phux agent hook\n" });
    const shim = join(bench.folder, "shim", "bin");
    const alone = await examined([], { env: { ...env, PATH: `${bench.bin}:${shim}` } });
    expect(statuses(alone, "agent-shim")).toEqual(["warn"]);
    home("real", { "bin/claude": "#!/bin/sh\n" });
    const real = join(bench.folder, "real", "bin");
    const both = await examined([], { env: { ...env, PATH: `${bench.bin}:${shim}:${real}` } });
    expect(statuses(both, "agent-shim")).toEqual(["pass"]);
  });

  test("another phux that a shell would find first", async () => {
    home("other", { "bin/phux": "#!/bin/sh\n" });
    const report = await examined([], { env: { PATH: `${join(bench.folder, "other", "bin")}:${bench.bin}` } });
    expect(statuses(report, "instance")).toEqual(["warn"]);
  });
});

test("a person reads the same rows", async () => {
  const { exit, stdout } = await bench.phux(["doctor"]);
  expect(exit).toBe(0);
  for (const name of NAMES) expect(stdout).toMatch(new RegExp(`^(pass|warn)  ${name}: .`, "m"));
});
