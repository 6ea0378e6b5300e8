/** From what `phux-mcp check` found to its page, its document and its exit: every line and every problem. */
import { describe, expect, test } from "bun:test";
import type { CheckFacts, ServerFacts, SocketFacts } from "../../src/modes/check-facts.ts";
import { needed } from "../../src/modes/check-features.ts";
import { checkDocument, checkPage, isFine } from "../../src/modes/check-page.ts";
import { problemsOf } from "../../src/modes/check-problems.ts";
import { refuse } from "../../src/phux/errors.ts";

const socket = {
  path: "/run/user/1000/phux/phux.sock",
  origin: "default",
  standing: { kind: "socket", uid: 1000, mode: 0o600 },
  listening: false,
  unsafe: null,
} as const satisfies SocketFacts;

const server = {
  kind: "answers",
  version: { major: 1, minor: 0, patch: 0 },
  features: ["file_upload", "mail"],
  id: "0a0b",
  lacking: [],
  sessions: { count: 3, panes: 7, names: ["main", "work"] },
} as const satisfies ServerFacts;

const phux = {
  kind: "found",
  path: "/usr/bin/phux",
  version: { kind: "said", text: "phux 0.30.0" },
  launcher: { kind: "said", text: "phux-mcp 0.1.0" },
} as const satisfies CheckFacts["phux"];

const well: CheckFacts = {
  ...{ uid: 1000, phux, socket, server },
  tools: { kind: "offered", count: 59, of: 59, fewerBy: [], bytes: 44_000 },
  binary: { version: "0.1.0", path: "/usr/bin/phux-mcp" },
};

const absent = refuse("no_server", "no phux server is listening at /s");
const fails = (refusal = absent, silent = false): ServerFacts => ({ kind: "fails", silent, refusal });
const standing = (kind: "socket" | "file" | "folder", uid = 1000) => ({
  ...socket,
  standing: { kind, uid, mode: 0o644 },
});

test("a page where all is well", () => {
  expect(checkPage(well).split("\n")).toEqual([
    "phux      phux 0.30.0, /usr/bin/phux",
    "launcher  `phux mcp` starts phux-mcp 0.1.0",
    "socket    /run/user/1000/phux/phux.sock (the default)",
    "owner     a socket, ours (user 1000), mode 0600",
    "server    answers, protocol 1.0.0, server id 0a0b",
    "features  2: file_upload, mail",
    "sessions  3 (main, work and 1 more), panes 7",
    "tools     59; a host reads 44000 bytes of tools/list",
    "binary    phux-mcp 0.1.0, /usr/bin/phux-mcp",
    "",
    "Everything works.",
    "",
  ]);
  expect(isFine(well)).toBe(true);
});

type Row = readonly [about: string, found: Partial<CheckFacts>, line: string];
const lines: readonly Row[] = [
  ["no phux", { phux: { kind: "missing", why: "not there" } }, "phux      not found"],
  ["then nobody is asked for the launcher", { phux: { kind: "missing", why: "" } }, "launcher  not asked"],
  [
    "a phux that fails",
    { phux: { ...phux, version: { kind: "failed", why: "exit code 3" } } },
    "phux      does not say its version, /usr/bin/phux",
  ],
  [
    "a phux without the launcher",
    { phux: { ...phux, launcher: { kind: "failed", why: "exit code 2" } } },
    "launcher  none: `phux mcp` does not work",
  ],
  ["a path from --socket", { socket: { ...socket, path: "/s", origin: "argument" } }, "socket    /s (from --socket)"],
  ["from PHUX_SOCKET", { socket: { ...socket, path: "/s", origin: "PHUX_SOCKET" } }, "socket    /s (from PHUX_SOCKET)"],
  [
    "no path",
    { socket: refuse("transport", "too long"), server: { kind: "not_asked" } },
    "socket    none that can be used",
  ],
  ["nothing there", { socket: { ...socket, standing: null } }, "owner     nothing stands there"],
  ["a plain file", { socket: standing("file") }, "owner     a plain file, ours (user 1000), mode 0644"],
  ["a stranger's", { socket: standing("socket", 7) }, "owner     a socket, of user 7, and we are user 1000, mode 0644"],
  ["a server that fails", { server: fails() }, "server    none that answers"],
  ["a silent one", { server: fails(absent, true) }, "server    does not answer"],
  ["one that is not asked", { server: { kind: "not_asked" } }, "server    not asked"],
  ["no features, as a server before 0.8 has", { server: { ...server, features: [] } }, "features  none"],
  ["no sessions", { server: { ...server, sessions: { count: 0, panes: 0, names: [] } } }, "sessions  0, panes 0"],
  ["a state that fails", { server: { ...server, sessions: refuse("transport", "x") } }, "sessions  could not be read"],
  [
    "fewer tools",
    { tools: { kind: "offered", count: 20, of: 59, fewerBy: ["PHUX_MCP_READ_ONLY", "PHUX_MCP_TOOLS"], bytes: 9 } },
    "tools     20 of 59, by PHUX_MCP_READ_ONLY and PHUX_MCP_TOOLS; a host reads 9 bytes of tools/list",
  ],
  ["a bad setting", { tools: { kind: "refused", why: "x" } }, "tools     none: the setting cannot be used"],
];
test.each(lines)("the line of %s", (_, found, line) => {
  expect(checkPage({ ...well, ...found }).split("\n")).toContain(line);
});

type ProblemRow = readonly [code: string, blocks: boolean, found: Partial<CheckFacts>, remedy: RegExp];
const problems: readonly ProblemRow[] = [
  ["tools_setting", true, { tools: { kind: "refused", why: "PHUX_MCP_READ_ONLY is 2" } }, /correct that variable/],
  ["no_phux", true, { phux: { kind: "missing", why: "not there" } }, /install phux beside \/usr\/bin\/phux-mcp/],
  ["phux_broken", true, { phux: { ...phux, version: { kind: "failed", why: "exit code 3" } } }, /run it by hand/],
  ["no_launcher", false, { phux: { ...phux, launcher: { kind: "failed", why: "x" } } }, /register phux-mcp itself/],
  [
    "other_launcher",
    false,
    { phux: { ...phux, launcher: { kind: "said", text: "phux-mcp 0.0.9" } } },
    /which of the two/,
  ],
  [
    "socket_path",
    true,
    { socket: refuse("transport", "108 bytes", "shorten it"), server: { kind: "not_asked" } },
    /shorten/,
  ],
  [
    "no_server",
    true,
    { socket: { ...socket, standing: null }, server: fails() },
    /start phux .* name its socket in PHUX_SOCKET/,
  ],
  [
    "no_server",
    true,
    { socket: { ...socket, origin: "PHUX_SOCKET", standing: null }, server: fails() },
    /start phux .* correct PHUX_SOCKET/,
  ],
  ["not_a_socket", true, { socket: standing("file"), server: fails() }, /must name the server's socket/],
  ["not_a_socket", true, { socket: standing("folder"), server: fails() }, /must name the server's socket/],
  ["stale_socket", true, { socket: standing("socket"), server: fails() }, /a new server replaces the file/],
  ["silent_server", true, { socket: { ...socket, listening: true }, server: fails() }, /end it and start it again/],
  ["silent_server", true, { server: fails(refuse("transport", "no answer"), true) }, /end it and start it again/],
  ["transport", true, { server: fails(refuse("transport", "speaks none of them", "upgrade")) }, /upgrade/],
  [
    "no_access",
    true,
    { server: fails(refuse("no_server", "/s exists, but this user may not open it")) },
    /phux doctor/,
  ],
  [
    "foreign_owner",
    true,
    { socket: { ...standing("socket", 7), unsafe: refuse("transport", "x", "chmod") }, server: { kind: "not_asked" } },
    /chmod/,
  ],
  [
    "unsafe_socket",
    true,
    { socket: { ...socket, unsafe: refuse("transport", "others write", "chmod") }, server: { kind: "not_asked" } },
    /chmod/,
  ],
  ["no_state", true, { server: { ...server, sessions: refuse("transport", "no answer") } }, /phux doctor/],
  ["old_server", false, { server: { ...server, version: { major: 0, minor: 9, patch: 0 } } }, /phux upgrade/],
  ["features_missing", false, { server: { ...server, lacking: [...needed] } }, /everything else works/],
];
describe("what is wrong, and what to do:", () => {
  test.each(problems)("%s, blocks %p", (code, blocks, found, remedy) => {
    const facts = { ...well, ...found };
    expect(problemsOf(facts)).toEqual([
      { code, message: expect.stringMatching(/./), remedy: expect.stringMatching(remedy), blocks },
    ]);
    expect(isFine(facts)).toBe(!blocks);
    const [, steps = ""] = checkPage(facts).split("\n\n");
    expect(steps).toMatch(blocks ? /^What to do:\n1\. / : /^It works\. What could be better:\n1\. /);
    expect(steps).toMatch(remedy);
    expect(JSON.parse(checkDocument(facts))).toMatchObject({ ok: !blocks, problems: [{ code, blocks }] });
  });

  test("several at once, those first that keep the rest from being seen", () => {
    const facts: CheckFacts = {
      ...well,
      phux: { kind: "missing", why: "gone" },
      socket: standing("file"),
      server: fails(),
    };
    expect(problemsOf(facts).map(({ code }) => code)).toEqual(["no_phux", "not_a_socket"]);
    expect(checkPage(facts)).toMatch(/\n1\. gone\n {3}install.*\n2\. no phux server.*\n {3}PHUX_SOCKET must/);
  });

  test("the names of every feature that tools need", () => {
    const page = checkPage({ ...well, server: { ...server, lacking: [...needed] } });
    for (const { feature } of needed) expect(page).toContain(feature);
  });
});

test("the document has the facts of the page", () => {
  expect(JSON.parse(checkDocument(well))).toEqual({
    ...{ schema_version: 1, ok: true, problems: [] },
    phux: { path: "/usr/bin/phux", version: "phux 0.30.0", launcher: "phux-mcp 0.1.0" },
    socket: {
      ...{ path: "/run/user/1000/phux/phux.sock", origin: "default", kind: "socket" },
      ...{ owner_uid: 1000, listening: false, mode: "0600", safe: true },
    },
    our_uid: 1000,
    server: { protocol: "1.0.0", features: ["file_upload", "mail"], id: "0a0b", lacking: [] },
    sessions: { count: 3, panes: 7, names: ["main", "work"] },
    tools: { count: 59, of: 59, fewer_by: [], bytes: 44_000 },
    binary: { version: "0.1.0", path: "/usr/bin/phux-mcp" },
  });
});

describe("hostile words", () => {
  const evil = "a\x1b[2J\nfake: ok\r\u202e\u2028\u0007";
  const facts: CheckFacts = {
    ...well,
    phux: { ...phux, path: `/${evil}/phux`, version: { kind: "said", text: evil } },
    socket: { ...socket, path: `/${evil}` },
    server: { ...server, sessions: { count: 1, panes: 1, names: [evil] } },
  };

  test("are shown as escapes and break no line", () => {
    const page = checkPage(facts);
    expect(page.split("\n")).toHaveLength(checkPage(well).split("\n").length);
    expect(page).not.toMatch(/[^\P{Cc}\n]|[\u202e\u2028]/u);
    expect(page).toContain("a\\u001b[2J\\u000afake: ok");
  });

  test("leave the document one line, with the values that they had", () => {
    const text = checkDocument(facts);
    expect(text.trimEnd()).not.toMatch(/\p{Cc}|\u202e/u);
    expect(JSON.parse(text)).toMatchObject({ sessions: { names: [evil] }, socket: { path: `/${evil}` } });
  });

  test("of megabytes are cut on the page and in the document", () => {
    const long = { ...well, server: fails(refuse("transport", "x".repeat(5_000_000))) };
    expect(checkPage(long).length).toBeLessThan(4_000);
    expect(checkDocument(long).length).toBeLessThan(10_000);
  });
});
