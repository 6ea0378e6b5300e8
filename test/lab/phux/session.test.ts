import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { processRow, signalQuietly } from "../process-table.ts";
import type { ReleaseName } from "../release.ts";
import { errorOf, until, Workbench } from "./workbench.ts";

// Each case waits for several processes, on machines that are busy.
setDefaultTimeout(30_000);

let bench: Workbench;
beforeAll(async () => {
  bench = await Workbench.open();
});
afterAll(() => bench.close());

const create = (name: string, ...more: string[]) => bench.phux(["new", `--session=${name}`, "--json", ...more]);

describe("new", () => {
  test("gives the number of its pane, and runs the program as it was given", async () => {
    const script = 'printf "%s|" "$0" "$@" "$PWD" "$EXTRA"; exec sleep 60';
    const more = ["-c", "/", "--env", "EXTRA=e=f", "--", "sh", "-c", script, "a b", "--", "-x", "'\"$(id)"];
    const { terminal_id } = await bench.document(["new", "-s", "args", "--json", ...more]);
    expect(terminal_id).toBeNumber();
    const shown = async () => (await bench.phux(["snapshot", `@${terminal_id}`])).stdout;
    await until(async () => (await shown()).includes("e=f"));
    expect(await shown()).toStartWith("a b|--|-x|'\"$(id)|/|e=f|\n");
  });

  test("stands where it was asked for when no directory is named", async () => {
    await bench.document(["new", "there", "--json", "--", "sh", "-c", "pwd; exec sleep 60"], { cwd: "/usr" });
    await until(async () => (await bench.phux(["snapshot", "there"])).stdout.startsWith("/usr\n"));
  });

  test.each([
    ["main", "session_exists", 1],
    ["", "invalid_session_name", 2],
    ["@1", "invalid_session_name", 2],
    ["#x", "invalid_session_name", 2],
    ["%x", "invalid_session_name", 2],
    ["a:b", "invalid_session_name", 2],
    ["a/@b", "invalid_session_name", 2],
  ])("%j is refused: %s", async (name, code, exit) => {
    const ran = await create(name);
    expect(ran).toMatchObject({ exit, stdout: "" });
    expect(errorOf(ran)).toEqual({ code, exit });
  });

  test("a name may begin with a dash when it is attached to its option", async () => {
    expect(await bench.phux(["new", "-s", "-dash", "--json"])).toMatchObject({ exit: 2, stdout: "" });
    expect(await create("-dash", "--", "sleep", "60")).toMatchObject({ exit: 0 });
  });

  test("a program that does not exist makes no session", async () => {
    const ran = await create("bad", "--", "/no/such");
    expect(errorOf(ran)).toEqual({ code: "session_create_failed", exit: 1 });
    expect((await bench.phux(["ls"])).stdout).not.toContain("bad");
  });
});

describe("a key", () => {
  const key = "0123456789abcdefABCDEF0123456789";

  test("makes a repeat give the first answer", async () => {
    const first = await create("keyed", "--idempotency-key", key);
    expect(first.exit).toBe(0);
    expect(await create("keyed", "--idempotency-key", key)).toEqual(first);
  });

  test.each([
    ["of another request", "other", key, "session_create_failed", 1],
    ["that is fresh, and a name that is taken", "main", "f".repeat(32), "session_create_failed", 1],
    ["of zeros", "zero", "0".repeat(32), "invalid_idempotency_key", 2],
    ["that is too short", "short", "ab", "invalid_idempotency_key", 2],
  ])("%s", async (_, name, used, code, exit) => {
    const ran = await create(name, "--idempotency-key", used);
    expect(ran).toMatchObject({ exit, stdout: "" });
    expect(errorOf(ran)).toEqual({ code, exit });
  });

  test("is nothing for a server that does not know it", async () => {
    const old = await Workbench.open({ without: ["spawn_idempotency"] });
    const ran = await old.phux(["new", "-s", "keyed", "--json", "--idempotency-key", key]);
    await old.close();
    expect(errorOf(ran)).toEqual({ code: "unsupported_server", exit: 2 });
  });
});

test.each<[ReleaseName, object]>([
  ["0.8", { major: 0, minor: 8, patch: 0 }],
  ["0.9", { major: 0, minor: 9, patch: 0 }],
  ["1.0", { major: 1, minor: 0, patch: 0 }],
])("the main verbs on a server of %s", async (version, protocol) => {
  const old = await Workbench.open({ version });
  try {
    await old.session("work", "/bin/sh");
    expect(await old.document(["status", "--json"])).toMatchObject({ running: true, protocol, pid: process.pid });
    expect(await old.document(["run", "--json", "work", "echo it runs"])).toMatchObject({ output: "it runs" });
    expect(await old.phux(["kill", "work"])).toEqual({ exit: 0, stdout: "", stderr: "" });
    await until(async () => (await old.phux(["ls"])).stdout === "main: 1 window\n");
  } finally {
    await old.close();
  }
});

describe("a server that nobody has started", () => {
  let socket: string;
  let number = 0;
  let pid: unknown = null;
  const here = (...argv: string[]) => bench.phux(argv, { env: { PHUX_SOCKET: socket } });
  const startOne = async (name: string) => {
    socket = join(bench.folder, `own-${number++}`, "phux.sock");
    const ran = await here("new", "-s", name, "--json");
    pid = JSON.parse((await here("status", "--json")).stdout).pid;
    return ran;
  };
  afterEach(async () => {
    if (typeof pid !== "number") return;
    const server = pid;
    signalQuietly(server, "SIGTERM");
    await until(() => processRow(server) === null);
  });

  test("is started by new, in a process session of its own, and outlives it", async () => {
    expect(await startOne("fresh")).toMatchObject({ exit: 0, stderr: "" });
    expect((await here("ls")).stdout).toBe("default: 1 window\nfresh: 1 window\n");
    expect(processRow(Number(pid))).toMatchObject({ session: Number(pid), group: Number(pid) });
  });

  test("is stopped by kill --server, which leaves nothing", async () => {
    await startOne("gone");
    expect(await here("kill", "--server")).toMatchObject({ exit: 0, stdout: "" });
    expect(existsSync(socket)).toBe(false);
    expect(await here("kill", "--server")).toMatchObject({ exit: 0, stdout: "" });
    expect(errorOf(await here("ls", "--json"))).toEqual({ code: "no_server", exit: 1 });
    await until(() => processRow(Number(pid)) === null);
  });

  test("is one, when four ask for it at the same moment", async () => {
    socket = join(bench.folder, `own-${number++}`, "phux.sock");
    const names = ["a", "b", "c", "d"];
    const all = await Promise.all(names.map((name) => here("new", "-s", name, "--json")));
    expect(all.map(({ exit }) => exit)).toEqual([0, 0, 0, 0]);
    const listed = [...names, "default"].map((name) => `${name}: 1 window\n`).join("");
    expect((await here("ls")).stdout).toBe(listed);
    pid = JSON.parse((await here("status", "--json")).stdout).pid;
  });

  test("starts where a killed one left its socket", async () => {
    await startOne("first");
    const killed = Number(pid);
    signalQuietly(killed, "SIGKILL");
    await until(() => processRow(killed) === null);
    expect(existsSync(socket)).toBe(true);
    expect(JSON.parse((await here("status", "--json")).stdout)).toMatchObject({ running: false });
    expect(await here("new", "-s", "second", "--json")).toMatchObject({ exit: 0 });
    pid = JSON.parse((await here("status", "--json")).stdout).pid;
    expect((await here("ls")).stdout).toContain("second: 1 window\n");
  });

  test("cannot be started where nobody may write", async () => {
    socket = "/proc/phux.sock";
    pid = null;
    expect(errorOf(await here("new", "-s", "x", "--json"))).toEqual({ code: "server_start_failed", exit: 1 });
  });

  test("is not started by anything else", async () => {
    socket = join(bench.folder, "none.sock");
    pid = null;
    for (const argv of [["ls"], ["status"], ["run", "x", "y"], ["snapshot"], ["send-keys", "x", "y"], ["kill", "x"]]) {
      expect(await here(...argv)).toMatchObject({ exit: 1, stdout: "", stderr: expect.stringMatching(/^phux: /) });
    }
    expect(existsSync(socket)).toBe(false);
  });
});
