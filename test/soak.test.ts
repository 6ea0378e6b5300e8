/** A moment of the soak that `npm run soak` does at length. */
import { expect, test } from "bun:test";
import { slopeOf } from "../scripts/soak/slope.ts";
import { soak } from "../scripts/soak/soak.ts";
import { binary } from "./e2e/binary.ts";

test("mixed calls with cancels and faults: all answered once, nothing left open", async () => {
  const calls = 600;
  const plan = { program: binary, calls, inFlight: 32, seed: Date.now() % 1_000_000, restMs: 50, told: () => {} };
  const outcome = await soak(plan);
  const about = `seed ${plan.seed}: ${JSON.stringify(outcome)}`;
  expect(outcome.wrongs, about).toEqual([]);
  expect(outcome.answered + outcome.cancelled, about).toBe(calls);
  // It was a day with everything in it.
  expect(outcome.cancelled, about).toBeGreaterThan(0);
  expect(outcome.refused, about).toBeGreaterThan(0);
  expect(outcome.answered - outcome.refused, about).toBeGreaterThan(calls / 3);
  expect(outcome.dropped, about).toBeGreaterThan(0);
  expect(outcome.after.descriptors, about).toBeLessThanOrEqual(outcome.before.descriptors);
  expect(outcome.after.children, about).toBeLessThanOrEqual(outcome.before.children);
}, 120_000);

test("the slope of what grows by two a step is two, of what stays is none", () => {
  expect(
    slopeOf([
      [0, 5],
      [1, 7],
      [2, 9],
    ]),
  ).toBeCloseTo(2);
  expect(
    slopeOf([
      [0, 5],
      [1, 5],
      [2, 5],
    ]),
  ).toBe(0);
  expect(slopeOf([[3, 5]])).toBe(0);
});
