/** A cancel ends the work of its call, all of it, and nothing else (design.md section 4; shared/hosts/README.md 8, 9, 20). */
import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { catalog } from "../../src/tools/catalog.ts";
import { binary } from "../e2e/binary.ts";
import { links } from "../e2e/link.ts";
import { PhuxScript } from "../e2e/phux-script.ts";
import { RawHost, SLACK, until } from "../e2e/raw-host.ts";
import { leastOf, type Published, publishedBy } from "./ab-arguments.ts";
import { mark, marked } from "./ab-left.ts";
import { type Work, WorkPlace } from "./ab-work.ts";
import { SilentPhux } from "./b-silent-phux.ts";

setDefaultTimeout(30_000);

const place = new WorkPlace();
const silent = new SilentPhux();
const hanging = new PhuxScript();
hanging.behave("sleep 600 & wait");
const folder = mkdtempSync(join(tmpdir(), "phux-mcp-cancel-"));
afterAll(() => {
  for (const one of [place, silent]) one[Symbol.dispose]();
  hanging.remove();
  rmSync(folder, { recursive: true, force: true });
});

/** Work ends so many milliseconds after its cancel: all of it even when the machine is busy, see the end of this file. */
const LIMIT = 250 * SLACK;
/** How long each piece of work took to end. */
const took: number[] = [];

/** Cancels, and waits until nothing of the work is left. */
async function cancelled(host: RawHost, id: unknown, over: () => boolean): Promise<void> {
  const began = performance.now();
  host.cancel(id);
  await until(over, `the end of the work of ${JSON.stringify(id)}`, LIMIT);
  took.push(performance.now() - began);
}

/** Everything that ever came about a call: its reply, and notices that carry its token. */
const about = (host: RawHost, id: unknown) =>
  host.messages.filter((message) => message.id === id || message.params?.progressToken === id);

const published = publishedBy(spawnSync(binary, ["--schema"]).stdout.toString());
const rows = (runs: "cli" | "in-process") =>
  published
    .filter(({ name }) => catalog.find((tool) => tool.name === name)?.runs === runs)
    .map((tool): [string, Published] => [tool.name, tool]);

describe("every tool that runs phux, and phux hangs", () => {
  const marker = mark();
  const host = new RawHost({
    bin: binary,
    env: { PATH: `${hanging.folder}:/usr/bin:/bin`, HOME: folder, PHUX_SOCKET: silent.server.socket, ...marker.env },
  });
  afterAll(() => host[Symbol.dispose]());
  let descriptors: number | null = null;

  test.each(rows("cli"))("%s", async (name, tool) => {
    await host.request("ping");
    host.call(name, name, leastOf(tool), { progressToken: name });
    await until(() => marked(marker.name, host.pid).length === 2, "the child and its child", 5000 * SLACK);
    // Its first status has come.
    await host.request("ping");
    const before = about(host, name).length;
    await cancelled(host, name, () => marked(marker.name, host.pid).length === 0);
    await host.settled();
    expect(about(host, name)).toHaveLength(before);
    expect(host.messages.filter(({ id }) => id === name)).toEqual([]);
    // The first child brought the watcher and its pipe.
    descriptors ??= host.descriptors();
    const most = descriptors;
    await until(() => host.descriptors() <= most, "as many descriptors as before", 1_000 * SLACK);
  });
});

describe("every tool that asks the server, wherever that falls silent", () => {
  const host = new RawHost({
    bin: binary,
    env: { PATH: "/usr/bin:/bin", HOME: folder, PHUX_SOCKET: silent.server.socket },
  });
  afterAll(() => host[Symbol.dispose]());
  const asking = rows("in-process").filter(([name]) => !/plugin|operation_status/.test(name));

  test.each(asking)("%s", async (name, tool) => {
    await host.request("ping");
    const descriptors = host.descriptors();
    // First not even the greeting is answered, then nothing after it, then nothing after one answer...
    let depth = -1;
    for (; depth < 5; depth++) {
      const id = `${name} ${depth}`;
      silent.reset(depth);
      host.call(id, name, leastOf(tool));
      const hangs = await until(
        () => silent.isQuiet(15) || (about(host, id).length > 0 && "answered"),
        id,
        5000 * SLACK,
      );
      if (hangs === "answered") break;
      await cancelled(host, id, () => silent.server.open === 0);
      const { traffic } = silent;
      await host.settled();
      expect(about(host, id)).toEqual([]);
      // Nor does it try again elsewhere.
      expect(silent.traffic).toEqual(traffic);
      // A file that was being opened at that moment is closed when the system gives it.
      await until(() => host.descriptors() <= descriptors, "as many descriptors as before", 1_000 * SLACK);
    }
    expect(depth).toBeGreaterThan(0);
  });
});

test("phux_plugin_action, whose program hangs", async () => {
  const home = join(folder, "config", "phux");
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, "config.toml"), '[[plugins]]\nmanifest = "acme.toml"\n');
  const action = '[[actions]]\nid = "hang"\ntitle = "T"\ncommand = ["sh", "-c", "sleep 600 & wait"]\n';
  writeFileSync(
    join(home, "acme.toml"),
    `id = "acme"\nname = "A"\nversion = "1.0.0"\nmin_phux_version = "0.1"\n${action}`,
  );
  const marker = mark();
  const xdg = { XDG_CONFIG_HOME: join(folder, "config"), XDG_STATE_HOME: join(folder, "state") };
  using host = new RawHost({ bin: binary, env: { PATH: "/usr/bin:/bin", HOME: folder, ...xdg, ...marker.env } });
  host.call(0, "phux_plugin_action", { plugin_id: "acme", action_id: "hang" });
  await until(() => marked(marker.name, host.pid).length === 2, "the program and its child", 5000 * SLACK);
  await cancelled(host, 0, () => marked(marker.name, host.pid).length === 0);
  expect(await host.settled()).toEqual([]);
});

const works: readonly [string, Work][] = [place.child, place.wait].map((work) => [work.name, work]);
const start = () => new RawHost({ bin: binary, env: place.env });

describe.each(works)("%s", (_, work) => {
  // Falsy ids are normal, and an id may be a name that objects have.
  const ids = [0, "", -1, 1.5, Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER, 1e-7, "0", "1", " ", "null", "漢😀é"];
  const others = ["__proto__", "constructor", "\u2028\u0000", "x".repeat(100_000)];
  test("an id is one by type and value, whatever it is", async () => {
    using host = start();
    for (const id of [...ids, ...others]) {
      await work.start(host, id);
      const twin = typeof id === "number" ? String(id) : Number(id);
      for (const wrong of [twin, [id], { id }, null, true, `${id} `, id === 0 ? false : 0, id === "" ? "x" : ""]) {
        if (wrong !== id) host.cancel(wrong);
      }
      for (const params of [undefined, null, [id], id, { id }, { requestID: id }, { request_id: id }]) {
        host.send({ method: "notifications/cancelled", params });
      }
      await host.request("ping");
      expect(work.over(host)).toBe(false);
      // What hosts put beside the id takes nothing from it.
      const began = performance.now();
      host.send({
        jsonrpc: "2.0",
        method: "notifications/cancelled",
        params: { reason: "AbortError", requestId: id, _meta: {} },
      });
      await until(() => work.over(host), `the end of ${JSON.stringify(id).slice(0, 40)}`, LIMIT);
      took.push(performance.now() - began);
    }
    expect(await host.settled()).toEqual([]);
  });

  test("before its request, it hits nothing", async () => {
    using host = start();
    host.cancel(4);
    await work.start(host, 4);
    await host.settled();
    expect(work.over(host)).toBe(false);
  });

  test("in front of its request in one chunk, neither", async () => {
    using host = start();
    const cancel = `${JSON.stringify({ method: "notifications/cancelled", params: { requestId: 4 } })}\n`;
    host.write(cancel);
    await work.start(host, 4);
    await host.settled();
    expect(work.over(host)).toBe(false);
  });

  test("a second and a third are nothing, and the id is free at once", async () => {
    using host = start();
    await work.start(host, 4);
    const call = { id: 4, method: "tools/call", params: { name: "phux_operation_status", arguments: {} } };
    const cancel = { method: "notifications/cancelled", params: { requestId: 4 } };
    host.write([cancel, cancel, cancel, call].map((message) => `${JSON.stringify(message)}\n`).join(""));
    expect((await host.reply(4)).result?.isError).toBe(false);
    host.cancel(4).cancel(4);
    await until(() => work.over(host), "the end of the work", LIMIT);
    expect(await host.settled()).toHaveLength(1);
  });

  test("byte by byte", async () => {
    using host = start();
    await work.start(host, "漢");
    for (const byte of Buffer.from('{"method":"notifications/cancelled","params":{"requestId":"漢"}}')) {
      host.write(Uint8Array.of(byte));
      await Bun.sleep(0);
    }
    await Bun.sleep(5);
    expect(work.over(host)).toBe(false);
    host.write("\n");
    await until(() => work.over(host), "the end of the work", LIMIT);
  });

  test.each(links)(
    "is heard on a %s whose other side reads nothing, also by a call that waits its turn",
    async (stdio) => {
      using host = new RawHost({ bin: binary, env: place.env, stdio });
      await work.start(host, 4);
      host.stopReading();
      // 9 MB of answers; what comes behind them waits.
      host.write('{"id":"list","method":"tools/list"}\n'.repeat(200));
      host.call(5, "phux_status", { socket: "/slow" }).cancel(5).cancel(4);
      await until(() => work.over(host), "the end of the work", 2000 * SLACK);
      host.read();
      await until(() => host.messages.filter(({ id }) => id === "list").length === 200, "all answers", 10_000);
      await host.settled();
      expect(host.messages.filter(({ id }) => id === 4 || id === 5)).toEqual([]);
      expect(work.over(host) && place.child.over(host)).toBe(true);
    },
  );
});

test("of what needs no work is silence, and its answer comes", async () => {
  using host = start();
  const asked = ["initialize", "ping", "tools/list", "no/such"];
  const lines = asked
    .map((method, id) => ({ id, method }))
    .flatMap((request) => {
      const cancel = { method: "notifications/cancelled", params: { requestId: request.id } };
      return [cancel, request, cancel];
    });
  host.write(lines.map((message) => `${JSON.stringify(message)}\n`).join(""));
  expect((await host.settled()).map(({ id }) => id)).toEqual([0, 1, 2, 3]);
});

// A host sends one after every finished call: it must never hit the next call of the id, however close.
test("after each of 200 finished calls, whose id the next one has again", async () => {
  using host = start();
  const line = (message: object) => `${JSON.stringify(message)}\n`;
  const call = line({ id: 0, method: "tools/call", params: { name: "phux_operation_status", arguments: {} } });
  const cancel = line({ method: "notifications/cancelled", params: { requestId: 0 } });
  for (let calls = 1; calls <= 200; calls++) {
    // The cancel of the last one and this call share a chunk.
    host.write(calls === 1 ? call : cancel + call);
    await until(() => host.lines.length === calls, `answer ${calls}`, 5000 * SLACK);
  }
  expect(host.messages.every(({ id, result }) => id === 0 && result?.isError === false)).toBe(true);
});

describe("many", () => {
  const marker = mark();
  const slow = { socket: "/slow" };
  const wait = { target: "@1", until: "never there", timeout_secs: 600 };

  test("100 in a second, three times: nothing is left, and nothing piles up", async () => {
    using host = new RawHost({ bin: binary, env: { ...place.env, ...marker.env } });
    const sizes: number[] = [];
    for (let round = 0; round < 3; round++) {
      for (let at = 0; at < 100; at++) {
        const id = `${round} ${at}`;
        if (at % 2 === 0) host.call(id, "phux_status", slow, { progressToken: id });
        else host.call(id, "phux_wait", wait, { progressToken: id });
        // Some are at work by then, some only beginning.
        if (at >= 20) host.cancel(`${round} ${at - 20}`);
        await Bun.sleep(8);
      }
      for (let at = 80; at < 100; at++) host.cancel(`${round} ${at}`);
      const over = () => place.server.open === 0 && marked(marker.name, host.pid).length === 0;
      await until(over, "the end of all work", LIMIT);
      await host.settled();
      sizes.push(host.descriptors());
    }
    expect(host.messages.filter(({ id }) => /^\d \d+$/.test(String(id)))).toEqual([]);
    expect(sizes).toEqual(sizes.map(() => sizes[0] ?? 0));
  });

  // The start of a child and its cancel in every order.
  test("at any moment of a child's start", async () => {
    using host = new RawHost({ bin: binary, env: { ...place.env, ...marker.env } });
    await host.request("ping");
    for (let step = 0; step < 60; step++) {
      host.call(step, "phux_status", slow);
      const moment = performance.now() + step / 6;
      while (performance.now() < moment) await Bun.sleep(0);
      host.cancel(step);
    }
    await host.request("ping");
    await until(() => marked(marker.name, host.pid).length === 0, "the end of every child", LIMIT);
    expect(await host.settled()).toEqual([]);
  });
});

test("progress stops with its call, and goes on for the others", async () => {
  using host = start();
  const wait = { target: "@1", until: "never there", timeout_secs: 600 };
  for (const id of [0, "", "kept"]) host.call(id, "phux_wait", wait, { progressToken: id });
  const notes = (token: unknown) => host.messages.filter(({ params }) => params?.progressToken === token).length;
  await until(() => [0, "", "kept"].every((token) => notes(token) === 1), "their first status", 5000 * SLACK);
  host.cancel(0).cancel("");
  await host.settled();
  // A silent call says again that it runs.
  await until(() => notes("kept") === 2, "the second status of the one that goes on", 10_000 * SLACK);
  expect([notes(0), notes("")]).toEqual([1, 1]);
});

test("99 of 100 pieces of work end within 100 ms of their cancel", () => {
  const sorted = took.toSorted((a, b) => a - b);
  expect(sorted.length).toBeGreaterThan(150);
  expect(sorted[Math.floor(sorted.length * 0.99)]).toBeLessThan(100 * SLACK);
  expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThan(40);
});
