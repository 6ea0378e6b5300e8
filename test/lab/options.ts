import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { AnyFeature } from "../../src/phux/designed-features.ts";
import type { Faults } from "./faults.ts";
import type { ReleaseName } from "./release.ts";

export type LabOptions = {
  /** Path of the Unix socket. Its folder is made when it is missing. */
  readonly socket: string;
  readonly version?: ReleaseName;
  /** Features that the release has and this server does not advertise. */
  readonly without?: readonly AnyFeature[];
  /** A first session of this name, as a person's server has one. None: an empty server. */
  readonly session?: string;
  readonly faults?: Partial<Faults>;
  /** The program of a pane that asks for none. */
  readonly shell?: string;
  /** Where a pane starts that asks for no directory. */
  readonly home?: string;
  /** The server's own directory: what GET_STATE shows for a pane that asked for none (recorded 0.8). */
  readonly cwd?: string;
  /** The whole environment that panes inherit, in place of this process's. */
  readonly env?: Readonly<Record<string, string>>;
  readonly historyRows?: number;
  /** Where uploads go, in a folder of their own. */
  readonly dataFolder?: string;
  /** Quiet time after which output counts as settled. */
  readonly idleMs?: number;
  /** How long a killed pane stays visible: 22 ms on the recorded server. */
  readonly killWindowMs?: number;
  readonly journalEvents?: number;
  /** Commands that wait for another connection's consent, by name: a server whose policy asks for approval. */
  readonly hold?: readonly string[];
  readonly holdMs?: number;
  /** Anyone may append to an agent session, not its opener alone: the way of a server whose producer is the user. */
  readonly openLogs?: boolean;
  /** Milliseconds since 1970 for what expires: mail and claims. */
  readonly now?: () => number;
  /** False: nobody looks for agents, and their records are what clients write. */
  readonly detection?: boolean;
  /** The rest of a fleet: other labs by host name, or the reason why one cannot be reached. */
  readonly satellites?: Readonly<Record<string, Satellite>>;
};

export type Satellite = { readonly socket: string } | { readonly unreachable: string };

export type LabSettings = Required<Omit<LabOptions, "version" | "without" | "session" | "faults">>;

export function settings(options: LabOptions): LabSettings {
  const env = options.env ?? inheritedEnvironment();
  const home = options.home ?? env["HOME"] ?? homedir();
  return {
    socket: options.socket,
    env,
    home,
    shell: options.shell ?? env["SHELL"] ?? "/bin/sh",
    cwd: options.cwd ?? process.cwd(),
    historyRows: options.historyRows ?? 10_000,
    dataFolder: options.dataFolder ?? join(dirname(options.socket) || tmpdir(), "data"),
    idleMs: options.idleMs ?? 100,
    killWindowMs: options.killWindowMs ?? 22,
    journalEvents: options.journalEvents ?? 4096,
    hold: options.hold ?? [],
    holdMs: options.holdMs ?? 120_000,
    openLogs: options.openLogs ?? false,
    now: options.now ?? Date.now,
    detection: options.detection ?? true,
    satellites: options.satellites ?? {},
  };
}

function inheritedEnvironment(): Record<string, string> {
  const pairs = Object.entries(process.env).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, value]],
  );
  return Object.fromEntries(pairs);
}
