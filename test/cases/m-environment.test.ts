/** The compiled binary in every surrounding that a host, a shell, a container or a careless person gives it. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { chownSync, mkdirSync, rmdirSync, rmSync, symlinkSync } from "node:fs";
import { dirname } from "node:path";
import { until } from "../e2e/raw-host.ts";
import { besideCareless, Place, phuxes } from "./m-phux.ts";
import { ask, copyProgram, document, expectService, Room, type Said } from "./m-room.ts";
import { absent, reached, refused, STRANGER, strangers, type Way } from "./m-socket.ts";
import { ending, isolated, serving } from "./m-start.ts";

setDefaultTimeout(60_000);

let room: Room;
beforeAll(async () => {
  room = await Room.open();
});
afterAll(() => room[Symbol.asyncDispose]());

describe("everything works with", () => {
  test.each([...serving])("%s", async (_, start) => {
    using host = room.start(start(room));
    await expectService(host, room.lab.socket);
  });

  test("a working folder that is deleted later", async () => {
    const cwd = room.make("goes");
    using host = room.start({ cwd });
    await host.request("ping");
    rmdirSync(cwd);
    expect((await ask(host, "phux_ls", { socket: "relative.sock" })).text).toContain("no_server");
    await expectService(host, room.lab.socket);
  });
});

describe("a terminal for stdin and stdout", () => {
  const ends: [how: string, end: (terminal: Bun.Terminal) => void][] = [
    ["the key for it", (terminal) => terminal.write("\x04")],
    ["a hang-up", (terminal) => terminal.close()],
  ];
  test.each(ends)("serves, and ends with %s", async (_, end) => {
    let seen = "";
    const data = (_terminal: Bun.Terminal, bytes: Uint8Array) => {
      seen += Buffer.from(bytes).toString();
    };
    const child = Bun.spawn([room.beside], { env: room.six(), terminal: { data } });
    child.terminal?.write('{"id":"by hand","method":"ping"}\n');
    await until(() => seen.includes('"id":"by hand","result":{}}'), "the answer", 5_000);
    if (child.terminal !== undefined) end(child.terminal);
    expect(await child.exited).toBe(0);
    child.terminal?.close();
  });
});

const worlds = Bun.spawnSync(["/usr/bin/env", "unshare", "-m", "-n", "true"]).exitCode === 0;
const why =
  worlds || process.env["PHUX_MCP_SKIP_NOTHING"] !== undefined ? "" : " (skipped: unshare is not allowed here)";
describe.skipIf(why !== "")(`everything works with${why}`, () => {
  test.each([...isolated])("%s", async (_, flags, before) => {
    const words = flags.join(" ");
    using host = room.start({ script: `exec unshare ${words} /bin/sh -c '${before} && exec "$0"' "$0"` });
    await expectService(host, room.lab.socket);
  });
});

describe("an end, no noise on stdout, and at most one line on stderr:", () => {
  test.each([...ending])("%s", async (_, script, code, says) => {
    using host = room.start({ script });
    host.send({ id: 1, method: "ping" }).closeInput();
    expect(await host.ended(5_000)).toMatchObject({ code });
    expect(host.lines).toEqual([]);
    expect(host.stderr.trim()).toMatch(says);
    expect(host.stderr.trim()).not.toContain("\n");
  });
});

/** What a tool of each kind says: in process, and over the command line. */
async function both(way: Way, bin = room.beside): Promise<[inProcess: Said, overCli: Said]> {
  const { env = {}, argument, cwd } = way;
  using host = room.start({ bin, env: room.six(env), ...(cwd !== undefined && { cwd }) });
  const given = argument === undefined ? {} : { socket: argument };
  return [await ask(host, "phux_ls", given), await ask(host, "phux_status", given)];
}

describe("the server is reached through", () => {
  test.each([...reached])("%s", async (_, way) => {
    const { env = {}, argument, cwd, socket = argument ?? env["PHUX_SOCKET"] ?? "" } = way(room);
    using host = room.start({ env: room.six(env), ...(cwd !== undefined && { cwd }) });
    await expectService(host, socket, argument === undefined ? {} : { socket: argument });
  });
});

describe("no server is at", () => {
  test.each([...absent])("%s", async (_, way) => {
    const [inProcess, overCli] = await both(way(room));
    expect(JSON.parse(inProcess.text)).toMatchObject({ error: { code: "no_server" }, exit_code: 1 });
    expect(JSON.parse(inProcess.text).remedy).toContain("phux server");
    expect(JSON.parse(overCli.text)).toMatchObject({ running: false });
  });
});

async function expectRefusals(way: Way, says: RegExp): Promise<void> {
  // Beside this phux, which succeeds at everything: were it started, there would be no error.
  for (const { text, isError } of await both(way, besideCareless(room))) {
    expect(isError).toBe(true);
    const { error, remedy, exit_code } = JSON.parse(text);
    expect({ code: error.code, exit_code }).toEqual({ code: "transport", exit_code: 1 });
    expect(error.message).toMatch(says);
    expect(remedy).not.toBe("");
  }
}

describe("refused with its reason is", () => {
  test.each([...refused])("%s", (_, way, says) => expectRefusals(way(room), says));

  test.skipIf(process.getuid?.() !== 0).each([...strangers])("%s", (_, way, says) => expectRefusals(way(room), says));

  const unusable: [why: string, argument: string, says: RegExp][] = [
    ["an empty argument", "", /"socket" must not be empty/],
    ["an argument with a NUL", "/tmp/a\0b", /"socket" .*NUL/],
  ];
  test.each(unusable)("%s, in a sentence", async (_, argument, says) => {
    for (const { text } of await both({ argument })) expect(text).toMatch(says);
  });

  test.skipIf(process.getuid?.() !== 0)("a stranger that listens, who hears nothing", async () => {
    let heard = 0;
    const path = `${room.make("stranger", 0o1777)}/s`;
    const open = () => {
      heard += 1;
    };
    using listener = Bun.listen({ unix: path, socket: { open, data() {} } });
    chownSync(path, STRANGER, STRANGER);
    await expectRefusals({ env: { PHUX_SOCKET: path } }, /the socket belongs to user 12345/);
    expect(heard).toBe(0);
    chownSync(path, 0, 0);
    // The listener itself is in order: it is heard of as soon as it is ours.
    using host = room.start({ env: room.six({ PHUX_SOCKET: path }) });
    host.call(1, "phux_ls");
    await until(() => heard > 0, "a connection", 5_000);
    listener.stop(true);
  });
});

describe("phux:", () => {
  test.each([...phuxes])("%s", async (why, make, says) => {
    const place = new Place(room, `phux ${why.replaceAll("/", "")}`);
    const { PATH, cwd, home } = make(place);
    const { PATH: _, ...env } = room.six();
    const bin = copyProgram(`${home}/phux-mcp`);
    using host = room.start({ bin, env: PATH === null ? env : { ...env, PATH }, ...(cwd !== undefined && { cwd }) });
    const { text } = await ask(host, "phux_status");
    expect(text).toMatch(says);
    expect(text).not.toContain("evil");
  });

  test("one that is installed later is found by the next call", async () => {
    const folder = room.make("later");
    const bin = copyProgram(room.path("later-phux-mcp"));
    using host = room.start({ bin, env: room.six({ PATH: folder }) });
    expect((await ask(host, "phux_status")).text).toContain("not found");
    symlinkSync(`${room.bin}/phux`, `${folder}/phux`);
    expect(await document(host, "phux_status", { socket: room.lab.socket })).toMatchObject({ running: true });
  });
});

describe("under pressure", () => {
  test.each(["phux_ls", "phux_status"])("30 calls of %s at once with 20 descriptors are all answered", async (tool) => {
    using host = room.start({ script: 'ulimit -n 20; exec "$0"', env: room.six({ PHUX_SOCKET: room.lab.socket }) });
    const answers = await Promise.all(Array.from({ length: 30 }, () => ask(host, tool)));
    expect(answers.filter(({ isError }) => isError)).toEqual([]);
  });

  test("signals that were ignored before us end us all the same", async () => {
    using host = room.start({ script: `trap '' TERM INT HUP; exec "$0"` });
    await host.request("ping");
    host.signal("SIGTERM");
    expect(await host.ended(2_000)).toMatchObject({ code: 0 });
  });
});

/** The same program as a user without rights, whose server it is. */
const asStranger = ["setpriv", `--reuid=${STRANGER}`, `--regid=${STRANGER}`, "--clear-groups"];
const sandbox = [...asStranger, "unshare", "-U", "-c"];
const users: [why: string, command: string[]][] = [
  ["a user with no account and a home of somebody else", asStranger],
  ["a sandbox that does not know root", sandbox],
];
describe.each(users)("as %s", (_, command) => {
  const able = Bun.spawnSync(["/usr/bin/env", ...command, "true"]).exitCode === 0;
  test.skipIf(!able)(able ? "everything works" : `(skipped: ${command.join(" ")} is not allowed here)`, async () => {
    await using theirs = await Room.open("/tmp", true);
    for (const path of [theirs.lab.socket, dirname(theirs.lab.socket)]) chownSync(path, STRANGER, STRANGER);
    const env = theirs.six({ HOME: "/root", PHUX_SOCKET: theirs.lab.socket });
    using host = theirs.start({ script: `exec ${command.join(" ")} "$0"`, env, cwd: theirs.folder });
    await expectService(host, theirs.lab.socket, {});
  });
});

describe("the default place without XDG_RUNTIME_DIR", () => {
  // A profile of its own, so that nobody's server is met.
  const profile = `m-${process.pid}`;
  const folders = [process.getuid?.(), "me", "default"].map((name) => `/tmp/phux-${name}-${profile}`);
  const env = () => room.six({ PHUX_PROFILE: profile });

  test("is named by the user's number when there is no server", async () => {
    using host = room.start({ env: env() });
    expect((await ask(host, "phux_ls")).text).toContain(`${folders[0]}/phux.sock`);
  });

  test.each([0, 1, 2])("is found under each of its names: %d", async (at) => {
    const folder = folders[at] ?? "";
    mkdirSync(folder, { mode: 0o700 });
    try {
      // Not every disk lets a socket have two names: a link is as good.
      symlinkSync(room.lab.socket, `${folder}/phux.sock`);
      using host = room.start({ env: env() });
      await expectService(host, `${folder}/phux.sock`, {});
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
