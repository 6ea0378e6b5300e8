/** Odd starts: what surrounds the program when a host runs it. */
import { symlinkSync } from "node:fs";
import { copyProgram, type Room, type Start } from "./m-room.ts";

export type StartRow = readonly [why: string, start: (room: Room) => Start];

const ODD = 'a b/ü漢 "x" $(y)';

/** Starts after which everything works: the handshake, a tool of each kind, the end. */
export const serving: readonly StartRow[] = [
  ["the six variables that some hosts pass, and no more", () => ({})],
  ["no variable at all", () => ({ env: {} })],
  ["LANG=C and LC_ALL=POSIX", (room) => ({ env: room.six({ LANG: "C", LC_ALL: "POSIX" }) })],
  ["a locale that nobody has", (room) => ({ env: room.six({ LC_ALL: "xx_YY.bogus", LANG: "" }) })],
  ["a HOME that does not exist", (room) => ({ env: room.six({ HOME: "/no/such/home" }) })],
  ["an empty HOME", (room) => ({ env: room.six({ HOME: "" }) })],
  ["a TMPDIR that does not exist", (room) => ({ env: room.six({ TMPDIR: "/no/such/tmp", BUN_TMPDIR: "/no/tmp" }) })],
  ["no PATH", (room) => ({ env: { HOME: room.folder } })],
  ["a dumb terminal of no size", (room) => ({ env: room.six({ TERM: "dumb", COLUMNS: "0", LINES: "-1" }) })],
  ["a time zone that nobody has", (room) => ({ env: room.six({ TZ: "Nowhere/None" }) })],
  ["a variable of 120 KB", (room) => ({ env: room.six({ LARGE: "x".repeat(120_000) }) })],
  ["bytes in a variable that are no UTF-8", () => ({ script: `X=$(printf '\\377\\376') exec "$0"` })],
  // A host on Node hands its own switches on; a debugger or a colour on stdout would end the session.
  [
    "what Node and Bun take as switches",
    (room) => ({
      env: room.six({
        NODE_OPTIONS: "--inspect --no-such-option",
        NODE_CHANNEL_FD: "3",
        NODE_UNIQUE_ID: "1",
        NODE_DEBUG: "*",
        DEBUG: "*",
        FORCE_COLOR: "3",
        BUN_OPTIONS: "--inspect",
        BUN_INSPECT: "ws://127.0.0.1:9",
        BUN_CONFIG_VERBOSE_FETCH: "1",
        NODE_ENV: "production",
      }),
    }),
  ],
  ["umask 0", () => ({ script: 'umask 0; exec "$0"' })],
  ["umask 777", () => ({ script: 'umask 777; exec "$0"' })],
  ["20 descriptors", () => ({ script: 'ulimit -n 20; exec "$0"' })],
  ["2 GB of address space", () => ({ script: 'ulimit -v 2097152; exec "$0"' })],
  ["no file may be written", () => ({ script: 'ulimit -f 0; exec "$0"' })],
  ["a stack of 256 KB", () => ({ script: 'ulimit -s 256; exec "$0"' })],
  ["stderr closed", () => ({ script: 'exec "$0" 2>&-' })],
  ["descriptors of the host left open", () => ({ script: 'exec 5</dev/null 7>/dev/null 9</; exec "$0"' })],
  ["signals ignored by whoever started it", () => ({ script: `trap '' TERM INT HUP PIPE CHLD; exec "$0"` })],
  ["the root folder to work in", () => ({ cwd: "/" })],
  ["a folder to work in that nobody may read", (room) => ({ cwd: room.make("unreadable", 0o000) })],
  ["a link", (room) => ({ bin: linked(room, "link") })],
  ["a link under another name in a folder with all kinds of characters", (room) => ({ bin: linked(room, "odd link") })],
  ["a path with all kinds of characters", (room) => ({ bin: copied(room), env: room.six({ PATH: room.bin }) })],
  ["an empty name in argv", () => ({ script: `exec /bin/bash -c 'exec -a "" "$0"' "$0"` })],
];

/** Starts in a world of their own; a system that has no such worlds for us skips them. */
export const isolated: readonly (readonly [why: string, flags: readonly string[], before: string])[] = [
  ["a file system that is read-only", ["-m"], "mount --bind / / && mount -o remount,ro,bind /"],
  ["no devices", ["-m"], "mount -t tmpfs none /dev"],
  ["no network", ["-n"], "true"],
  ["process numbers of its own, as in a container", ["-p", "-f"], "true"],
];

/** Starts that end at once or with the input: the exit code, and what stderr says. Nothing on stdout. */
export const ending: readonly (readonly [why: string, script: string, code: number, says: RegExp])[] = [
  [
    "a working folder that was deleted before",
    'mkdir gone && cd gone && rmdir ../gone && exec "$0"',
    1,
    /^error: .*deleted/,
  ],
  ["stdin closed", 'exec "$0" <&-', 0, /^$/],
  ["stdout closed", 'exec "$0" >&-', 0, /^$/],
  ["all three closed", 'exec "$0" <&- >&- 2>&-', 0, /^$/],
  ["stdin from nothing", 'exec "$0" </dev/null', 0, /^$/],
  ["stdin a folder", 'exec "$0" </', 1, /^stdin: .*EISDIR/],
  ["stdin that can only be written", 'exec "$0" 0>/dev/null', 1, /^stdin: .*EBADF/],
  ["stdout that can only be read", 'exec "$0" 1</dev/null', 1, /^stdout: .*EBADF/],
  ["stdout on a full disk", 'exec "$0" >/dev/full', 1, /^stdout: .*ENOSPC/],
];

function linked(room: Room, name: string): string {
  const folder = room.make(`${name}/${ODD}`);
  const link = `${folder}/another name`;
  symlinkSync(room.beside, link);
  return link;
}

function copied(room: Room): string {
  const folder = room.make(ODD);
  return copyProgram(`${folder}/phux mcp`);
}
