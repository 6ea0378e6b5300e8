/** Kind C: whatever stands at the socket and however slow it is, the host has its answers in time. */

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { encodeFrame } from "../../src/wire/frame.ts";
import { isAlive, PhuxScript } from "../e2e/phux-script.ts";
import { SLACK, until } from "../e2e/raw-host.ts";
import { stage } from "../lab/stage.ts";
import { FakeServer, okResult, requestId, V10 } from "../phux/fake-server.ts";
import { SmallPhux, stateResult } from "../phux/small-phux.ts";
import { isErrorDocument } from "../tools/calls.ts";
import { isTaken, numberArguments, written } from "./c-numbers.ts";
import { admitting, Dripping, greeting, Places } from "./c-servers.ts";
import { type Asked, askAll, Waits } from "./c-waits.ts";
import { callsOverTheSocket, type ToolCall } from "./cd-every-tool.ts";
import { Host } from "./cd-host.ts";
import { PLUGIN, writePlugin } from "./cd-plugins.ts";

setDefaultTimeout(90_000);

const places = new Places();
const phux = new PhuxScript();
const waits = new Waits();
const bySocket = callsOverTheSocket(places.file);
const byName = (...names: string[]) => bySocket.filter(({ tool }) => names.includes(tool));
afterAll(() => {
  waits[Symbol.dispose]();
  places[Symbol.dispose]();
  phux.remove();
});

/** A host whose default server this is. */
const hostAt = (socket: string, path = "/usr/bin:/bin") =>
  new Host({ env: { PHUX_SOCKET: socket, PATH: path, HOME: places.folder } });

/** An error document that says what to do, within so many milliseconds. */
function expectRefusal({ tool, text, isError, ms }: Asked, code: string, limitMs: number): string {
  expect([tool, isError, text.includes("\n")]).toEqual([tool, true, false]);
  const document: unknown = JSON.parse(text);
  if (!isErrorDocument(document)) throw new Error(`${tool}: no error document but ${text}`);
  expect([tool, document.error.code]).toEqual([tool, code]);
  expect(document.remedy).toMatch(/phux|PHUX_SOCKET/);
  expect(ms).toBeLessThan(limitMs);
  return document.error.message;
}

const START_MS = 100;
/** On top of a limit of the contract: as much as a busy machine takes for forty calls at once. */
const LATE_MS = 1_000 * SLACK;

beforeAll(async () => {
  // A program that was never run is read from the disk first.
  using host = hostAt("/none");
  await host.started;
  // The last tests of this file wait half a minute, and the others run meanwhile.
  await waits.start(bySocket, phux);
});

async function expectStart(host: Host): Promise<void> {
  const { initialize, list } = await host.started;
  expect(initialize).toBeLessThan(START_MS * SLACK);
  expect(list).toBeLessThan(START_MS * SLACK);
}

describe("a path that nobody listens on", () => {
  const rows: [name: string, says: string, why: string][] = [
    ["absent", "", "no server was ever started"],
    ["absent/folder", "", "nor is there a folder"],
    ["stale", "", "the server died and left its socket"],
    ["file", "a plain file", "a plain file answers like a dead socket"],
    ["link", "a plain file", "so does a link to one"],
    ["file/under", "", "a file where the folder should be"],
    ["folder", "a folder", "a folder is no socket"],
    ["pipe", "a named pipe", "opening a FIFO without a writer would wait for ever"],
    ["dangling", "", "a link to nothing"],
    ["loop", "", "a link to itself"],
    ["/dev/zero", "a device", "reading it would never end"],
    ["/", "a folder", "the root is a folder like any other"],
  ];
  test.each(rows)("%s: at once and by its name; %p (%s)", async (name, says) => {
    using host = hostAt(places.at(name));
    await expectStart(host);
    for (const asked of await askAll(host, bySocket)) {
      const message = expectRefusal(asked, "no_server", LATE_MS);
      expect(message).toContain(places.at(name));
      expect(message).toContain(says);
    }
  });

  const unusable: [what: string, path: string, code: string][] = [
    ["a path longer than an address", `/tmp/${"x".repeat(200)}`, "transport"],
    ["a path that is no path", "a\u202eb", "no_server"],
  ];
  test.each(unusable)("%s", async (_, path, code) => {
    using host = hostAt(path);
    await expectStart(host);
    for (const asked of await askAll(host, byName("phux_ls", "phux_kill", "phux_wait")))
      expectRefusal(asked, code, LATE_MS);
  });
});

describe("a server that does not greet as it should is refused at once", () => {
  const text = (words: string) => new TextEncoder().encode(words);
  const hello = (server: FakeServer) => encodeFrame(server.helloOk());
  const rows: [what: string, make: () => FakeServer, code: string, says: RegExp][] = [
    ["one that hangs up", () => greeting(() => new Uint8Array(), true), "server_disconnected", /closed the connection/],
    ["another protocol", () => greeting(() => text("HTTP/1.1 400 Bad Request\r\n\r\n"), false), "transport", /frame/],
    ["a frame without an end", () => greeting(() => Uint8Array.of(255, 255, 255, 255), false), "transport", /frame/],
    ["half a greeting", (s = hello) => greeting((it) => s(it).subarray(0, 9), true), "server_disconnected", /closed/],
    ["a later version", () => new FakeServer({ version: { ...V10, major: 2 } }), "transport", /1\.0\.0/],
    ["the wrong frame", () => greeting(() => encodeFrame(okResult(1)), false), "transport", /COMMAND_RESULT/],
  ];
  test.each(rows)("%s", async (_, make, code, says) => {
    const server = make();
    using host = hostAt(server.socket);
    await expectStart(host);
    for (const asked of await askAll(host, bySocket)) expect(expectRefusal(asked, code, LATE_MS)).toMatch(says);
    await until(() => server.open === 0, "its connections are closed", LATE_MS);
    server.close();
  });
});

describe("a number is taken within its bounds, and refused in words beyond them", () => {
  const phuxPath = `${phux.folder}:/usr/bin:/bin`;
  test.each(numberArguments.map((one) => [`${one.tool} ${one.name}`, one] as const))("%s", async (_, argument) => {
    const { tool, given, name, least } = argument;
    using host = hostAt("/none", phuxPath);
    const answers = written.map(async (text) => {
      const others = JSON.stringify(given).slice(1, -1);
      const args = `{${others}${others === "" ? "" : ","}${JSON.stringify(name)}:${text}}`;
      return { text, answer: await host.written(tool, args) };
    });
    for (const { text, answer } of await Promise.all(answers)) {
      // With these arguments a number that is taken leads on to a server that is not there, or to the script.
      const refused = answer.isError && answer.text.includes(`"${name}" must be`);
      expect([text, refused]).toEqual([text, !isTaken(text, argument)]);
      if (refused) expect(answer.text).toMatch(new RegExp(`${tool}.*${least}`));
      expect(answer.ms).toBeLessThan(5_000 * SLACK);
    }
  });
});

describe("a long time limit is waited for", () => {
  const seconds = [2_147_484, 4_294_968, 1e9, Number.MAX_SAFE_INTEGER, "2147484"];
  test("limits beyond what a timer counts do not end at once", async () => {
    await using lab = await stage();
    using host = hostAt(lab.lab.socket);
    const forever = { target: "@1", until: "never there" };
    const ids = [
      ...seconds.map((timeout_secs) => host.begin("phux_wait", { ...forever, timeout_secs })),
      ...seconds.map((timeout_secs) => host.begin("phux_watch", { target: "@1", timeout_secs, max_events: 1e9 })),
      ...seconds.map((idle_ms) => host.begin("phux_wait", { target: "@1", idle_ms })),
      host.begin("phux_wait", forever),
      host.begin("phux_watch", {}),
      host.begin("phux_resource_wait", { target: "@1", timeout_secs: 3600 }),
    ];
    const second = await host.document("phux_wait", { ...forever, timeout_secs: 1 });
    expect(second).toMatchObject({ outcome: "timed_out" });
    const none = await host.document("phux_wait", { ...forever, timeout_secs: 0 });
    expect(none).toEqual({ outcome: "timed_out", polls: 1 });
    expect(ids.filter((id) => !host.runs(id))).toEqual([]);
    for (const id of ids) host.raw.cancel(id);
    await until(() => lab.lab.server.connections.size === 0, "all of them are closed", LATE_MS);
  });

  test("waiting so long costs nothing", async () => {
    await using lab = await stage();
    using host = hostAt(lab.lab.socket);
    const given = { target: "@1", timeout_secs: Number.MAX_SAFE_INTEGER };
    for (let count = 0; count < 60; count += 1) host.begin("phux_watch", given);
    const second = { target: "@1", until: "never there", timeout_secs: 1 };
    await host.document("phux_wait", second);
    const before = host.raw.cpuMs();
    await host.document("phux_wait", second);
    // A timer that fires at once and is set again takes half a second of these.
    expect(host.raw.cpuMs() - before).toBeLessThan(100 * SLACK);
  });

  test("nor does a plugin's action; without any time it is ended at once, with all it started", async () => {
    const pids = join(places.folder, "pids");
    const config = writePlugin(places.folder, { sleeps: `sleep 600 & echo $! $$ >> '${pids}'; wait` });
    const given = { plugin_id: PLUGIN, action_id: "sleeps", config };
    using host = hostAt("/none");
    const running = () => (existsSync(pids) ? readFileSync(pids, "utf8") : "").split(/\s+/).filter((pid) => pid !== "");
    const ids = [...seconds.map((timeout_secs) => ({ ...given, timeout_secs })), given].map((args) =>
      host.begin("phux_plugin_action", args),
    );
    await until(() => running().length === 2 * ids.length, "all of them run", 5 * LATE_MS);
    const ended = await host.document("phux_plugin_action", { ...given, timeout_secs: 0 });
    expect(ended).toMatchObject({ outcome: "timed_out", exit_code: null });
    expect(ids.filter((id) => !host.runs(id))).toEqual([]);
    for (const id of ids) host.raw.cancel(id);
    await until(() => !running().some((pid) => isAlive(Number(pid))), "everything is gone", LATE_MS);
  });
});

describe("one slow call holds up no other", () => {
  /** Nineteen quick calls of both kinds, beside whatever is slow. */
  async function expectQuick(host: Host): Promise<void> {
    const quick = Array.from({ length: 19 }, (_, at): ToolCall => {
      return at % 2 === 0 ? { tool: "phux_ls", given: {} } : { tool: "phux_status", given: {} };
    });
    for (const { tool, isError, ms } of await askAll(host, quick)) {
      expect([tool, isError]).toEqual([tool, false]);
      expect(ms).toBeLessThan(1_000 * SLACK);
    }
  }
  const withPhux = (socket: string) => hostAt(socket, `${phux.folder}:/usr/bin:/bin`);

  test("one that waits for the server", async () => {
    await using lab = await stage({ faults: { lateMs: { GET_SCREEN: 600_000 } } });
    using host = withPhux(lab.lab.socket);
    const slow = host.begin("phux_snapshot", { target: "@1" });
    await until(() => lab.lab.server.connections.size === 1, "it is under way", LATE_MS);
    await expectQuick(host);
    expect(host.runs(slow)).toBe(true);
  });

  test("one, and twenty, that wait for `phux`", async () => {
    await using lab = await stage();
    using host = withPhux(lab.lab.socket);
    for (const count of [1, 20]) {
      const slow = Array.from({ length: count }, () => host.begin("phux_status", { socket: "/slow" }));
      await phux.begun(host.raw);
      await expectQuick(host);
      expect(slow.filter((id) => !host.runs(id))).toEqual([]);
      for (const id of slow) host.raw.cancel(id);
    }
    await until(() => phux.over(host.raw), "their children are gone", LATE_MS);
  });

  test("forty that nobody answers", async () => {
    const silent = new FakeServer({ hello: () => {} });
    await using lab = await stage();
    using host = withPhux(lab.lab.socket);
    const slow = bySocket.map(({ tool, given }) => host.begin(tool, { ...given, socket: silent.socket }));
    await until(() => silent.open > 30, "they are under way", LATE_MS);
    await expectQuick(host);
    expect(slow.filter((id) => host.runs(id)).length).toBeGreaterThan(30);
    silent.close();
  });
});

test("a server that answers a few bytes at a time, in time, is answered from", async () => {
  const small = new SmallPhux();
  const slow = admitting(small.script);
  const dripping = new Dripping();
  small.override = (frame, client) => {
    const bytes = encodeFrame(stateResult(requestId(frame), small.state));
    if (frame.name === "COMMAND") dripping.bytes(client, 2, bytes);
    return frame.name === "COMMAND";
  };
  using host = hostAt(slow.socket);
  expect(await host.document("phux_organize")).toMatchObject({ sessions: [{ session: "home" }, { session: "work" }] });
  dripping[Symbol.dispose]();
  slow.close();
});

describe("a server that is there and does not answer", () => {
  /** Tools with a time limit of their own look once, for at most two seconds. */
  const FIRST_LOOK = 2_000;
  const limitOf = ({ given }: ToolCall, most: number) => ("timeout_secs" in given ? FIRST_LOOK : most);
  // What a server may hold for a person's consent answers `pending` after two seconds, and goes on behind the call.
  const held = ["phux_detach", "phux_kill", "phux_signal"];

  const rows: [what: string, ms: number, says: RegExp, why: string][] = [
    ["never greets", 5_000, /no answer to the greeting/, "the greeting has five seconds"],
    ["greets a byte at a time", 5_000, /no answer to the greeting/, "a byte is no reason to wait longer"],
    ["never answers", 30_000, /no answer to/, "a request has thirty"],
    ["answers a byte at a time", 30_000, /no answer to/, "part of a frame is no answer"],
    ["talks of something else", 30_000, /no answer to/, "nor are pings and events"],
  ];
  test.each(rows)("one that %s is given up after %p ms", async (what, most, says) => {
    const { host, server, asked } = waits.of(what);
    await expectStart(host);
    const pending: string[] = [];
    for (const one of await asked) {
      if (one.isError) {
        const limit = limitOf(one, most);
        expect(expectRefusal(one, "transport", limit + LATE_MS)).toMatch(says);
        expect(one.ms).toBeGreaterThan(limit - 100);
      } else pending.push(one.tool);
    }
    expect(pending.filter((tool) => !held.includes(tool))).toEqual([]);
    await until(() => server.open <= pending.length, "the connections are closed", LATE_MS);
    expect(host.raw.memory().peak).toBeLessThan(200e6);
  });

  test("every tool that runs `phux` ends with its time, and its group with it", async () => {
    const { overCli } = waits;
    if (overCli === null) throw new Error("nobody waits for phux");
    for (const { tool, given, isError, text, ms } of await overCli.asked) {
      const own = Number(given["duration_secs"] ?? given["timeout_secs"] ?? 30);
      const limit = "timeout_secs" in given ? own + 5 : "duration_secs" in given ? own + 30 : own;
      expect([tool, isError, text.includes(`no answer within ${limit} s`)]).toEqual([tool, true, true]);
      expect(ms).toBeWithin(limit * 1_000 - 100, limit * 1_000 + LATE_MS);
    }
    await until(() => phux.over(overCli.host.raw), "its children are gone", LATE_MS);
    // One that has answered and hangs all the same has no exit status, which decides what its answer means.
    for (const { isError, text } of await overCli.answered)
      expect([isError, text]).toEqual([true, expect.stringContaining("no answer")]);
  });
});
