import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { refuse } from "../../src/phux/errors.ts";
import { catalog } from "../../src/tools/catalog.ts";
import type { Place } from "../../src/tools/place.ts";
import { inProcess } from "../../src/tools/tool.ts";
import { fail, ok } from "../../src/wire/result.ts";
import { withServer } from "../phux/dialled.ts";
import { until } from "../phux/fake-server.ts";
import { SmallPhux } from "../phux/small-phux.ts";
import { Bench, isErrorDocument } from "./calls.ts";

const folder = mkdtempSync(join(tmpdir(), "phux-runner-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const nowhere: Place["socket"] = (argument) => ok({ path: argument ?? "/none", origin: "argument", found: false });

let serial = 0;
/** A bench whose `phux` is this piece of sh; it finds its arguments in `$0.args`. */
function withPhux(body: string, socket: Place["socket"] = nowhere) {
  const home = mkdtempSync(join(folder, `${serial++}-`));
  const path = join(home, "phux");
  writeFileSync(path, `#!/bin/sh\nprintf '%s\\n' "$@" > "$0.args"\n${body}\n`, { mode: 0o755 });
  const bench = new Bench(null, { self: join(home, "phux-mcp"), environment: { PATH: "/usr/bin:/bin" }, socket });
  const args = async () => (await Bun.file(`${path}.args`).text()).trimEnd().split("\n");
  return { bench, args, started: () => existsSync(`${path}.args`) };
}
/** The same, and `log` appends what a child does and the last of its arguments. */
function withLog(body: string) {
  const path = join(mkdtempSync(join(folder, "log-")), "log");
  const { bench } = withPhux(
    `log() { phase=$1; shift; for last; do :; done; echo "$phase $last" >> '${path}'; }\n${body}`,
  );
  return { bench, log: () => (existsSync(path) ? readFileSync(path, "utf8").trim().split("\n") : []) };
}
const prints = (text: string) => `cat <<'END_OF_IT'\n${text}\nEND_OF_IT`;

describe("by name", () => {
  const unknown: [name: string, says: string][] = [
    ["phux_snapshots", "phux_snapshot"],
    ["snapshot", "phux_snapshot"],
    ["constructor", "unknown"],
    ["", "unknown"],
    ["x".repeat(9_999), "unknown"],
  ];
  test.each(unknown)("%j is unknown", async (name, says) => {
    const { text, isError } = await new Bench(null).call(name);
    expect(isError).toBe(true);
    expect(text).toContain(says);
    expect(text.length).toBeLessThan(400);
  });

  const gated = ["phux_kill", "phux_rm", "phux_detach", "phux_signal", "phux_approve"].filter((name) =>
    catalog.some((tool) => tool.name === name),
  );
  test.each(gated)("%s wants consent before it looks at anything else", async (name) => {
    const bench = new Bench(null);
    for (const confirm of [undefined, null, "true", 1, false, ["true"], { a: true }]) {
      expect(await bench.failure(name, { nonsense: 1, ...(confirm !== undefined && { confirm }) })).toContain(
        "confirm: true",
      );
    }
    expect(bench.asked).toEqual([]);
  });

  test("nothing else asks for it, and takes none", async () => {
    for (const { name } of catalog.filter((tool) => !gated.includes(tool.name))) {
      expect(await new Bench(null).failure(name, { confirm: true })).toContain('"confirm"');
    }
  });
});

describe("in process", () => {
  test("a document is two-space JSON in the order of its members", () =>
    withServer({ script: new SmallPhux().script }, async (server) => {
      const { text, isError } = await new Bench(server.socket).call("phux_ls");
      expect(isError).toBe(false);
      expect(text).toBe(JSON.stringify(JSON.parse(text), null, 2));
      expect(text).toStartWith('{\n  "schema_version": 3,\n  "sessions": [');
    }));

  test("a failure with a code is one line of four members", () =>
    withServer({ script: new SmallPhux().script }, async (server) => {
      const text = await new Bench(server.socket).failure("phux_snapshot", { target: "nobody" });
      expect(text).not.toContain("\n");
      expect(isErrorDocument(JSON.parse(text))).toBe(true);
    }));

  test("the call's socket is the one that is asked for", () =>
    withServer({ script: new SmallPhux().script }, async (server) => {
      const bench = new Bench(null);
      await bench.document("phux_ls", { socket: server.socket });
      expect(bench.asked).toEqual([server.socket]);
      expect(await bench.failure("phux_ls")).toBe("no socket in this test");
    }));

  test("its connection is closed when the call ends, well or not", () =>
    withServer({ script: new SmallPhux().script }, async (server) => {
      const bench = new Bench(server.socket);
      await bench.document("phux_ls");
      await bench.failure("phux_snapshot", { target: "nobody" });
      await until("both are closed", () => server.open === 0);
      expect(server.clients).toHaveLength(2);
    }));

  test("also when a tool throws by mistake", () =>
    withServer({}, async (server) => {
      const broken = inProcess({
        name: "broken",
        verb: null,
        sets: [],
        about: "A tool of this test.",
        touches: { methods: [] },
        input: {},
        run: async (_, call) => {
          await call.connect(undefined);
          throw new Error("a mistake");
        },
      });
      expect(new Bench(server.socket, {}, [broken]).call("broken")).rejects.toThrow("a mistake");
      await until("it is closed", () => server.clients.length === 1 && server.open === 0);
    }));

  test("the host's budget is kept", async () => {
    const long = inProcess({
      name: "long",
      verb: null,
      sets: [],
      about: "A tool of this test.",
      touches: { methods: [] },
      input: {},
      cuts: [{ at: ["rows"], hint: "more" }],
      run: async () => ok({ rows: Array.from({ length: 9_000 }, (_, at) => `row ${at}`) }),
    });
    const sizes = async (host: string | undefined, environment = {}) => {
      const bench = new Bench(null, { environment }, [long]);
      return (await bench.call("long", {}, host === undefined ? {} : { host })).text.length;
    };
    expect(await sizes("codex-mcp-client")).toBeWithin(9_800, 10_001);
    expect(await sizes(undefined)).toBeWithin(39_700, 40_001);
    expect(await sizes("codex-mcp-client", { PHUX_MCP_MAX_RESULT_CHARS: "2000" })).toBeWithin(1_800, 2_001);
    expect(await sizes("opencode")).toBeLessThan(45_000);
  });
});

describe("over the command line", () => {
  test("stdout goes out as it stands, numbers and members and blanks", async () => {
    const document = '{ "schema_version":1,\n\t"n":9007199254740993, "f":1.0, "a":{"b":[ ]} }';
    const { bench } = withPhux(prints(document));
    expect(await bench.call("phux_status")).toEqual({ text: document, isError: false });
  });

  test("a document that must be cut keeps its numbers", async () => {
    const sessions = Array.from({ length: 900 }, (_, at) => ({ name: `session ${at}`, windows: 1 }));
    const document = JSON.stringify({ n: 7, sessions }).replace("7", "9007199254740993");
    const { bench } = withPhux(prints(document));
    const { text } = await bench.call("phux_status", {}, { host: "codex-mcp-client" });
    expect(text.length).toBeLessThanOrEqual(10_000);
    expect(text).toContain('"n": 9007199254740993');
    expect(text).toContain('"session 899"');
    expect(JSON.parse(text)).toMatchObject({ truncated: true, truncated_hint: expect.stringContaining("phux_ls") });
  });

  test("a command is given back as it was asked for, and the rest of the document stays exact", async () => {
    const printed = '{"command":"eval x","exit_code":3,"output":"o","duration_ms":9007199254740993,"truncated":true}';
    const { bench, args } = withPhux(`${prints(printed)}\nexit 3`);
    const command = "cat <<E\nx\nE";
    const { text } = await bench.call("phux_run", { target: "@1", command, timeout_secs: 5 });
    expect(text).toContain("9007199254740993");
    expect(JSON.parse(text)).toMatchObject({
      command,
      exit_code: 3,
      truncated: true,
      truncated_hint: expect.stringContaining("@1"),
    });
    expect((await args()).slice(0, 6)).toEqual(["run", "--json", "--timeout", "5", "--", "@1"]);
    expect(bench.progress).toEqual(["waiting for the command in @1"]);
  });

  const failures: [what: string, body: string, text: string][] = [
    ["prose", "echo why it failed >&2; exit 1", "why it failed"],
    [
      "an error document behind a warning",
      `echo warning >&2; echo '{"schema_version":1,"error":{"code":"c","message":"m"},"remedy":"r","exit_code":1}' >&2; exit 1`,
      'warning\n{"schema_version":1,"error":{"code":"c","message":"m"},"remedy":"r","exit_code":1}',
    ],
  ];
  test.each(failures)("%s on stderr is the failure", async (_, body, text) =>
    expect(await withPhux(body).bench.failure("phux_status")).toBe(text),
  );

  test("a socket that we would not use is not handed to a child", async () => {
    const { bench, started } = withPhux(prints("{}"), () => fail(refuse("transport", "a stranger's")));
    for (const given of [{}, { socket: "/tmp/s" }]) {
      expect(await bench.code("phux_status", given)).toEqual(["transport", 1]);
    }
    expect(started()).toBe(false);
    // It talks to no server.
    expect(await bench.document("phux_project_inspect")).toEqual({});
  });

  test("runs in one pane go one after the other, in the order of the calls; other panes do not wait", async () => {
    const { bench, log } = withLog(
      `log begin "$@"; sleep 0.05; log end "$@"; ${prints('{"exit_code":0,"output":""}')}`,
    );
    const run = (target: string, command: string) => bench.document("phux_run", { target, command });
    await Promise.all([run("@1", "one"), run("@1", "two"), run("@2", "other"), run("@1", "three")]);
    expect(log().filter((line) => !line.endsWith("other"))).toEqual(
      ["one", "two", "three"].flatMap((command) => [`begin ${command}`, `end ${command}`]),
    );
    expect(log().indexOf("begin other")).toBeLessThan(log().indexOf("begin two"));
  });

  test("a run that waits for its turn ends with its cancel or at its limit, and starts nothing", async () => {
    const { bench, log } = withLog('log begin "$@"; exec sleep 300');
    const first = new AbortController();
    const running = bench.call("phux_run", { target: "@1", command: "long" }, { signal: first.signal });
    await until("it runs", () => log().length === 1);
    const second = new AbortController();
    const waiting = bench.call("phux_run", { target: "@1", command: "next" }, { signal: second.signal });
    second.abort();
    await waiting;
    const late = await bench.failure("phux_run", { target: "@1", command: "late", timeout_secs: 1 });
    expect(late).toBe("phux_run: an earlier phux_run in @1 did not end within 1 s; nothing was typed");
    first.abort();
    await running;
    expect(log()).toEqual(["begin long"]);
  });

  test("a default socket that was found is the child's too, and a named one is its argument", async () => {
    const found: Place["socket"] = () => ok({ path: "/run/found.sock", origin: "default", found: true });
    const { bench, args } = withPhux(`printf '{"schema_version":1,"socket":"%s"}' "$PHUX_SOCKET"`, found);
    expect(await bench.document("phux_status")).toMatchObject({ socket: "/run/found.sock" });
    expect(await args()).not.toContain("--socket");
    expect(await bench.document("phux_status", { socket: "/s" })).toMatchObject({ socket: "" });
    expect(await args()).toContain("/s");
  });

  test("a failure that is longer than its host shows is cut", async () => {
    const { bench } = withPhux(`head -c 60000 /dev/zero | tr '\\0' e >&2; echo THE END >&2; exit 1`);
    const text = await bench.failure("phux_status", {}, { host: "codex-mcp-client" });
    expect(text.length).toBeLessThanOrEqual(10_000);
    expect(text).toEndWith("THE END");
  });

  const floods: [tool: string, given: Record<string, unknown>, says: string][] = [
    ["phux_archive", { action: "save" }, "pass `output`"],
    ["phux_agent_list", {}, "run `phux agent list --json > FILE`"],
    ["phux_agent_send_keys", { target: "@1", keys: ["x"] }, "what it did is done"],
  ];
  test.each(floods)("%s %j that prints more than is taken says what to do instead", async (tool, given, says) => {
    const { bench } = withPhux("head -c 1048577 /dev/zero | tr '\\0' ' '");
    const text = await bench.failure(tool, given);
    expect(text).toContain("1048576 bytes on stdout");
    expect(text).toContain(says);
  });

  test("no phux is a sentence that says where it was looked for", async () => {
    const bench = new Bench(null, { self: "/nowhere/phux-mcp", environment: { PATH: "/none" } });
    const text = await bench.failure("phux_status");
    for (const part of ["phux", "/nowhere", "PATH"]) expect(text).toContain(part);
  });

  test("an abort ends the child", async () => {
    const { bench, started } = withPhux("exec sleep 300");
    const abort = new AbortController();
    const call = bench.call("phux_status", {}, { signal: abort.signal });
    await until("it runs", started);
    const began = performance.now();
    abort.abort();
    await call;
    expect(performance.now() - began).toBeLessThan(1_000);
  });

  const dashes: [tool: string, args: Record<string, unknown>, argv: string[]][] = [
    ["phux_new", { name: "-x" }, ["new", "--session=-x", "--json"]],
    ["phux_new", { name: "x", cwd: "-y" }, ["new", "-s", "x", "--json", "--cwd=-y"]],
    ["phux_new", { name: "x", command: ["-z", "--"] }, ["new", "-s", "x", "--json", "--", "-z", "--"]],
    ["phux_new", { name: "x", command: [] }, ["new", "-s", "x", "--json"]],
    ["phux_status", { socket: "-s" }, ["status", "--json", "--socket=-s"]],
    [
      "phux_run",
      { target: "-t", command: "--help", force: true },
      ["run", "--json", "--timeout", "600", "--force", "--", "-t", "--help"],
    ],
  ];
  test.each(dashes)("%s %j: a value that begins with - is never an option", async (tool, given, argv) => {
    const { bench, args } = withPhux(prints('{"schema_version":1}'));
    await bench.document(tool, given);
    expect(await args()).toEqual(argv);
  });
});
