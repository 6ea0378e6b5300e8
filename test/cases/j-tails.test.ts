/** The end of long output, whatever its reader does: sleeps, dawdles, goes away (design.md section 4). */
import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { binary } from "../e2e/binary.ts";
import { expectEnd } from "../e2e/case.ts";
import { type LinkKind, links } from "../e2e/link.ts";
import { RawHost, type RawHostOptions, SLACK, until } from "../e2e/raw-host.ts";
import { plainScreen } from "../phux/small-phux.ts";
import { WorkPlace } from "./ab-work.ts";

setDefaultTimeout(30_000);

const MiB = 1024 * 1024;
const place = new WorkPlace();
const folder = mkdtempSync(join(tmpdir(), "phux-mcp-tails-"));
afterAll(() => {
  place[Symbol.dispose]();
  rmSync(folder, { recursive: true, force: true });
});

const env = { ...place.env, PHUX_MCP_MAX_RESULT_CHARS: "8000000" };
const start = (stdio: LinkKind, options: Partial<RawHostOptions> = {}) =>
  new RawHost({ bin: binary, env, stdio, ...options });
/** What a reader does that is busy elsewhere. */
const asleep = (ms: number) => Bun.sleep(ms);
const outputOf = (host: RawHost) => host.lines.map(({ text }) => `${text}\n`).join("");

/** A screen whose document has almost 8,000,000 characters, and one that is all characters of several bytes. */
const plainRows = Array.from({ length: 46_000 }, (_, row) => `${row} `.padEnd(160, "abcdefghij"));
const wideRows = Array.from({ length: 16_000 }, (_, row) => `${row} ${"漢😀é".repeat(32)}`);
const show = (rows: readonly string[]) => {
  place.phux.screen = () => ({ ...plainScreen, scrollback: rows });
};
const snapshot = { target: "@1", scrollback: 0 };

/** Asks for a screen, and resolves when its document is complete: the server has nothing more to do with it. */
async function complete(host: RawHost, id: number): Promise<void> {
  const before = place.server.clients.length;
  host.call(id, "phux_snapshot", snapshot);
  await until(() => place.server.clients.length > before && place.server.open === 0, "the document", 10_000 * SLACK);
  // A ping behind it is answered behind it: the document is on its way then.
  await asleep(60);
}

/** The rows of an answer, which must be whole. */
function rowsOf(host: RawHost, id: number): unknown {
  const replies = host.messages.filter((message) => message.id === id);
  expect(replies).toHaveLength(1);
  const document: { scrollback: unknown; truncated?: true } = JSON.parse(replies[0]?.result?.content?.[0]?.text ?? "");
  expect(document.truncated).toBeUndefined();
  return document.scrollback;
}

describe("what prints and ends", () => {
  const flags = ["--schema", "--skill", "--help"];
  const whole = Object.fromEntries(flags.map((flag) => [flag, spawnSync(binary, [flag], { env }).stdout.toString()]));

  describe.each(links)("on a %s", (stdio) => {
    test.each(flags)("%s is whole for a reader that sleeps first", async (flag) => {
      using host = start(stdio, { args: [flag], reading: false });
      await asleep(60);
      host.read();
      expect(await host.ended()).toMatchObject({ code: 0, signal: null });
      expect(outputOf(host)).toBe(whole[flag] ?? "");
      expect(host.stderr).toBe("");
    });
  });

  test.each(flags)("%s is whole for a reader of small bites, into a file, and through a slow pipe", (flag) => {
    const sh = (line: string) => spawnSync("/bin/sh", ["-c", line], { env: { ...env, BIN: binary, FLAG: flag } });
    expect(sh('"$BIN" "$FLAG" | dd bs=7 2>/dev/null').stdout.toString()).toBe(whole[flag] ?? "");
    expect(sh('"$BIN" "$FLAG" | { sleep 0.05; cat; }').stdout.toString()).toBe(whole[flag] ?? "");
    sh(`"$BIN" "$FLAG" > '${folder}/out'`);
    expect(readFileSync(join(folder, "out"), "utf8")).toBe(whole[flag] ?? "");
  });

  test.each(flags.flatMap((flag) => (["socket", "pipe"] as const).map((stdio) => [flag, stdio] as const)))(
    "%s on a %s whose reader goes away: exit 0, in silence",
    async (flag, stdio) => {
      for (const wait of [0, 5, 30]) {
        using host = start(stdio, { args: [flag], reading: false });
        await asleep(wait);
        await host.closeOutput();
        expectEnd(await host.ended());
        expect(host.stderr).toBe("");
      }
    },
  );

  // A host that shares its own end, or a terminal with others, may have done that: a write then takes what fits.
  test.each([
    ["--schema", '"$BIN" --schema'],
    ["--skill", '"$BIN" --skill'],
    ["tools/list, fifty times", `yes '{"id":1,"method":"tools/list"}' | head -n 50 | "$BIN"`],
  ])("%s is whole on a stdout that was made non-blocking", async (_, line) => {
    const fifo = join(mkdtempSync(join(folder, "pipe-")), "fifo");
    spawnSync("mkfifo", [fifo]);
    const hold = openSync(fifo, "r+");
    // Almost full already, so that nothing fits whole.
    const before = "x".repeat(65_000);
    writeSync(hold, before);
    const [stdout, stdin] = [openSync(fifo, "w"), openSync(fifo, "r")];
    const program = Bun.spawn(["/bin/sh", "-c", `dd oflag=nonblock count=0 status=none </dev/null; ${line}`], {
      env: { ...env, BIN: binary },
      stdin: "ignore",
      stdout,
    });
    await asleep(60);
    const reader = Bun.spawn(["cat"], { stdin, stdout: "pipe" });
    for (const fd of [hold, stdout, stdin]) closeSync(fd);
    const got = await new Response(reader.stdout).text();
    expect(await program.exited).toBe(0);
    const usual = spawnSync("/bin/sh", ["-c", `${line} | cat`], { env: { ...env, BIN: binary }, maxBuffer: 8 * MiB });
    expect(got).toBe(before + usual.stdout.toString());
    expect(got.length).toBeGreaterThan(1_000);
  });

  test.each(["--schema", "--skill"])("%s on a terminal that hangs up in the middle: exit 0", async (flag) => {
    // It begins when the terminal is stopped, and nothing tells it of the hang-up but its write.
    const status = join(folder, `status${flag}`);
    const args = ["-c", `trap '' HUP; read -r line; "$BIN" ${flag} 2>/dev/null; echo $? > '${status}'`];
    using host = start("terminal", { bin: "/bin/sh", args, env: { ...env, BIN: binary }, reading: false });
    host.write("\n");
    await asleep(60);
    await host.closeOutput();
    const told = () => spawnSync("cat", [status]).stdout.toString() || null;
    expect(await until(told, "the end", 2000 * SLACK)).toBe("0\n");
  });
});

describe.each(links)("results of 8 MB on a %s", (stdio) => {
  test.each([
    ["plain", plainRows],
    ["of characters of two to four bytes", wideRows],
  ])("%s: three, one after another, for a reader that sleeps, reads and sleeps", async (_, rows) => {
    show(rows);
    using host = start(stdio, { reading: false });
    for (const id of [1, 2, 3]) host.call(id, "phux_snapshot", snapshot).send({ id: id + 10, method: "ping" });
    for (let turn = 0; turn < 5; turn++) {
      await asleep(40);
      host.read();
      await asleep(10);
      host.stopReading();
    }
    host.read();
    for (const id of [1, 2, 3, 11, 12, 13]) await host.reply(id, 10_000 * SLACK);
    expect([1, 2, 3].map((id) => rowsOf(host, id))).toEqual([rows, rows, rows]);
    expect(host.lines.every(({ message }) => message !== undefined)).toBe(true);
  });

  test("the input ends while the reader sleeps: what is complete comes whole", async () => {
    show(plainRows);
    using host = start(stdio, { reading: false });
    host.send({ id: "first", method: "tools/list" });
    await complete(host, 1);
    host.send({ id: "last", method: "tools/list" }).closeInput();
    await asleep(250);
    expect(host.running).toBe(true);
    host.read();
    expect(await host.ended(10_000)).toMatchObject({ code: 0, signal: null });
    expect(host.messages.map(({ id }) => id)).toEqual(["first", 1, "last"]);
    expect(rowsOf(host, 1)).toEqual(plainRows);
  });

  const ends: [name: string, end: (host: RawHost) => unknown][] = [
    ["the end of input", (host) => host.closeInput()],
    ["SIGTERM", (host) => host.signal("SIGTERM")],
    ["a reader that goes away", (host) => host.closeOutput()],
    ["a reader that goes away after the end of input", (host) => host.closeInput().closeOutput()],
  ];
  test.each(ends)("unread, and %s: other work is over at once, and exit 0 in a second", async (_, end) => {
    show(plainRows);
    using host = start(stdio, { reading: false });
    await place.child.start(host, 2);
    await complete(host, 1);
    host.write('{"id":3,"method":"tools/list"}\n'.repeat(100));
    const since = performance.now();
    await end(host);
    const over = until(() => place.child.over(host), "the end of the work", 250 * SLACK);
    const [exit] = await Promise.all([host.ended(3000 * SLACK, since), over]);
    expectEnd(exit);
  });

  test("a cancel while its answer is half out: the answer is whole, and the only one", async () => {
    show(plainRows);
    using host = start(stdio, { reading: false });
    await complete(host, 1);
    host.cancel(1).call(1, "phux_operation_status").read();
    await until(() => host.messages.filter(({ id }) => id === 1).length === 2, "both", 10_000 * SLACK);
    await host.settled();
    expect(host.messages.filter(({ id }) => id === 1)).toHaveLength(2);
    expect(host.lines.every(({ message }) => message !== undefined)).toBe(true);
  });
});

test("a terminal that is stopped, and was made non-blocking too: whole, and without a busy wait", async () => {
  const args = ["-c", `dd oflag=nonblock count=0 status=none </dev/null; exec '${binary}'`];
  using host = start("terminal", { bin: "/bin/sh", args, reading: false });
  for (let id = 0; id < 20; id++) host.send({ id, method: "tools/list" });
  await asleep(90);
  const before = host.cpuMs();
  await asleep(90);
  expect(host.cpuMs() - before).toBeLessThan(45);
  host.read();
  for (let id = 0; id < 20; id++) await host.reply(id);
  expect(host.messages.map(({ id }) => id)).toEqual(Array.from({ length: 20 }, (_, id) => id));
});

// A terminal is read by Bun itself, as fast as it can.
describe.each(["socket", "pipe"] as const)("a slow reader of a %s", (stdio) => {
  test("the input ends under a reader that is slow, but reads: all of it, however long", async () => {
    show(plainRows);
    using host = start(stdio, { reading: false });
    await complete(host, 1);
    host.closeInput().read(4_000);
    const exit = await host.ended(12_000);
    expect([exit.code, exit.signal]).toEqual([0, null]);
    expect(exit.ms).toBeGreaterThan(1_000);
    expect(rowsOf(host, 1)).toEqual(plainRows);
  });

  test("a signal ends also that within a second", async () => {
    show(plainRows);
    using host = start(stdio, { reading: false });
    await complete(host, 1);
    host.closeInput().read(1_500);
    await asleep(950);
    expect(host.running).toBe(true);
    const since = performance.now();
    host.signal("SIGTERM");
    expectEnd(await host.ended(3000 * SLACK, since));
  });
});

describe("a host that reads nothing", () => {
  test.each(links)(
    "and asks for 60 MB costs 64 MB at most, and gets it in order once it reads: on a %s",
    async (stdio) => {
      using host = start(stdio, { reading: false, env: place.env });
      await asleep(60);
      const before = host.memory().now;
      const ids = Array.from({ length: 1_400 }, (_, id) => id);
      for (const id of ids) host.send({ id, method: "tools/list" });
      let peak = 0;
      const settled = () => {
        const last = peak;
        peak = host.memory().peak;
        return last === peak;
      };
      await asleep(90);
      await until(settled, "its memory to stop growing", 5000);
      expect((peak - before) / MiB).toBeLessThan(64);
      host.read();
      await until(() => host.lines.length === ids.length, "all of it", 20_000);
      expect(host.messages.map(({ id }) => id)).toEqual(ids);
    },
  );

  test("12 results of 8 MB, asked for at once, cost little more than they are; what is asked then waits its turn", async () => {
    show(plainRows);
    using host = start("socket", { reading: false });
    const before = place.server.clients.length;
    const ids = Array.from({ length: 12 }, (_, id) => id);
    for (const id of ids) host.call(id, "phux_snapshot", snapshot);
    const connections = before + ids.length;
    const complete = () => place.server.clients.length === connections && place.server.open === 0;
    await until(complete, "all documents", 20_000 * SLACK);
    for (const id of ids) host.call(100 + id, "phux_snapshot", snapshot);
    await asleep(90);
    expect(place.server.clients).toHaveLength(connections);
    expect(host.memory().peak / MiB).toBeLessThan(40 + 12 * 8 * 3);
    host.read();
    for (const id of ids) await Promise.all([host.reply(id, 20_000), host.reply(100 + id, 20_000)]);
    expect(host.lines.every(({ message }) => message !== undefined)).toBe(true);
  });
});
