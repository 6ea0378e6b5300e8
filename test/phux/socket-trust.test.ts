import { describe, expect, test } from "bun:test";
import { distrust, type Look, type Standing, unmappedUser } from "../../src/phux/socket-trust.ts";

const US = 1000;
const STRANGER = 7;
const NOBODY = 65_534;

type Kind = Standing["kind"];
type Row = readonly [kind: Kind, uid: number, mode: number, target?: string];

/** A file system of a few rows; what has no row is not there. Root owns `/`, and `/tmp` is as everywhere. */
function files(rows: Readonly<Record<string, Row>>): Look {
  const all: Record<string, Row> = { "/": ["folder", 0, 0o755], "/tmp": ["folder", 0, 0o1777], ...rows };
  return {
    standing(path) {
      const row = all[path];
      return row === undefined ? null : { kind: row[0], uid: row[1], mode: row[2] };
    },
    target: (path) => all[path]?.[3] ?? null,
  };
}

const ours = (kind: Kind, mode = 0o700): Row => [kind, US, mode];
const link = (target: string, uid = US): Row => ["link", uid, 0o777, target];
const socket = ours("socket", 0o600);

const cases: [why: string, rows: Readonly<Record<string, Row>>, path: string, says: string | null][] = [
  ["ours in our folder", { "/h": ours("folder"), "/h/s": socket }, "/h/s", null],
  ["root's in root's folder", { "/r": ["folder", 0, 0o755], "/r/s": ["socket", 0, 0o666] }, "/r/s", null],
  ["ours in /tmp", { "/tmp/s": socket }, "/tmp/s", null],
  ["a stranger's in /tmp", { "/tmp/s": ["socket", STRANGER, 0o777] }, "/tmp/s", "the socket belongs to user 7"],
  ["a stranger's in our folder", { "/h": ours("folder"), "/h/s": ["socket", STRANGER, 0o777] }, "/h/s", "user 7"],
  [
    "ours in a stranger's folder",
    { "/h": ["folder", STRANGER, 0o755], "/h/s": socket },
    "/h/s",
    "the folder /h belongs to user 7",
  ],
  ["a folder that the group may write to", { "/h": ours("folder", 0o770), "/h/s": socket }, "/h/s", "replace"],
  ["a folder that anyone may write to", { "/h": ours("folder", 0o702), "/h/s": socket }, "/h/s", "replace"],
  ["a sticky folder of ours", { "/h": ours("folder", 0o41777), "/h/s": socket }, "/h/s", null],
  ["a sticky folder of a stranger", { "/h": ["folder", STRANGER, 0o1777], "/h/s": socket }, "/h/s", "user 7"],
  [
    "a stranger's folder further up",
    { "/tmp/x": ["folder", STRANGER, 0o755], "/tmp/x/h": ours("folder"), "/tmp/x/h/s": socket },
    "/tmp/x/h/s",
    "the folder /tmp/x belongs",
  ],
  [
    "a folder for everyone further up",
    { "/x": ours("folder", 0o777), "/x/h": ours("folder"), "/x/h/s": socket },
    "/x/h/s",
    "in the folder /x",
  ],
  [
    "a group's folder further up is an ordinary umask",
    { "/x": ours("folder", 0o775), "/x/h": ours("folder"), "/x/h/s": socket },
    "/x/h/s",
    null,
  ],
  ["a link of ours", { "/tmp/l": link("/h/s"), "/h": ours("folder"), "/h/s": socket }, "/tmp/l", null],
  [
    "a stranger's link",
    { "/tmp/l": link("/h/s", STRANGER), "/h": ours("folder"), "/h/s": socket },
    "/tmp/l",
    "the link /tmp/l",
  ],
  [
    "our link to a stranger's socket",
    { "/h": ours("folder"), "/h/l": link("/tmp/s"), "/tmp/s": ["socket", STRANGER, 0o777] },
    "/h/l",
    "the socket belongs",
  ],
  [
    "our link into a folder for everyone",
    { "/h": ours("folder"), "/h/l": link("../x/s"), "/x": ours("folder", 0o777), "/x/s": socket },
    "/h/l",
    "in the folder /x",
  ],
  [
    "a linked folder on the way",
    { "/h": ours("folder"), "/h/l": link("/x"), "/x": ["folder", STRANGER, 0o755], "/x/s": socket },
    "/h/l/s",
    "the folder /x belongs",
  ],
  [
    "the way up from behind a link",
    { "/h": ours("folder"), "/h/l": link("/x/y"), "/x": ours("folder", 0o777), "/x/y": ours("folder"), "/x/s": socket },
    "/h/l/../s",
    "in the folder /x",
  ],
  ["a link to itself is left to connect", { "/tmp/l": link("l") }, "/tmp/l", null],
  ["an unsafe folder without a socket yet", { "/h": ours("folder", 0o777) }, "/h/s", "in the folder /h"],
  ["what is missing is left to connect", {}, "/no/such/s", null],
  ["a plain file is left to connect", { "/h": ours("folder"), "/h/s": ["other", STRANGER, 0o666] }, "/h/s", null],
  ["a file on the way is left to connect", { "/f": ["other", 0, 0o666] }, "/f/s", null],
  ["the root folder itself", {}, "/", null],
];
test.each(cases)("%s", (_why, rows, path, says) => {
  const refusal = distrust(path, files(rows), { uid: US, unmapped: null });
  if (says === null) expect(refusal).toBeNull();
  else {
    expect(refusal).toMatchObject({ code: "transport", exitCode: 1, remedy: expect.stringContaining("0700") });
    expect(refusal?.message).toContain(`${path} is not safe to use: `);
    expect(refusal?.message).toContain(says);
  }
});

describe("a sandbox that does not know root", () => {
  const rows: Record<string, Row> = {
    "/": ["folder", NOBODY, 0o755],
    "/tmp": ["folder", NOBODY, 0o1777],
    "/tmp/s": socket,
    "/tmp/n": ["socket", NOBODY, 0o600],
  };
  test("shows the system's folders as nobody's, and they are fine", () => {
    expect(distrust("/tmp/s", files(rows), { uid: US, unmapped: NOBODY })).toBeNull();
    expect(distrust("/tmp/s", files(rows), { uid: US, unmapped: null })?.message).toContain("user 65534");
  });
  test("a socket of nobody is still a stranger's", () => {
    expect(distrust("/tmp/n", files(rows), { uid: US, unmapped: NOBODY })?.message).toContain("the socket belongs");
  });

  const maps: [about: string, map: string, id: number | null][] = [
    ["no namespace", "         0          0 4294967295\n", null],
    ["one user, as itself", "      1000       1000          1\n", NOBODY],
    ["one user, as root", "         0       1000          1\n", NOBODY],
    ["root and others", "         0          0          1\n         1     100000      65536\n", null],
    ["a system without maps", "", null],
  ];
  test.each(maps)("%s", (_about, map, id) => {
    expect(unmappedUser(map, "65534\n")).toBe(id);
  });
});
