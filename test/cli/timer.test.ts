import { expect, test } from "bun:test";
import { after, type Clock } from "../../src/cli/timer.ts";

const DAY_MS = 86_400_000;

/** A clock that jumps to its next timer, and notes how long each was. */
function clockwork(): Clock & { readonly delays: number[]; advance(): void; time: number } {
  let next: (() => void) | null = null;
  const clock = {
    time: 0,
    delays: [] as number[],
    now: () => clock.time,
    schedule(ms: number, act: () => void) {
      clock.delays.push(ms);
      const mine = () => {
        clock.time += ms;
        act();
      };
      next = mine;
      return () => {
        if (next === mine) next = null;
      };
    },
    advance() {
      const due = next;
      next = null;
      due?.();
    },
  };
  return clock;
}

test.each([
  [0, [0]],
  [-5, [0]],
  [0.2, [1]],
  [30_000, [30_000]],
  [3_700_000, [3_700_000]],
  [2 ** 31 - 1, [2 ** 31 - 1]],
  [2 ** 31, [2 ** 31 - 1, 1]],
  [60 * DAY_MS, [2 ** 31 - 1, 2 ** 31 - 1, 60 * DAY_MS - 2 * (2 ** 31 - 1)]],
])("%d ms are waited for in timers of %j ms", (ms, delays) => {
  const clock = clockwork();
  let fired = 0;
  after(ms, () => fired++, clock);
  for (const _ of delays) {
    expect(fired).toBe(0);
    clock.advance();
  }
  expect(fired).toBe(1);
  expect(clock.delays).toEqual(delays);
});

test("a wait that was called off never ends, in its second timer neither", () => {
  const clock = clockwork();
  const callOff = after(2 ** 32, () => expect.unreachable(), clock);
  clock.advance();
  callOff();
  clock.advance();
  clock.advance();
});
