import { describe, expect, test } from "bun:test";
import { ExitWatch, type Step } from "../../src/phux/exit-watch.ts";
import { CloseReason, ControlAction, Lifecycle } from "../../src/wire/enums.ts";
import type { AgentEvent, SessionSnapshot } from "../../src/wire/frame.ts";
import { idOf, snapshotOf } from "./snapshot.ts";

const pane = idOf("@4");

type Life = "running" | "frozen" | "exited";

/** A state with @4 in it or not, and the head of its journal. */
function state(life: Life | null, head: bigint | null): SessionSnapshot {
  const resources = life === null ? [] : [{ id: "@4", window_id: 1, lifecycle: life }];
  const sketch = { sessions: [], windows: [], resources, focused_session: 0, focused_resource: "@0" };
  const { extensions, ...snapshot } = snapshotOf(sketch);
  return { ...snapshot, extensions: { ...extensions, ...(head !== null && { journal_head: head }) } };
}

const exit = { exit_status: 3, signal: null, reason: CloseReason.exited, exited_at_ms: 50n, retained_until_ms: 90n };

function retained(head: bigint): SessionSnapshot {
  const snapshot = state("exited", head);
  return {
    ...snapshot,
    extensions: { resource_state: [{ id: pane, lifecycle: Lifecycle.exited, exit }], journal_head: head },
  };
}

/** Something that happens to a watch. */
type Happens = (watch: ExitWatch) => void;

const begin =
  (cursor: bigint | null): Happens =>
  (watch) =>
    watch.begin(cursor);
const look =
  (snapshot: SessionSnapshot, ...notices: string[]): Happens =>
  (watch) =>
    watch.look({ snapshot, notices });
const caughtUp: Happens = (watch) => watch.caughtUp();
/** An event about a pane, or about the server, and what it asks for. */
const event = (selector: string | null, event: AgentEvent, seq: bigint | null, asks: Step = "go on"): Happens => {
  const terminal = selector === null ? {} : { terminal: idOf(selector) };
  const stamp = seq === null ? {} : { seq, ts_ms: 1_000n + seq };
  return (watch) => expect(watch.take({ ...terminal, event, ...stamp })).toBe(asks);
};

function play(...story: readonly Happens[]): ExitWatch {
  const watch = new ExitWatch(pane);
  for (const happens of story) happens(watch);
  return watch;
}

const closed = (exit_status: number | null): AgentEvent => ({ tag: "pane_closed", exit_status });
const gap = (first_missing: bigint, last_missing: bigint): AgentEvent => ({
  tag: "journal_gap",
  first_missing,
  last_missing,
});
const control: AgentEvent = {
  tag: "terminal_control",
  lifecycle: Lifecycle.exited,
  exit_status: 7,
  input_holder: null,
  action: ControlAction.exited,
  actor: null,
};
const learned = (status: number | null, exited_at_ms: bigint | null) => ({
  status,
  signal: null,
  reason: null,
  exited_at_ms,
});

describe("what is certain", () => {
  const running = look(state("running", 9n));
  const absent = look(state(null, 9n));
  const cases: [what: string, story: readonly Happens[], verdict: unknown][] = [
    ["nothing before the first look", [begin(null)], null],
    ["nothing while it runs", [begin(null), running, caughtUp], null],
    ["nor while it is frozen", [begin(null), look(state("frozen", 9n)), caughtUp], null],
    [
      "an exit that the server retains, with its facts",
      [begin(null), look(retained(9n)), caughtUp],
      { outcome: "exited", exit: { status: 3, signal: null, reason: "exited", exited_at_ms: 50n }, retained: true },
    ],
    [
      "an exit without its facts",
      [begin(null), look(state("exited", 9n)), caughtUp],
      { outcome: "exited", exit: learned(null, null), retained: true },
    ],
    ["an absence, live", [begin(null), absent, caughtUp], { outcome: "gone" }],
    ["an absence without a journal", [begin(null), look(state(null, null)), caughtUp], { outcome: "gone" }],
    [
      "an absence proves nothing where part of the fleet is away",
      [begin(null), look(state(null, 9n), "attic is away"), caughtUp],
      { outcome: "unclear" },
    ],
    [
      "a close that came before the state's answer",
      [begin(null), absent, event("@4", closed(1), 8n), caughtUp],
      { outcome: "exited", exit: learned(1, 1_008n), retained: false },
    ],
    [
      "a close after it, though the last state still lists it",
      [begin(null), running, caughtUp, event("@4", closed(null), 12n)],
      { outcome: "exited", exit: learned(null, 1_012n), retained: false },
    ],
    ["somebody else's close says nothing", [begin(null), running, event("@5", closed(1), 8n)], null],
    [
      "an exit that was told before the close keeps its status",
      [begin(null), running, event("@4", control, 10n, "reread"), event("@4", closed(null), 11n)],
      { outcome: "exited", exit: learned(7, 1_010n), retained: false },
    ],
    [
      "an exit that was told, and then an absence",
      [begin(null), running, event("@4", control, 10n, "reread"), look(state(null, 12n)), caughtUp],
      { outcome: "exited", exit: learned(7, 1_010n), retained: false },
    ],
    ["an absence before a replay is over", [begin(3n), absent, event("@4", { tag: "bell" }, 5n), caughtUp], null],
    ["an absence once it is", [begin(3n), absent, caughtUp, event("@5", { tag: "bell" }, 9n)], { outcome: "gone" }],
    ["an absence at a cursor that is at the head", [begin(9n), absent, caughtUp], { outcome: "gone" }],
    [
      "a close in the replay",
      [begin(3n), absent, event("@4", closed(0), 5n), caughtUp],
      { outcome: "exited", exit: learned(0, 1_005n), retained: false },
    ],
    [
      "a gap in the replay up to the head",
      [begin(3n), absent, event(null, gap(4n, 9n), null), caughtUp],
      { outcome: "gone" },
    ],
    ["a gap that ends before it", [begin(3n), absent, event(null, gap(4n, 8n), null), caughtUp], null],
  ];
  test.each(cases)("%s", (_, story, verdict) => expect<unknown>(play(...story).verdict()).toEqual(verdict));
});

describe("what was seen, and what was lost", () => {
  const running = look(state("running", 9n));
  const cases: [what: string, story: readonly Happens[], covered: bigint | null, lost: boolean][] = [
    ["live: all up to the head", [begin(null), running, caughtUp], 9n, false],
    ["and what came behind it", [begin(null), running, caughtUp, event("@4", { tag: "bell" }, 14n)], 14n, false],
    ["a replay: as far as it came", [begin(3n), running, event("@4", { tag: "bell" }, 5n), caughtUp], 5n, false],
    ["nothing without a journal", [begin(null), look(state("running", null)), caughtUp], null, false],
    ["a gap in a replay", [begin(3n), running, event(null, gap(4n, 7n), null), caughtUp], 7n, true],
    ["a cursor that this server never gave", [begin(50n), running, event(null, gap(1n, 9n), null)], 9n, true],
    [
      "a live gap is a matter of a new connection",
      [begin(null), running, caughtUp, event(null, gap(10n, 12n), null, "reconnect")],
      9n,
      false,
    ],
    [
      "as is one behind a replay that is over",
      [begin(3n), running, event("@4", { tag: "bell" }, 9n), event(null, gap(10n, 12n), null, "reconnect")],
      9n,
      false,
    ],
  ];
  test.each(cases)("%s", (_, story, covered, lost) => {
    const watch = play(...story);
    expect(watch.covered).toBe(covered);
    expect(watch.evidenceLost).toBe(lost);
  });

  test("events lost at their source ask for a new look, those of others do not", () => {
    play(
      begin(null),
      running,
      event("@4", { tag: "source_gap", dropped: 2n }, 10n, "reread"),
      event(null, { tag: "source_gap", dropped: 2n }, 11n, "reread"),
      event("@5", { tag: "source_gap", dropped: 2n }, 12n),
    );
  });
});

test("when no time is left, an exit that was seen counts; a pane that runs does not", () => {
  expect(play(begin(null), look(state("running", 9n))).lastWord()).toBeNull();
  const told = play(begin(null), look(state("running", 9n)), event("@4", control, 10n, "reread"));
  expect(told.lastWord()).toEqual({ outcome: "exited", exit: learned(7, 1_010n), retained: true });
});
