import { afterAll, describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Deadline } from "../../src/phux/deadline.ts";
import { Dialer } from "../../src/phux/dial.ts";
import { type AnyFrame, encodeFrame } from "../../src/wire/frame.ts";
import type { ProtocolVersion } from "../../src/wire/version.ts";
import { connected, dial, errorIn, never, valueIn, withServer } from "./dialled.ts";
import { errorFrame, type FakeServer, okResult, until, V08, V09, V10 } from "./fake-server.ts";
import { SmallPhux } from "./small-phux.ts";

describe("the version ladder", () => {
  const rungs: [server: string, version: ProtocolVersion, offers: string[]][] = [
    ["1.0.0", V10, ["1.0.0"]],
    ["1.0.7", { ...V10, patch: 7 }, ["1.0.0"]],
    ["0.9.0", V09, ["1.0.0", "0.9.0"]],
    ["0.8.0", V08, ["1.0.0", "0.9.0", "0.8.0"]],
    ["0.8.3", { ...V08, patch: 3 }, ["1.0.0", "0.9.0", "0.8.0"]],
  ];
  test.each(rungs)("a server of %s", (_, version, offers) =>
    withServer({ version }, async (server) => {
      const connection = await connected(server);
      expect(server.offered).toEqual(offers);
      expect(connection.server.version).toEqual(version);
      expect(connection.server.id).toBe("07".repeat(16));
      await until("one connection is left", () => server.open === 1);
      connection.close();
    }),
  );

  test("what a socket took last is offered first, and the others when it changed", () =>
    withServer({ version: V08 }, async (server) => {
      const dialer = new Dialer("phux-mcp/test");
      valueIn(await dialer.dial(server.socket, never())).close();
      valueIn(await dialer.dial(server.socket, never())).close();
      server.version = V09;
      valueIn(await dialer.dial(server.socket, never())).close();
      valueIn(await dialer.dial(server.socket, never())).close();
      expect(server.offered).toEqual(["1.0.0", "0.9.0", "0.8.0", "0.8.0", "0.8.0", "1.0.0", "0.9.0", "0.9.0"]);
    }));

  test("a server of none of our versions is refused in its own words", () =>
    withServer({ version: { major: 2, minor: 0, patch: 0 } }, async (server) => {
      const refusal = errorIn(await dial(server));
      expect(refusal).toMatchObject({ code: "transport", exitCode: 1 });
      for (const part of ["1.0.0", "0.9.0", "0.8.0", "this is 2"]) expect(refusal.message).toContain(part);
      expect(refusal.remedy).toContain("upgrade");
      expect(server.offered).toHaveLength(3);
    }));

  test("HELLO carries our name and what a headless client can do", () =>
    withServer({}, async (server) => {
      (await connected(server)).close();
      const [hello] = server.clients[0]?.received ?? [];
      expect(hello).toMatchObject({
        name: "HELLO",
        value: { client_name: "phux-mcp/test", client_caps: { layers: 5, bootstrap_profiles: 6 } },
      });
    }));
});

describe("the answer to HELLO", () => {
  const native = { tag: "native_state", codec: 1, features: 0 } as const;
  const answers: [what: string, answer: (server: FakeServer) => AnyFrame, code: string, says: string][] = [
    [
      "another major version",
      (s) => s.helloOk({ protocol_major: 0, protocol_minor: 9 }),
      "transport",
      "answered 0.9.0 to 1.0.0",
    ],
    ["a profile not offered", (s) => s.helloOk({ selected_profile: native }), "transport", "native_state"],
    ["larger chunks than offered", (s) => s.helloOk({ max_chunk_bytes: 262_145 }), "transport", "limits"],
    ["larger pages than offered", (s) => s.helloOk({ max_history_page_bytes: 1_048_577 }), "transport", "limits"],
    ["an ERROR", () => ({ name: "ERROR", value: { code: 201, message: "not you" } }), "transport", "not you"],
    ["another frame", () => okResult(1), "transport", "COMMAND_RESULT"],
  ];
  test.each(answers)("%s is a refusal", (_, answer, code, says) =>
    withServer({}, async (server) => {
      server.hello = (_value, client) => client.send(answer(server));
      const refusal = errorIn(await dial(server));
      expect(refusal).toMatchObject({ code, exitCode: 1 });
      expect(refusal.message).toContain(says);
      expect(server.offered).toEqual(["1.0.0"]);
      await until("the connection is closed", () => server.open === 0);
    }),
  );

  test("smaller limits than offered are fine", () =>
    withServer({}, async (server) => {
      server.hello = (_, client) => client.send(server.helloOk({ max_chunk_bytes: 1, max_history_page_bytes: 1 }));
      (await connected(server)).close();
    }));

  test("a server that closes without a word is no other version", () =>
    withServer({ hello: (_, client) => client.end() }, async (server) => {
      expect(errorIn(await dial(server))).toMatchObject({ code: "server_disconnected", exitCode: 1 });
      expect(server.offered).toEqual(["1.0.0"]);
    }));

  test("bytes that are no frame", () =>
    withServer(
      { hello: (_, client) => client.sendBytes(Buffer.from("HTTP/1.1 400 Bad Request\r\n")) },
      async (server) => {
        const refusal = errorIn(await dial(server));
        expect(refusal).toMatchObject({ code: "transport" });
        expect(refusal.message).toContain("cannot read");
      },
    ));

  test("the answer in single bytes", () =>
    withServer({}, async (server) => {
      const bytes = () => encodeFrame(server.helloOk());
      server.hello = (_, client) => void client.drip(bytes(), 1);
      (await connected(server)).close();
    }));

  test("what comes in the same breath belongs to the connection", () =>
    withServer({ version: V09 }, async (server) => {
      const phux = new SmallPhux();
      server.script = phux.script;
      const notice = errorFrame(null, "SATELLITE_UNREACHABLE", "away");
      server.hello = (_, client) => {
        if (server.offered.length === 2) client.send(server.helloOk(), notice, { name: "PING", value: { nonce: 9n } });
        else client.expel("VERSION_INCOMPATIBLE", "no");
      };
      const connection = await connected(server);
      expect(await connection.pushed.take(1_000)).toEqual(notice);
      valueIn(await connection.state());
      expect(server.frames[0]).toEqual({ name: "PONG", value: { nonce: 9n } });
      connection.close();
    }));
});

describe("limits and ends of a dial", () => {
  test("a silent server: the limit names the step, and the socket is closed", () =>
    withServer({ hello: () => {} }, async (server) => {
      const began = performance.now();
      const refusal = errorIn(await dial(server, never(), new Deadline(120, never())));
      expect(performance.now() - began).toBeWithin(90, 1_000);
      expect(refusal).toMatchObject({ code: "transport", exitCode: 1 });
      expect(refusal.message).toBe(`${server.socket} gave no answer to the greeting within 0.1 s`);
      await until("the connection is closed", () => server.open === 0);
    }));

  test("an abort closes the socket within 100 ms", () =>
    withServer({ hello: () => {} }, async (server) => {
      const abort = new AbortController();
      const dialling = dial(server, abort.signal);
      await until("the greeting is out", () => server.offered.length === 1);
      const began = performance.now();
      abort.abort();
      expect(errorIn(await dialling).code).toBe("transport");
      await until("the connection is closed", () => server.open === 0);
      expect(performance.now() - began).toBeLessThan(100);
    }));

  test("an abort that came before opens nothing", () =>
    withServer({}, async (server) => {
      expect(errorIn(await dial(server, AbortSignal.abort())).code).toBe("transport");
      await Bun.sleep(20);
      expect(server.clients).toHaveLength(0);
    }));
});

describe("nobody to talk to", () => {
  const folder = mkdtempSync(join(tmpdir(), "phux-dial-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const at = (name: string) => join(folder, name);
  writeFileSync(at("plain"), "");
  mkdirSync(at("folder"));
  spawnSync("mkfifo", [at("pipe")]);
  symlinkSync(at("absent"), at("dangling"));
  symlinkSync(at("loop"), at("loop"));
  const places: [what: string, path: string, other: string | null][] = [
    ["no file", at("absent"), null],
    ["a plain file", at("plain"), "a plain file"],
    ["a folder", at("folder"), "a folder"],
    ["a named pipe", at("pipe"), "a named pipe"],
    ["a device", "/dev/null", "a device"],
    ["a file where a folder should be", join(at("plain"), "x.sock"), null],
    ["a link to nothing", at("dangling"), null],
    ["a link to itself", at("loop"), null],
  ];
  test.each(places)("%s is no_server", async (_, path, other) => {
    const refusal = errorIn(await new Dialer("x").dial(path, never()));
    expect(refusal).toMatchObject({ code: "no_server", exitCode: 1 });
    const why = other === null ? "" : `: it is ${other}, not a socket`;
    expect(refusal.message).toBe(`no phux server is listening at ${path}${why}`);
    expect(refusal.remedy).toMatch(/phux server.*phux doctor/);
    expect(refusal.remedy.includes("PHUX_SOCKET")).toBe(other !== null);
  });

  test("a folder that this user may not search", async () => {
    // Root may search every folder, so that the one who dials is nobody; the checkout may be closed to him, too.
    const script = `
      const { Dialer } = await import(process.argv[2]);
      if (process.getuid() === 0) process.setuid(65534); else require("fs").chmodSync(process.argv[1], 0);
      const dialled = await new Dialer("x").dial(process.argv[1] + "/x.sock", new AbortController().signal);
      console.log(JSON.stringify(dialled.error));`;
    mkdirSync(at("closed"), { mode: 0o700 });
    const client = join(import.meta.dir, "..", "..", "src", "phux", "dial.ts");
    const child = Bun.spawn([process.execPath, "-e", script, at("closed"), client], { stdout: "pipe" });
    const refusal: unknown = JSON.parse(await child.stdout.text());
    chmodSync(at("closed"), 0o700);
    expect(refusal).toMatchObject({
      code: "no_server",
      exitCode: 1,
      message: expect.stringContaining("may not open it"),
    });
  });

  test("a server that is just coming up is found", async () => {
    const path = at("late.sock");
    writeFileSync(path, "");
    const dialling = new Dialer("x").dial(path, never());
    await Bun.sleep(5);
    rmSync(path);
    const listener = Bun.listen({ unix: path, socket: { data: (socket) => void socket.end() } });
    expect(errorIn(await dialling).code).toBe("server_disconnected");
    listener.stop(true);
  });
});
