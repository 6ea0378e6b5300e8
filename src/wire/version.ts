import type { CommandName } from "./command.ts";

export type ProtocolVersion = { readonly major: number; readonly minor: number; readonly patch: number };

/** The versions we speak, newest first: the order in which a client dials (wire.md 5.3). */
export const versions = [
  { major: 1, minor: 0, patch: 0 },
  { major: 0, minor: 9, patch: 0 },
  { major: 0, minor: 8, patch: 0 },
] as const satisfies readonly ProtocolVersion[];

export function versionText({ major, minor, patch }: ProtocolVersion): string {
  return `${major}.${minor}.${patch}`;
}

/** A peer is admitted when major and minor are equal; the patch is not compared. */
export function speaksSame(a: ProtocolVersion, b: ProtocolVersion): boolean {
  return a.major === b.major && a.minor === b.minor;
}

/**
 * Where the versions differ, as far as no feature bit tells (wire.md 26). Fields, commands and frames with a feature
 * bit are asked of the bit, never of the version.
 */
export type Dialect = {
  /** Version of the layout document that this server's user interface reads. */
  readonly layout: 2 | 3;
  /** GET_SCREEN carries its format byte. */
  readonly screen_format: boolean;
  /** A PONG of ours is welcome as the answer to a PING of the server; on 0.8 it is fatal. */
  readonly answers_ping: boolean;
};

const current: Dialect = { layout: 3, screen_format: true, answers_ping: true };
const eight: Dialect = { layout: 2, screen_format: false, answers_ping: false };

/** 1.0 is taken to freeze the bytes of 0.9: an assumption, see docs/wire.md. */
export function dialectOf({ major, minor }: ProtocolVersion): Dialect {
  return major === 0 && minor <= 8 ? eight : current;
}

/** What the decoder of 0.8 does not know and treats as fatal: a server that plays 0.8 refuses these too. */
export const unknownToEight = {
  commands: [
    "GET_PERF",
    "TRANSCRIBE",
    "APPEND_RESOURCE_OUTPUT",
    "KILL_RESOURCE_IF",
    "OPEN_LISTENER",
    "CLOSE_TAB_RESOURCES",
    "RELAUNCH_RESOURCE",
  ] satisfies CommandName[],
  frames: ["LIST_DIRECTORY", "PATH_QUERY", "FRAME_COMPRESSED", "DIRECTORY_LISTING", "PATH_RESULTS"],
} as const;
