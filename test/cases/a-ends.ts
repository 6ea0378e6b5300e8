/** How real hosts end their servers (shared/hosts/README.md, items 7 and 8), and what else ends one. */
import type { LinkKind } from "../e2e/link.ts";
import type { RawHost } from "../e2e/raw-host.ts";

/** Something a host does, so many milliseconds after it began to end its server. */
type Step = readonly [ms: number, act: (host: RawHost) => unknown];

export interface End {
  readonly name: string;
  readonly steps: readonly Step[];
  /** A SIGKILL comes first, or so soon that it may. */
  readonly sigkill?: "first" | "soon";
  /** On these alone. */
  readonly on?: readonly LinkKind[];
}

const signal = (ms: number, name: NodeJS.Signals): Step => [ms, (host) => host.signal(name)];
const group = (ms: number, name: NodeJS.Signals): Step => [ms, (host) => host.signalGroup(name)];
const noMoreInput: Step = [0, (host) => host.closeInput()];
const ping = '{"id":"ping","method":"ping"}\n';

export const ends: readonly End[] = [
  { name: "the end of input", steps: [noMoreInput] },
  { name: "half a line and the end of input", steps: [[0, (host) => host.write('{"id":8,"met').closeInput()]] },
  { name: "SIGTERM", steps: [signal(0, "SIGTERM")] },
  { name: "SIGINT", steps: [signal(0, "SIGINT")] },
  { name: "SIGHUP", steps: [signal(0, "SIGHUP")] },
  { name: "fifty signals", steps: Array.from({ length: 50 }, () => signal(0, "SIGTERM")) },
  {
    name: "Claude: SIGINT, SIGTERM after 100 ms, SIGKILL after 500, stdin open",
    steps: [signal(0, "SIGINT"), signal(100, "SIGTERM"), signal(500, "SIGKILL")],
  },
  {
    name: "Codex: SIGTERM to the group, SIGKILL 45 ms later",
    steps: [group(0, "SIGTERM"), signal(45, "SIGKILL")],
    sigkill: "soon",
  },
  { name: "Copilot: both within 3 ms", steps: [signal(0, "SIGTERM"), signal(3, "SIGKILL")], sigkill: "soon" },
  { name: "Gemini: SIGTERM and the end of input", steps: [signal(0, "SIGTERM"), noMoreInput] },
  {
    name: "opencode, Qwen, Inspector, Python: the end of input, SIGTERM after 2 s, SIGKILL after 4",
    steps: [noMoreInput, signal(2000, "SIGTERM"), signal(4000, "SIGKILL")],
  },
  {
    name: "a host that died: everything closed at once",
    steps: [[0, (host) => Promise.all([host.closeInput().closeOutput(), host.closeErrors()])]],
  },
  {
    name: "the reader of stdout gone, with stdin still open",
    // A closed stdout shows with the next write.
    steps: [
      [0, (host) => host.closeOutput()],
      [1, (host) => host.write(ping)],
      [20, (host) => host.write(ping)],
    ],
  },
  {
    name: "the reader of stdout gone before a single long answer",
    steps: [
      [0, (host) => host.closeOutput()],
      [1, (host) => host.write('{"id":9,"method":"tools/list"}\n')],
    ],
  },
  { name: "Ctrl-C", steps: [[0, (host) => host.write("\x03")]], on: ["terminal"] },
  { name: "Ctrl-C in the middle of a line", steps: [[0, (host) => host.write('{"id":8,"\x03')]], on: ["terminal"] },
  {
    name: "a stop for a while, with a SIGTERM in it",
    steps: [signal(0, "SIGSTOP"), signal(0, "SIGTERM"), signal(1, "SIGCONT")],
  },
  { name: "SIGKILL", steps: [signal(0, "SIGKILL")], sigkill: "first" },
  { name: "SIGKILL to the group", steps: [group(0, "SIGKILL")], sigkill: "first" },
];

/** Plays an end while there is somebody to end; gives the way to stop it. */
export function play({ steps }: End, host: RawHost): Disposable {
  const timers = steps.flatMap(([ms, act]) => {
    if (ms > 0) return [setTimeout(() => host.running && act(host), ms)];
    act(host);
    return [];
  });
  return { [Symbol.dispose]: () => timers.forEach(clearTimeout) };
}
