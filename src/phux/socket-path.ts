import { fail, ok, type Result } from "../wire/result.ts";
import { type Refusal, refuse, sentence } from "./errors.ts";

/** The environment variables that count. */
export interface SocketEnvironment {
  readonly PHUX_SOCKET?: string | undefined;
  readonly PHUX_PROFILE?: string | undefined;
  readonly XDG_RUNTIME_DIR?: string | undefined;
  readonly UID?: string | undefined;
  readonly USER?: string | undefined;
}

/** What decides where the server is looked for. */
export interface SocketSearch {
  /** The call's own `socket`, when it has one. */
  readonly argument: string | undefined;
  readonly environment: SocketEnvironment;
  /** Numeric id of the user, or null where the system has none. */
  readonly uid: number | null;
  /** The system's name as `process.platform` spells it. */
  readonly platform: string;
  /** Whether something that a server may listen on stands at a path. Asked for default places only. */
  readonly holdsSocket: (path: string) => boolean;
}

export interface SocketPath {
  readonly path: string;
  readonly origin: "argument" | "PHUX_SOCKET" | "default";
  /** A default place only: whether a socket stood there. A child process is then told the path. */
  readonly found: boolean;
}

/**
 * The socket to connect to: the argument, else PHUX_SOCKET, else the default place (spec/client.md 2.1, 2.2). Without
 * XDG_RUNTIME_DIR releases differ in the folder under /tmp, so the first that holds a socket is taken, and the one of
 * the numeric user id when none does. Refused: an empty argument, a NUL, more bytes than an address holds (2.4).
 */
export function socketPath(search: SocketSearch): Result<SocketPath, Refusal> {
  const { argument, environment, holdsSocket } = search;
  if (argument === "") return fail(sentence("`socket` is empty: give the path of a socket, or leave it out", 2));
  if (argument !== undefined) return checked({ path: argument, origin: "argument", found: false }, search);
  const named = environment.PHUX_SOCKET;
  if (named) return checked({ path: named, origin: "PHUX_SOCKET", found: false }, search);
  const places = defaultPlaces(search);
  const held = places.find(holdsSocket);
  return checked({ path: held ?? places[0] ?? "", origin: "default", found: held !== undefined }, search);
}

/** The default paths in the order they are tried, none twice; there is always one. */
export function defaultPlaces({ environment, uid }: Pick<SocketSearch, "environment" | "uid">): readonly string[] {
  const suffix = profileSuffix(environment.PHUX_PROFILE);
  const runtime = environment.XDG_RUNTIME_DIR;
  if (runtime) return [`${runtime.replace(/\/+$/, "")}/phux${suffix}/phux.sock`];
  const segments = [uid?.toString(), environment.UID, environment.USER, "default"];
  // A name with a slash would lead out of /tmp.
  const usable = segments.filter((segment) => segment && !segment.includes("/"));
  return [...new Set(usable)].map((segment) => `/tmp/phux-${segment}${suffix}/phux.sock`);
}

/** What a profile's folders end in: each profile but the default one has its own. */
export function profileSuffix(profile: string | undefined): string {
  if (!profile) return "";
  const cleaned = profile.replace(/[^A-Za-z0-9._-]/gu, "-").replace(/^[.-]+|[.-]+$/g, "") || "dev";
  return cleaned === "default" ? "" : `-${cleaned}`;
}

/** Bytes of a path that an address holds beside its terminator. */
function longestPath(platform: string): number {
  return platform === "darwin" ? 103 : 107;
}

function checked(socket: SocketPath, { platform }: SocketSearch): Result<SocketPath, Refusal> {
  const bytes = Buffer.byteLength(socket.path, "utf8");
  const most = longestPath(platform);
  const remedy = "pass a shorter path as `socket`, or in PHUX_SOCKET";
  // The system calls report neither in words that help.
  if (socket.path.includes("\0")) {
    return fail(
      refuse(
        "transport",
        `${JSON.stringify(beginning(socket.path))} holds a NUL, so it is no path`,
        "correct the path",
      ),
    );
  }
  if (bytes > most) {
    return fail(
      refuse(
        "transport",
        `${beginning(socket.path)} has ${bytes} bytes; the path of a socket has at most ${most}`,
        remedy,
      ),
    );
  }
  return ok(socket);
}

/** As much of a path as shows which one is meant: a caller may have put megabytes there. */
function beginning(path: string): string {
  return path.length <= 200 ? path : `${path.slice(0, 200).replace(/[\ud800-\udbff]$/, "")}…`;
}
