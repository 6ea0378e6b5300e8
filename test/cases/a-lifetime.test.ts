/** How the adapter ends, and that it takes everything with it (design.md section 4; shared/hosts/README.md 7, 8, 19). */
import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { alive, childrenOf, commandLine } from "../cli/children.ts";
import { binary } from "../e2e/binary.ts";
import { expectEnd } from "../e2e/case.ts";
import { links } from "../e2e/link.ts";
import { PhuxScript } from "../e2e/phux-script.ts";
import { cpuMsOf, RawHost, SLACK, until } from "../e2e/raw-host.ts";
import { type End, ends, play } from "./a-ends.ts";
import { filesIn, mark, marked } from "./ab-left.ts";
import { type Work, WorkPlace } from "./ab-work.ts";

setDefaultTimeout(20_000);

const place = new WorkPlace();
const { env } = place;
afterAll(() => place[Symbol.dispose]());

const folder = mkdtempSync(join(tmpdir(), "phux-mcp-lifetime-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Milliseconds that the work took to end, over all ends that leave us a moment. */
const took: number[] = [];

describe.each(links)("on a %s", (stdio) => {
  describe.each(place.all.map((work): [string, Work] => [work.name, work]))("%s", (_, work) => {
    const here = ends.filter(({ on }) => on?.includes(stdio) ?? true);
    test.each(here.map((end): [string, End] => [end.name, end]))("%s", async (_, end) => {
      using host = new RawHost({ bin: binary, stdio, env });
      await host.request("ping");
      await work.start(host, 7);
      const children = childrenOf(host.pid);
      const since = performance.now();
      using _ending = play(end, host);
      const over = until(() => work.over(host), "the end of the work", (end.sigkill ? 1000 : 250) * SLACK);
      const [exit, workMs] = await Promise.all([
        host.ended(5000, since),
        over.then(() => performance.now() - since),
        until(() => !children.some(alive), "the end of every child, the watcher included", 1000 * SLACK),
      ]);
      if (end.sigkill === "first") expect(exit.signal).toBe("SIGKILL");
      else if (end.sigkill === undefined || exit.signal === null) expectEnd(exit);
      if (end.sigkill === undefined && work !== place.nothing) took.push(workMs);
      // The call is never answered, and nothing else was said, on stderr neither.
      expect(host.lines.map(({ message }) => String(message?.id)).filter((id) => !/^host-|^ping/.test(id))).toEqual([]);
      expect(host.stderr).toBe("");
    });
  });
});

test("half of all work is over within 40 ms: Codex kills after 45", () => {
  const sorted = took.toSorted((a, b) => a - b);
  expect(sorted.length).toBeGreaterThan(60);
  expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThan(40);
});

describe("a tree", () => {
  test("of 20 calls that ignore every signal they can is dead a second after our SIGKILL", async () => {
    const stubborn = new PhuxScript("trap '' TERM INT HUP QUIT");
    const marker = mark();
    const path = { PATH: `${stubborn.folder}:/usr/bin:/bin` };
    using host = new RawHost({ bin: binary, env: { ...env, ...path, ...marker.env } });
    for (let id = 0; id < 20; id++) host.call(id, "phux_status", { socket: "/slow" });
    await stubborn.begun(host, 20);
    expect(marked(marker.name, host.pid)).toHaveLength(40);
    host.signal("SIGKILL");
    await until(() => marked(marker.name).length === 0, "the end of all 40", 1000 * SLACK);
    stubborn.remove();
  });

  // Its number may not have reached the one who cleans up after us.
  test("is dead a second after a SIGKILL at any moment of its start", async () => {
    const stubborn = new PhuxScript("trap '' TERM INT HUP QUIT");
    const marker = mark();
    for (let step = 0; step < 30; step++) {
      const path = `${stubborn.folder}:/usr/bin:/bin`;
      using host = new RawHost({ bin: binary, env: { ...env, PATH: path, ...marker.env } });
      host.call(0, "phux_status");
      await host.reply(0);
      for (const id of [1, 2]) host.call(id, "phux_status", { socket: "/slow" });
      const moment = performance.now() + step / 4;
      while (performance.now() < moment) await Bun.sleep(0);
      host.signal("SIGKILL");
      await until(() => marked(marker.name).length === 0, `the end, ${step / 4} ms after the call`, 1000 * SLACK);
    }
    stubborn.remove();
  });

  // A phux server that the CLI starts leaves the group first: it is not ours.
  test.each(["SIGTERM", "SIGKILL"] as const)(
    "that left our group outlives our %s, its parent does not",
    async (name) => {
      const script = new PhuxScript();
      const pids = join(folder, `pids-${name}`);
      script.behave(`setsid /bin/sh -c 'echo $$ >> "${pids}"; exec sleep 300' & echo $$ >> '${pids}'; wait`);
      const read = () => spawnSync("cat", [pids]).stdout.toString().trim().split("\n").map(Number);
      using host = new RawHost({ bin: binary, env: { ...env, PATH: `${script.folder}:/usr/bin:/bin` } });
      host.call(1, "phux_status");
      await until(() => read().filter((pid) => pid > 0).length === 2, "both", 5000 * SLACK);
      const [server = 0, child = 0] = read().sort((a) => (childrenOf(host.pid).includes(a) ? 1 : -1));
      host.signal(name);
      await until(() => !alive(child), "the end of the child", 1000 * SLACK);
      await host.ended();
      expect(alive(server)).toBe(true);
      process.kill(server, "SIGKILL");
      script.remove();
    },
  );
});

describe("what is no end", () => {
  // A write to nobody, a window that changed, a stop and a start of a shell's job, the end of somebody's child.
  test.each(["SIGPIPE", "SIGWINCH", "SIGTSTP", "SIGCONT", "SIGCHLD"] as const)("%s", async (name) => {
    using host = new RawHost({ bin: binary, env });
    await place.child.start(host, 1);
    host.signal(name).signal("SIGCONT");
    await host.request("ping");
    expect(place.child.over(host)).toBe(false);
  });

  test("a host that reads no stderr, also when there is something to say", async () => {
    using host = new RawHost({ bin: binary, env });
    await host.closeErrors();
    place.phux.notices = [{ name: "ERROR", value: { code: 1, message: "a satellite is away" } }];
    for (let call = 0; call < 3; call++) {
      host.call(call, "phux_snapshot", { target: "@1" });
      expect((await host.reply(call)).result?.isError).toBe(false);
    }
    place.phux.notices = [];
  });

  // What a daemon does that wants no zombies; without SIGCHLD nobody learns how a child ended.
  test("a parent that ignores SIGCHLD and handed that on", async () => {
    using host = new RawHost({ bin: "/bin/bash", args: ["-c", `trap '' CHLD; exec '${binary}'`], env });
    host.call(1, "phux_status");
    expect(JSON.parse((await host.reply(1)).result?.content?.[0]?.text ?? "")).toMatchObject({ running: false });
    await place.child.start(host, 2);
    host.cancel(2);
    await until(() => place.child.over(host), "the end of the work", 250 * SLACK);
  });

  // Signals that came before we could hear them end us their own way; none is lost, and none hangs us.
  test.each([0, 1, 2, 3, 4, 5, 6, 8, 10, 15])("a SIGTERM %d ms after the start: an end all the same", async (ms) => {
    using host = new RawHost({ bin: binary, env });
    await Bun.sleep(ms);
    host.signal("SIGTERM");
    const { code, signal } = await host.ended(1000 * SLACK);
    expect(["0 null", "null SIGTERM"]).toContain(`${code} ${signal}`);
  });
});

describe("a parent that is gone", () => {
  /** The adapter below a shell, with our own end of its stdin: who kills the shell leaves that open. */
  async function below(): Promise<{ host: RawHost; adapter: { pid: number } }> {
    const host = new RawHost({
      bin: "/bin/sh",
      // Bun closes its end of a socket when the process that it started ends.
      stdio: "pipe",
      args: ["-c", `exec 3<&0; '${binary}' <&3 3<&- & echo "pid $!"; exec 3<&-; wait`],
      env,
    });
    const told = () => host.lines.map(({ text }) => /^pid (\d+)/.exec(text)?.[1]).find((pid) => pid !== undefined);
    const pid = Number(await until(told, "the pid", 5000));
    // It knows its parent before it serves.
    await host.request("ping");
    return { host, adapter: { pid } };
  }

  test("is noticed within 5 s although another holds stdin open, whatever we do", async () => {
    const orphans = await Promise.all(place.all.map(async (work) => ({ ...(await below()), work })));
    for (const { host, adapter, work } of orphans) await work.start(host, 7, adapter);
    expect(orphans.every(({ adapter }) => alive(adapter.pid))).toBe(true);
    const children = orphans.flatMap(({ adapter }) => childrenOf(adapter.pid));
    for (const { host } of orphans) host.signal("SIGKILL");
    // Nothing but the look at the parent ends them.
    await Bun.sleep(30);
    expect(orphans.some(({ adapter }) => alive(adapter.pid))).toBe(true);
    const gone = () => !orphans.some(({ adapter }) => alive(adapter.pid));
    await until(gone, "the end of the orphans", 5000 * SLACK);
    await until(() => !children.some(alive), "the end of their children", 250 * SLACK);
    for (const { host, adapter, work } of orphans) {
      expect(work.over(adapter)).toBe(true);
      host[Symbol.dispose]();
    }
  });
});

describe("odd descriptors", () => {
  const shell = (line: string) => spawnSync("/bin/sh", ["-c", line], { env: { ...env, BIN: binary }, timeout: 10_000 });
  const ping = `printf '{"id":1,"method":"ping"}\\n'`;
  const pong = '{"jsonrpc":"2.0","id":1,"result":{}}\n';

  test.each([
    ["stdin is /dev/null", '"$BIN" </dev/null', 0, ""],
    ["stdin is closed", '"$BIN" <&-', 0, ""],
    ["stdin is a folder", '"$BIN" </tmp 2>/dev/null', 1, ""],
    ["stderr is closed", `printf '{bad\\n{"id":1,"method":"ping"}\\n' | "$BIN" 2>&- | tail -n 1`, 0, pong],
    ["stdout is /dev/null", `${ping} | "$BIN" >/dev/null`, 0, ""],
    ["stdout is closed", `${ping} | "$BIN" >&-`, 0, ""],
    ["stdout and stderr are closed", `${ping} | "$BIN" >&- 2>&-`, 0, ""],
    ["all three are closed", `"$BIN" <&- >&- 2>&-`, 0, ""],
    ["stdout is full", `${ping} | "$BIN" >/dev/full 2>/dev/null`, 1, ""],
    ["stdout is full, which one line tells", `${ping} | "$BIN" 2>&1 >/dev/full | wc -l | tr -d ' '`, 0, "1\n"],
    [
      "stdin was made non-blocking, and is late",
      `{ sleep 0.05; ${ping}; } | { dd iflag=nonblock count=0 status=none of=/dev/null; "$BIN"; }`,
      0,
      pong,
    ],
    ["half a line", `printf '{"id":1,"meth' | "$BIN"`, 0, ""],
    ["stdin is a device without an end, and a head of it", `head -c 100000 /dev/zero | "$BIN" | wc -l`, 0, "0\n"],
  ])("%s", (_, line, code, out) => {
    const began = performance.now();
    const { status, stdout } = shell(line);
    expect(stdout.toString()).toBe(out);
    expect(status).toBe(code);
    expect(performance.now() - began).toBeLessThan(500 * SLACK);
  });

  test("stdin and stdout are files", () => {
    const [input, output] = [join(folder, "in"), join(folder, "out")];
    writeFileSync(input, '{"id":1,"method":"ping"}\n');
    writeFileSync(output, "before\n");
    expect(shell(`"$BIN" <'${input}' >>'${output}'`).status).toBe(0);
    expect(readFileSync(output, "utf8")).toBe(`before\n${pong}`);
  });

  test("one terminal is both: its input ends, and what is complete is still written", async () => {
    using host = new RawHost({ bin: binary, env, stdio: "terminal" });
    await place.child.start(host, 1);
    host.send({ id: 2, method: "tools/list" }).closeInput();
    expectEnd(await host.ended());
    expect(host.messages.map(({ id }) => id)).toEqual([2]);
  });
});

test("without work it takes no processor time, and little with a call that waits", async () => {
  const starts: [what: string, start: (host: RawHost) => Promise<unknown>, most: number][] = [
    ["idle", async () => {}, 20],
    ["beside a child", (host) => place.child.start(host, 1), 20],
    ["with a subscription", async (host) => host.call(1, "phux_watch", { timeout_secs: 60 }, { progressToken: 0 }), 20],
    // It looks at the screen every 150 ms: 20 times in 3 s.
    ["with a wait that looks again and again", (host) => place.wait.start(host, 1), 150],
  ];
  const hosts = starts.map(() => new RawHost({ bin: binary, env }));
  for (const [at, host] of hosts.entries()) {
    await host.request("ping");
    await starts[at]?.[1](host);
  }
  // What a start leaves to do is done.
  await Bun.sleep(95);
  const watchers = hosts
    .flatMap(({ pid }) => childrenOf(pid))
    .filter((pid) => commandLine(pid).includes("phux-mcp-watcher"));
  expect(watchers).toHaveLength(1);
  const before = hosts.map((host) => host.cpuMs());
  const watched = watchers.map(cpuMsOf);
  await Bun.sleep(3_000);
  for (const [at, host] of hosts.entries()) {
    const [what = "", , most = 0] = starts[at] ?? [];
    const used = host.cpuMs() - (before[at] ?? 0);
    expect(used <= most * SLACK ? what : `${what}: ${used} ms in 3 s`).toBe(what);
    host[Symbol.dispose]();
  }
  expect(watchers.map(cpuMsOf)).toEqual(watched);
});

describe("ten starts leave no file", () => {
  const line = (id: number, name: string, args = {}) =>
    `${JSON.stringify({ id, method: "tools/call", params: { name, arguments: args } })}\n`;
  /** A start that lists, calls what it can and is ended; every second one by SIGKILL in the middle of a call. */
  async function start(extra: Readonly<Record<string, string>>, cwd: string, at: number): Promise<void> {
    using host = new RawHost({ bin: binary, cwd, env: { PATH: env["PATH"] ?? "", ...extra } });
    host.send({ id: "l", method: "tools/list" }).write(line(1, "phux_status") + line(2, "phux_ls"));
    await Promise.all([host.reply("l"), host.reply(1), host.reply(2)]);
    await place.child.start(host, 3);
    if (at % 2 === 0) host.closeInput();
    else host.signal("SIGKILL");
    await host.ended();
    expect(spawnSync(binary, ["--schema"], { cwd, env: extra }).status).toBe(0);
  }

  test("in the folders that the environment names, and where they were started", async () => {
    const empty = mkdtempSync(join(folder, "empty-"));
    const folders = [
      "HOME",
      "TMPDIR",
      "TMP",
      "TEMP",
      "BUN_TMPDIR",
      "XDG_RUNTIME_DIR",
      "XDG_CACHE_HOME",
      "XDG_STATE_HOME",
    ];
    const named = Object.fromEntries([...folders, "XDG_CONFIG_HOME", "XDG_DATA_HOME"].map((name) => [name, empty]));
    for (let at = 0; at < 10; at++) await start(named, empty, at);
    expect(filesIn(empty)).toEqual([]);
  });

  test("in /tmp, when it names none", async () => {
    // Others work there too: one start beside which nobody else did anything proves it for all.
    const fresh = async () => {
      const before = new Set(readdirSync("/tmp"));
      await start({}, folder, 0);
      return readdirSync("/tmp").filter((name) => !before.has(name));
    };
    let left = await fresh();
    for (let tries = 0; tries < 20 && left.length > 0; tries++) left = await fresh();
    expect(left).toEqual([]);
  });
});
