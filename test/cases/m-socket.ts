/** Where the server's socket may stand, and who may have put it there (spec/client.md 2). */
import { chownSync, lchownSync, linkSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Room } from "./m-room.ts";

/** How a call comes to its socket. */
export interface Way {
  readonly argument?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** The path that the child reports, where it is not the argument or PHUX_SOCKET. */
  readonly socket?: string;
}

type Row = readonly [why: string, way: (room: Room) => Way];
type RefusedRow = readonly [why: string, way: (room: Room) => Way, says: RegExp];

/** Somebody else; needs no account. */
export const STRANGER = 12_345;

let serial = 0;
const fresh = (room: Room, mode = 0o700) => room.make(`s${serial++}`, mode);
const argument = (path: string): Way => ({ argument: path });
const named = (path: string): Way => ({ env: { PHUX_SOCKET: path } });

/** Both halves reach the server: what runs in our process, and what runs as a child. */
export const reached: readonly Row[] = [
  ["the argument", (room) => argument(room.lab.socket)],
  ["PHUX_SOCKET", (room) => named(room.lab.socket)],
  ["the argument, whatever PHUX_SOCKET says", (room) => ({ ...named("/no/such.sock"), ...argument(room.lab.socket) })],
  ["PHUX_SOCKET with a newline in it", (room) => named(room.listenAt(join(fresh(room), "a\nb.sock")))],
  [
    "PHUX_SOCKET with spaces, quotes and letters of the world",
    (room) => named(room.listenAt(join(fresh(room), `é "漢" '$x.sock`))),
  ],
  ["a socket that is named like an option", (room) => inFolder(room, "--json")],
  ["a relative PHUX_SOCKET", (room) => inFolder(room, "phux.sock")],
  ["a relative argument that leads up", (room) => ({ ...argument("../phux.sock"), cwd: deeper(room) })],
  ["slashes and dots in plenty", (room) => named(room.lab.socket.replaceAll("/", "//./"))],
  ["a link to the socket", (room) => named(link(room.lab.socket, join(fresh(room), "link.sock")))],
  [
    "a link to a link to its folder",
    (room) => named(join(link(link(dirname(room.lab.socket), room.path("l1")), room.path("l2")), "phux.sock")),
  ],
  ["a path of 107 bytes", (room) => named(room.listenAt(padded(room, 107)))],
  ["a folder that others read", (room) => named(room.listenAt(join(fresh(room, 0o755), "s")))],
  ["a sticky folder for everyone, as /tmp", (room) => named(room.listenAt(join(fresh(room, 0o1777), "s")))],
  ["a folder of a group further up, as under umask 002", (room) => named(inside(room, fresh(room, 0o775)))],
  ["XDG_RUNTIME_DIR", (room) => runtime(room, (folder) => folder)],
  ["XDG_RUNTIME_DIR with slashes behind", (room) => runtime(room, (folder) => `${folder}//`)],
  ["XDG_RUNTIME_DIR with an empty PHUX_SOCKET", (room) => withEmpty(runtime(room, (folder) => folder))],
  ["XDG_RUNTIME_DIR that is a link", (room) => runtime(room, (folder) => link(folder, `${folder}.link`))],
  ["XDG_RUNTIME_DIR and a profile", (room) => runtime(room, (folder) => folder, "work")],
  ["a relative XDG_RUNTIME_DIR", (room) => ({ ...runtime(room, () => "."), cwd: room.path(`s${serial - 1}`) })],
];

/** No server, and that is what both halves say; the child may know better what a dead file means. */
export const absent: readonly Row[] = [
  ["nothing", (room) => named(join(fresh(room), "none.sock"))],
  ["no folder either", () => named("/no/such/folder/phux.sock")],
  ["a dead socket file", (room) => named(dead(join(fresh(room), "dead.sock")))],
  ["a plain file", (room) => named(file(join(fresh(room), "plain.sock")))],
  ["a folder", (room) => named(fresh(room))],
  ["a path through a file", (room) => named(join(file(join(fresh(room), "f")), "s"))],
  ["a link to nothing", (room) => named(link("/no/such", join(fresh(room), "dangling")))],
  ["a link to itself", (room) => named(link("self", join(fresh(room), "self")))],
  ["XDG_RUNTIME_DIR without a server", (room) => ({ env: { XDG_RUNTIME_DIR: fresh(room) }, socket: "" })],
];

/** Refused before anything is opened, with the reason. */
export const refused: readonly RefusedRow[] = [
  ["108 bytes", (room) => named(padded(room, 108)), /has 108 bytes; the path of a socket has at most 107/],
  ["108 bytes in an argument", (room) => argument(padded(room, 108)), /at most 107/],
  [
    "a folder that everyone may write to",
    (room) => named(room.listenAt(join(fresh(room, 0o777), "s"))),
    /other users may replace files in the folder/,
  ],
  [
    "a folder that the group may write to",
    (room) => named(room.listenAt(join(fresh(room, 0o770), "s"))),
    /other users may replace files in the folder/,
  ],
  [
    "a folder for everyone further up",
    (room) => named(inside(room, fresh(room, 0o777))),
    /other users may replace files in the folder/,
  ],
  [
    "a folder for everyone, with no socket yet",
    (room) => named(join(fresh(room, 0o777), "s")),
    /other users may replace files in the folder/,
  ],
  [
    "a link of ours that leads into such a folder",
    (room) => named(link(room.listenAt(join(fresh(room, 0o777), "s")), join(fresh(room), "l"))),
    /other users may replace files/,
  ],
  ["XDG_RUNTIME_DIR with such a folder", (room) => openRuntime(room), /other users may replace files/],
];

/** The same, where we may give files away: root only. */
export const strangers: readonly RefusedRow[] = [
  [
    "somebody else's socket",
    (room) => named(owned(dead(join(fresh(room), "s")))),
    /the socket belongs to user 12345, and we are user 0/,
  ],
  [
    "somebody else's socket in /tmp's likes",
    (room) => argument(owned(dead(join(fresh(room, 0o1777), "s")))),
    /the socket belongs to user 12345/,
  ],
  ["our socket in somebody else's folder", (room) => named(inOwned(room)), /the folder .* belongs to user 12345/],
  [
    "our socket and folder in somebody else's",
    (room) => named(inside(room, owned(fresh(room, 0o755)))),
    /the folder .* belongs to user 12345/,
  ],
  ["somebody else's link to our socket", (room) => named(ownedLink(room)), /the link .* belongs to user 12345/],
  [
    "our link to somebody else's socket",
    (room) => named(link(owned(dead(join(fresh(room), "s"))), join(fresh(room), "l"))),
    /the socket belongs to user 12345/,
  ],
  [
    "XDG_RUNTIME_DIR of somebody else, as after su",
    (room) => ({ env: { XDG_RUNTIME_DIR: owned(fresh(room)) } }),
    /the folder .* belongs to user 12345/,
  ],
];

/** A relative name in the folder to work in. */
function inFolder(room: Room, name: string): Way {
  const cwd = fresh(room);
  room.listenAt(join(cwd, name));
  return { ...named(name), cwd };
}

function deeper(room: Room): string {
  const cwd = join(dirname(room.lab.socket), `d${serial++}`);
  mkdirSync(cwd);
  return cwd;
}

/** A socket in a closed folder of ours inside of `folder`. */
function inside(room: Room, folder: string): string {
  const closed = join(folder, "closed");
  mkdirSync(closed, { mode: 0o700 });
  return room.listenAt(join(closed, "s"));
}

/** An environment whose default place is in a fresh folder, where the lab listens. */
function runtime(room: Room, spelled: (folder: string) => string, profile?: string): Way {
  const folder = fresh(room);
  const home = profile === undefined ? "phux" : `phux-${profile}`;
  room.listenAt(join(folder, home, "phux.sock"));
  const env = { XDG_RUNTIME_DIR: spelled(folder), ...(profile !== undefined && { PHUX_PROFILE: profile }) };
  return { env, socket: `${env.XDG_RUNTIME_DIR.replace(/\/+$/, "")}/${home}/phux.sock` };
}

const withEmpty = (way: Way): Way => ({ ...way, env: { ...way.env, PHUX_SOCKET: "" } });

function openRuntime(room: Room): Way {
  const folder = fresh(room);
  room.make(`${basename(folder)}/phux`, 0o777);
  return { env: { XDG_RUNTIME_DIR: folder } };
}

function link(target: string, path: string): string {
  symlinkSync(target, path);
  return path;
}

function file(path: string): string {
  writeFileSync(path, "");
  return path;
}

/** A socket file that a server left behind: the listener removes its own name only. */
function dead(path: string): string {
  const first = `${path}.live`;
  const listener = Bun.listen({ unix: first, socket: { data() {} } });
  linkSync(first, path);
  listener.stop(true);
  rmSync(first, { force: true });
  return path;
}

function owned(path: string): string {
  chownSync(path, STRANGER, STRANGER);
  return path;
}

function inOwned(room: Room): string {
  const folder = fresh(room, 0o755);
  const path = room.listenAt(join(folder, "s"));
  owned(folder);
  return path;
}

function ownedLink(room: Room): string {
  const path = link(room.lab.socket, join(fresh(room, 0o1777), "l"));
  lchownSync(path, STRANGER, STRANGER);
  return path;
}

/** A path of exactly so many bytes, in a folder of ours. */
function padded(room: Room, bytes: number): string {
  const folder = fresh(room);
  return join(folder, "p".repeat(bytes - Buffer.byteLength(folder) - 1));
}
