/** `phux-mcp check` through the binary: servers that work, sockets that lead nowhere, servers that fail. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, chownSync, existsSync, linkSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { version } from "../../package.json";
import { type Stage, stage } from "../lab/stage.ts";
import { binary } from "./binary.ts";
import { CheckRoom, dead } from "./check-room.ts";
import { SLACK } from "./raw-host.ts";

setDefaultTimeout(30_000 * SLACK);

const room = new CheckRoom();
let lab: Stage;
beforeAll(async () => {
  lab = await stage();
});
afterAll(async () => {
  await lab.end();
  room.end();
});

describe("a server that works:", () => {
  const releases = [
    ["1.0", []],
    ["0.9", ["old_server", "features_missing"]],
    ["0.8", ["old_server", "features_missing"]],
  ] as const;
  test.each(releases)("%s", async (release, expected) => {
    await using scene = await stage({ version: release });
    const { page, document, codes } = await room.both(["--socket", scene.lab.socket]);
    expect(document.ok).toBe(true);
    // The lab's newest release does without some features too; which, is not what is asked here.
    expect(codes.filter((code) => release !== "1.0" || code !== "features_missing")).toEqual([...expected]);
    expect(page).toContain(`server    answers, protocol ${release}.0, server id `);
    expect(page).toContain("sessions  1 (main), panes 1\n");
    expect(page).toContain(`socket    ${scene.lab.socket} (from --socket)\n`);
    expect(page).toContain(`phux      phux 9.8.7, ${room.whole}/phux\n`);
    expect(page).toContain(`launcher  \`phux mcp\` starts phux-mcp ${version}\n`);
    expect(page).toContain(`binary    phux-mcp ${version}, ${binary}\n`);
    expect(document).toMatchObject({
      server: { protocol: `${release}.0`, id: expect.stringMatching(/^[0-9a-f]+$/) },
      sessions: { count: 1, panes: 1, names: ["main"] },
      our_uid: process.getuid?.() ?? null,
    });
  });

  test("by PHUX_SOCKET, and by --socket=PATH above it", async () => {
    const { socket } = lab.lab;
    expect((await room.both([], { PHUX_SOCKET: socket })).page).toContain(`${socket} (from PHUX_SOCKET)`);
    expect((await room.both([`--socket=${socket}`], { PHUX_SOCKET: "/no.sock" })).page).toContain(
      `${socket} (from --socket)`,
    );
  });

  test("at the default place", async () => {
    const runtime = room.fresh();
    mkdirSync(join(runtime, "phux"), { mode: 0o700 });
    linkSync(lab.lab.socket, join(runtime, "phux", "phux.sock"));
    const { page, document } = await room.both([], { XDG_RUNTIME_DIR: runtime });
    expect([document.ok, page.includes(`${runtime}/phux/phux.sock (the default)`)]).toEqual([true, true]);
  });

  test("and nothing is changed, started or left behind", async () => {
    const before = [readdirSync(room.folder), readdirSync(lab.folder)];
    await room.both(["--socket", lab.lab.socket]);
    expect([readdirSync(room.folder), readdirSync(lab.folder)]).toEqual(before);
    const absent = join(room.fresh(), "none.sock");
    await room.both(["--socket", absent]);
    expect(existsSync(absent)).toBe(false);
  });
});

describe("a socket that leads nowhere:", () => {
  type Row = readonly [about: string, code: string, make: (at: string) => void, owner: string];
  const rows: readonly Row[] = [
    ["nothing", "no_server", () => {}, "nothing stands there"],
    ["a plain file", "not_a_socket", (at) => writeFileSync(at, ""), "a plain file, ours"],
    ["a folder", "not_a_socket", (at) => mkdirSync(at), "a folder, ours"],
    ["a stale socket", "stale_socket", dead, "a socket, ours"],
  ];
  test.each(rows)("%s", async (_, code, make, owner) => {
    const at = join(room.fresh(), "phux.sock");
    make(at);
    const { page, codes } = await room.both(["--socket", at]);
    expect(codes).toEqual([code]);
    expect(page).toContain(`owner     ${owner}`);
    expect(page).toContain("server    none that answers\n");
  });

  test("a path that no address holds", async () => {
    const { page, codes } = await room.both(["--socket", `/${"x".repeat(200)}`]);
    expect([codes, page.includes("socket    none that can be used")]).toEqual([["socket_path"], true]);
  });

  test("a folder that others write to is not connected to", async () => {
    const at = room.fresh();
    linkSync(lab.lab.socket, join(at, "s"));
    chmodSync(at, 0o777);
    const { page, codes } = await room.both(["--socket", join(at, "s")]);
    expect([codes, page.includes("server    not asked\n")]).toEqual([["unsafe_socket"], true]);
  });

  // Only root can give a file away.
  test.skipIf(process.getuid?.() !== 0)("a stranger's socket is not connected to", async () => {
    const at = join(room.fresh(), "phux.sock");
    dead(at);
    chownSync(at, 12_345, 12_345);
    const { page, codes } = await room.both(["--socket", at]);
    expect(codes).toEqual(["foreign_owner"]);
    expect(page).toContain("owner     a socket, of user 12345, and we are user 0,");
    expect(page).toContain("server    not asked\n");
  });
});

describe("a server that fails:", () => {
  test("one that takes the call and says nothing", async () => {
    await using scene = await stage();
    scene.lab.faults.silent = "all";
    const { page, codes } = await room.both(["--socket", scene.lab.socket]);
    expect([codes, page.includes("server    does not answer\n")]).toEqual([["silent_server"], true]);
  });

  test("one that hangs until its queue is full: nothing says that its socket is stale", async () => {
    const at = join(room.fresh(), "phux.sock");
    const listener = 'Bun.listen({ unix: process.argv[1], socket: { data() {} } }); console.log("listens");';
    const child = Bun.spawn([process.execPath, "-e", listener, at], { stdin: "ignore", stdout: "pipe" });
    const waiting: Bun.Socket[] = [];
    try {
      await child.stdout.getReader().read();
      child.kill("SIGSTOP");
      const call = () => Bun.connect({ unix: at, socket: { data() {}, error() {} } }).catch(() => null);
      for (let next = await call(); next !== null && waiting.length < 5_000; next = await call()) waiting.push(next);
      const { page, codes } = await room.both(["--socket", at]);
      expect([codes, page.includes("server    does not answer\n")]).toEqual([["silent_server"], true]);
      expect(page).toContain(`a server listens at ${at} and accepts no more calls`);
    } finally {
      for (const socket of waiting) socket.terminate();
      child.kill("SIGKILL");
      await child.exited;
    }
  });

  test("one that greets and then does not say its state", async () => {
    await using scene = await stage();
    scene.lab.faults.silent = ["GET_STATE"];
    const { page, codes } = await room.both(["--socket", scene.lab.socket]);
    expect(codes).toContain("no_state");
    expect(page).toContain("sessions  could not be read\n");
  });

  test("one of a version that nobody speaks", async () => {
    await using scene = await stage();
    scene.lab.faults.claimVersion = { major: 7, minor: 0, patch: 0 };
    const { document, codes } = await room.both(["--socket", scene.lab.socket]);
    expect(codes).toEqual(["transport"]);
    expect(document.problems[0]?.message).toContain("7.0.0");
  });
});
