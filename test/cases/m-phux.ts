/** Where `phux` is, and what stands in its place: how PATH is made, and what a call of the command line then says. */
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { copyProgram, type Room } from "./m-room.ts";

export interface Found {
  /** Null for an environment without PATH. */
  readonly PATH: string | null;
  readonly cwd?: string;
  /** The folder of a binary that has no `phux` of its own beside it. */
  readonly home: string;
}

export type PhuxRow = readonly [why: string, make: (place: Place) => Found, says: RegExp];

/** A `phux` that tells which one it is, as its own document. */
const telling = (name: string) => `#!/bin/sh\nprintf '{"schema_version":1,"running":false,"socket":"${name}"}'\n`;

export class Place {
  readonly #folder: string;
  readonly home: string;
  #serial = 0;

  constructor(room: Room, name: string) {
    this.#folder = room.make(name);
    this.home = this.folder();
  }

  folder(mode = 0o755): string {
    const path = join(this.#folder, `f${this.#serial++}`);
    mkdirSync(path);
    chmodSync(path, mode);
    return path;
  }

  /** A folder with a `phux` of this text. */
  with(text: string, mode = 0o755): string {
    const folder = this.folder();
    writeFileSync(join(folder, "phux"), text);
    chmodSync(join(folder, "phux"), mode);
    return folder;
  }

  on(...PATH: string[]): Found {
    return { PATH: PATH.join(":"), home: this.home };
  }
}

let serial = 0;
/** A binary beside a `phux` that looks at nothing and always succeeds. */
export function besideCareless(room: Room): string {
  const place = new Place(room, `careless ${serial++}`);
  writeFileSync(join(place.home, "phux"), telling("careless"), { mode: 0o755 });
  return copyProgram(join(place.home, "phux-mcp"));
}

const good = (place: Place) => place.with(telling("good"));
const evil = (place: Place) => place.with(telling("evil"));

export const phuxes: readonly PhuxRow[] = [
  ["PATH that is empty", (place) => place.on(""), /not found.*which names no folder/],
  ["no PATH", (place) => ({ PATH: null, home: place.home }), /not found.*which names no folder/],
  ["PATH of empty entries", (place) => ({ ...place.on("", "", ""), cwd: evil(place) }), /not found/],
  [
    "PATH of the working folder",
    (place) => ({ ...place.on(".", "./"), cwd: evil(place) }),
    /relative entries are never searched/,
  ],
  ["a relative entry before a good one", (place) => ({ ...place.on(".", good(place)), cwd: evil(place) }), /"good"/],
  ["an entry that does not exist", (place) => place.on("/no/such/folder", good(place)), /"good"/],
  ["an entry that is a file", (place) => place.on(join(good(place), "phux"), good(place)), /"good"/],
  ["an entry that cannot be read", (place) => place.on(place.folder(0o000), good(place)), /"good"/],
  ["an entry with a newline and quotes", (place) => place.on(renamed(place, `new\nline "q"`)), /"good"/],
  ["a folder named phux", (place) => place.on(folderNamed(place), good(place)), /"good"/],
  ["nothing but a folder named phux", (place) => place.on(folderNamed(place)), /phux is no file that can be run/],
  ["a phux that is not executable", (place) => place.on(place.with(telling("no"), 0o644)), /phux is not executable/],
  ["a link to nothing", (place) => place.on(linkTo(place, "/no/such")), /phux is no file that can be run/],
  ["a link to phux", (place) => place.on(linkTo(place, join(good(place), "phux"))), /"good"/],
  [
    "a script without its first line",
    (place) => place.on(place.with("echo hello")),
    /not a program this machine can run/,
  ],
  [
    "a script of an interpreter that is missing",
    (place) => place.on(place.with("#!/no/such/sh\n")),
    /interpreter .* does not exist/,
  ],
  [
    "a script with the line ends of Windows",
    (place) => place.on(place.with("#!/bin/sh\r\nexit 0\r\n")),
    /interpreter .* does not exist/,
  ],
  ["an empty file", (place) => place.on(place.with("")), /not a program this machine can run/],
  [
    "another program of that name",
    (place) => place.on(place.with("#!/bin/sh\necho usage: phux [-q] >&2; exit 64\n")),
    /usage: phux/,
  ],
  ["one that prints a banner first", (place) => place.on(place.with("#!/bin/sh\necho Welcome!\n")), /JSON|document/],
  ["one that prints nothing", (place) => place.on(place.with("#!/bin/sh\n")), /phux status/],
  ["one that is killed", (place) => place.on(place.with("#!/bin/sh\nkill -9 $$\n")), /SIGKILL/],
  ["one beside us before the one on PATH", (place) => besideUs(place, good(place)), /"beside"/],
  [
    "one beside us that lost its execute bit: seen, not passed over",
    (place) => besideUs(place, good(place), 0o644),
    /not an executable file/,
  ],
];

function folderNamed(place: Place): string {
  const folder = place.folder();
  mkdirSync(join(folder, "phux"));
  return folder;
}

function linkTo(place: Place, target: string): string {
  const folder = place.folder();
  symlinkSync(target, join(folder, "phux"));
  return folder;
}

function renamed(place: Place, name: string): string {
  const folder = join(place.folder(), name);
  symlinkSync(good(place), folder);
  return folder;
}

function besideUs(place: Place, onPath: string, mode = 0o755): Found {
  writeFileSync(join(place.home, "phux"), telling("beside"));
  chmodSync(join(place.home, "phux"), mode);
  return place.on(onPath);
}
