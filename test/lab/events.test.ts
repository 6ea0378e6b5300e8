import { expect, test } from "bun:test";
import { EventHub, type EventValue, type HubRules } from "./events.ts";

const rules: HubRules = { eight: false, journal: { events: 4 }, now: () => 1000 };
const one = { tag: "local", id: 1 } as const;
const two = { tag: "local", id: 2 } as const;
const bell = { tag: "bell" } as const;

function heard(): EventValue[] & { event(value: EventValue): void } {
  const values: EventValue[] = [];
  return Object.assign(values, { event: (value: EventValue) => void values.push(value) });
}

const seqs = (values: EventValue[]) => values.map(({ seq }) => seq ?? null);

test("events are numbered across panes, and a scope sees holes", () => {
  const hub = new EventHub(rules);
  const all = heard();
  const first = heard();
  hub.subscribe(all, null, undefined);
  hub.subscribe(first, one, undefined);
  for (const terminal of [one, two, one]) hub.publish({ terminal, event: bell });
  expect(seqs(all)).toEqual([1n, 2n, 3n]);
  expect(seqs(first)).toEqual([1n, 3n]);
  expect(all[0]).toEqual({ terminal: one, event: bell, seq: 1n, ts_ms: 1000n });
});

const cursors: [what: string, cursor: bigint | undefined, replayed: (bigint | null)[], gap: [bigint, bigint] | null][] =
  [
    ["none: live only", undefined, [], null],
    ["the highest: live only", 2n ** 64n - 1n, [], null],
    ["within the journal", 4n, [5n, 6n], null],
    ["at the head", 6n, [], null],
    ["older than the journal", 0n, [null, 3n, 4n, 5n, 6n], [1n, 2n]],
    ["beyond the head", 99n, [null], [1n, 6n]],
  ];

test.each(cursors)("a cursor, %s", (_, cursor, replayed, gap) => {
  const hub = new EventHub(rules);
  for (let i = 0; i < 6; i++) hub.publish({ terminal: one, event: bell });
  const late = heard();
  hub.subscribe(late, null, cursor);
  expect(seqs(late)).toEqual(replayed);
  if (gap) expect(late[0]?.event).toEqual({ tag: "journal_gap", first_missing: gap[0], last_missing: gap[1] });
  hub.publish({ terminal: one, event: bell });
  expect(seqs(late).at(-1)).toBe(7n);
});

const control = {
  tag: "terminal_control",
  lifecycle: 0,
  exit_status: null,
  input_holder: null,
  action: 3,
  actor: 1,
} as const;

test("on 0.8 the two subscriptions deliver different sets, unstamped", () => {
  const hub = new EventHub({ ...rules, eight: true, journal: null });
  const [all, filtered, narrow] = [heard(), heard(), heard()];
  hub.subscribe(all, null, 1n);
  hub.subscribeFiltered(filtered, one, []);
  hub.subscribeFiltered(narrow, one, [1, 2]);
  for (const event of [control, bell, { tag: "dirty" } as const, { tag: "command_started" } as const]) {
    hub.publish({ terminal: one, event });
  }
  const tags = (values: EventValue[]) => values.map(({ event }) => event.tag);
  expect(tags(all)).toEqual(["bell", "dirty", "command_started"]);
  expect(tags(filtered)).toEqual(["terminal_control", "dirty", "command_started"]);
  expect(tags(narrow)).toEqual(["terminal_control", "command_started"]);
  expect(seqs(all)).toEqual([null, null, null]);
});

test("an expiry is news only to who follows the journal", () => {
  const hub = new EventHub(rules);
  const [live, journalled] = [heard(), heard()];
  hub.subscribe(live, null, undefined);
  hub.subscribe(journalled, null, 0n);
  hub.publish({ terminal: one, event: { ...control, action: 9 } });
  expect([live.length, journalled.length]).toEqual([0, 1]);
});
