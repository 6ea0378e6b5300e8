/** The protocol of design.md section 4 under random framing: every good request is answered exactly once, and nothing else is. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { binary } from "../e2e/binary.ts";
import { lines as table } from "../e2e/protocol-lines.ts";
import { RawHost, SLACK, until } from "../e2e/raw-host.ts";
import { type Lab, startLab } from "../lab/server.ts";
import { Dice, seeds } from "./k-dice.ts";
import { life } from "./k-life.ts";
import { Lines } from "./k-lines.ts";
import { Oracle } from "./k-oracle.ts";
import { expectExactly, expectReplies, play } from "./k-play.ts";
import { lastLines, sizes } from "./k-sizes.ts";

setDefaultTimeout(60_000);

const folder = mkdtempSync(join(tmpdir(), "phux-mcp-k-"));
let lab: Lab;
beforeAll(async () => {
  lab = await startLab({ socket: join(folder, "s"), session: "main", home: folder, cwd: folder, shell: "/bin/sh" });
});
afterAll(async () => {
  await lab.stop();
  rmSync(folder, { recursive: true, force: true });
});

const start = (dice: Dice) =>
  new RawHost({
    bin: binary,
    stdio: dice.pick(["socket", "pipe"]),
    env: { PATH: "/usr/bin:/bin", HOME: folder, PHUX_SOCKET: join(folder, "none.sock") },
  });

describe("random sessions: K_SEED repeats one", () => {
  test.each(seeds([1, 2, 3, 4, 5, 6], 4))("seed %d", async (seed) => {
    const dice = new Dice(seed);
    const made = new Lines(dice, lab.socket);
    const stream = Buffer.concat([...Array.from({ length: 400 }, () => made.next()), made.last()]);
    const oracle = new Oracle();
    const expected = oracle.hears(stream);
    expect([...oracle.inFlight]).toEqual([]);
    using host = start(dice);
    await play(host, stream, dice);
    await expectReplies(host, expected);
    // Every wait was cancelled: nothing of it is left at the server.
    await until(() => lab.server.connections.size === 0, "the end of all connections", 2_000 * SLACK);
  });
});

describe("the table in any order and framing", () => {
  test.each(seeds([21, 22], 2))("seed %d", async (seed) => {
    const dice = new Dice(seed);
    const rows = dice.shuffle(table);
    const stream = Buffer.concat(rows.map(([, line]) => Buffer.concat([Buffer.from(line), Buffer.from("\n")])));
    const expected = new Oracle().hears(stream);
    // The table and the oracle were written apart: they must agree.
    expect(expected.length).toBe(rows.reduce((sum, [, , replies]) => sum + replies.length, 0));
    using host = start(dice);
    await play(host, stream, dice);
    await expectReplies(host, expected);
  });
});

describe("input that ends anywhere", () => {
  test.each(seeds([31, 32, 33, 34, 35, 36], 4))("seed %d", async (seed) => {
    const dice = new Dice(seed);
    const made = new Lines(dice, lab.socket);
    // Half of them with calls that run then: they end without an answer, and leave nothing at the server.
    const kinds = dice.pick(["at once", "at once or never"] as const);
    const whole = Buffer.concat(Array.from({ length: 60 }, () => made.next(kinds)));
    const stream = whole.subarray(0, dice.below(whole.length));
    using host = start(dice);
    await play(host, stream, dice);
    host.closeInput();
    expect(await host.ended(5_000)).toMatchObject({ code: 0 });
    expectExactly(host, new Oracle().hears(stream));
    await until(() => lab.server.connections.size === 0, "the end of all connections", 2_000 * SLACK);
  });

  test.each(seeds([41, 42], 1))("and is a file, as the output is: seed %d", async (seed) => {
    const dice = new Dice(seed);
    const made = new Lines(dice, lab.socket);
    const stream = Buffer.concat(Array.from({ length: 200 }, () => made.next("at once")));
    const [input, output] = [join(folder, `in ${seed}`), join(folder, `out ${seed}`)];
    writeFileSync(input, stream);
    using host = new RawHost({ bin: "/bin/sh", args: ["-c", 'exec "$0" <"$1" >"$2"', binary, input, output] });
    expect(await host.ended(5_000)).toMatchObject({ code: 0 });
    expectExactly(readFileSync(output), new Oracle().hears(stream));
  });
});

describe("sizes, in random pieces", () => {
  test.each([...sizes])("%s", async (why, line, replies) => {
    const dice = new Dice(why.length);
    using host = start(dice);
    await play(host, Buffer.concat([Buffer.from(line()), Buffer.from("\n")]), dice);
    await expectReplies(host, replies);
  });

  test.each([...lastLines])("at the end of the input: %s", async (why, line, replies) => {
    const dice = new Dice(why.length);
    using host = start(dice);
    await play(host, Buffer.from(line()), dice);
    host.closeInput();
    expect(await host.ended(5_000)).toMatchObject({ code: 0 });
    expectExactly(host, replies);
  });
});

describe("a host that does not keep to the order", () => {
  test.each([...life])("%s", async (_, says, replies) => {
    using host = start(new Dice(says.length));
    for (const message of says) host.send(message);
    await expectReplies(host, replies);
  });
});

describe("the end in the middle of an answer", () => {
  test.each(["SIGTERM", "SIGINT", "SIGHUP", "end of input"] as const)("%s leaves whole lines only", async (how) => {
    using host = start(new Dice(how.length));
    const list = '{"id":1,"method":"tools/list"}\n';
    host.write(list.repeat(40));
    await host.reply(1);
    if (how === "end of input") host.closeInput();
    else host.signal(how).write(list.repeat(40));
    expect(await host.ended(5_000)).toMatchObject({ code: 0 });
    expect(host.unfinished).toBe(0);
    expect(host.lines.every(({ message }) => Array.isArray(message?.result?.tools))).toBe(true);
    if (how === "end of input") expect(host.lines).toHaveLength(40);
  });
});

describe("input that never pauses", () => {
  const floods: [what: string, from: string][] = [
    ["zeros", "</dev/zero"],
    ["noise", "</dev/urandom"],
    ["lines of no JSON", "< <(yes)"],
    ["requests", `< <(yes '{"id":1,"method":"tools/list"}')`],
    ["notifications", `< <(yes '{"method":"x"}')`],
  ];
  test.each(floods)("%s: a signal ends it within a second", async (_, from) => {
    using host = new RawHost({ bin: "/bin/bash", args: ["-c", `exec "$0" ${from} >/dev/null`, binary] });
    await until(() => host.cpuMs() > 150, "work", 10_000 * SLACK);
    host.signal("SIGTERM");
    const { code, ms } = await host.ended(5_000);
    expect([code, ms < 1_000 * SLACK]).toEqual([0, true]);
  });
});

describe("cancels by the thousand", () => {
  test("stop every call they name, none that they do not, and leave nothing at the server", async () => {
    using host = start(new Dice(1));
    const wait = { socket: lab.socket, target: "@1", until: "never there", timeout_secs: 600 };
    const calls = Array.from({ length: 40 }, (_, at) => (at % 2 === 0 ? at : String(at)));
    for (const id of calls) host.call(id, "phux_wait", wait);
    await until(() => lab.server.connections.size === calls.length, "all calls at the server", 10_000 * SLACK);
    for (let round = 0; round < 50; round += 1) {
      for (const id of calls.slice(1))
        host
          .cancel(id)
          .cancel(`${id} `)
          .cancel(typeof id === "string" ? Number(id) : String(id));
    }
    await until(() => lab.server.connections.size === 1, "the end of all but one", 2_000 * SLACK);
    expect(await host.settled()).toEqual([]);
    host.cancel(0);
    await until(() => lab.server.connections.size === 0, "the end of the last", 2_000 * SLACK);
    expect(await host.settled()).toEqual([]);
  });
});
