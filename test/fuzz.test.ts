/** A moment of the fuzzing that `npm run fuzz` does at length: the same inputs each time, and some new ones. */
import { describe, expect, test } from "bun:test";
import { type Count, fuzz } from "../scripts/fuzz/run.ts";
import { broken, type Target } from "../scripts/fuzz/target.ts";
import { targets } from "../scripts/fuzz/targets.ts";

const ROUNDS = 30;

function rounds(target: Target, seed: number) {
  const count: Count = { target: target.name, inputs: 0, understood: 0 };
  let left = ROUNDS;
  const failure = fuzz(target, seed, count, () => left-- > 0);
  return { count, failure };
}

describe.each(targets.map((target): [string, Target] => [target.name, target]))("any input for %s", (_, target) => {
  test.each([1, Date.now() % 1_000_000])("gives a value or a refusal, seed %d", (seed) => {
    const { count, failure } = rounds(target, seed);
    expect(failure && `${failure.why}: ${Buffer.from(failure.input).toString("hex")}, seed ${failure.seed}`).toBeNull();
    expect(count.inputs).toBe(ROUNDS * 64);
    // Inputs that are all refused at the door would try nothing.
    expect(count.understood).toBeGreaterThan(count.inputs / 100);
  });
});

test("a broken promise is found, made small, and can be repeated", () => {
  const target: Target = {
    name: "no x",
    corpus: [new TextEncoder().encode("some text with an x in it")],
    run: (input) => (input.includes(0x78) ? broken("there is an x") : true),
  };
  const { failure } = rounds(target, 7);
  expect(failure).toMatchObject({ target: "no x", why: "there is an x", input: new Uint8Array([0x78]) });
});

test("an input without an end is none to wait for", () => {
  const target: Target = {
    name: "slow",
    corpus: [new Uint8Array([1])],
    run() {
      const until = performance.now() + 2_100;
      while (performance.now() < until);
      return true;
    },
  };
  expect(rounds(target, 7).failure?.why).toMatch(/^it took 2\d{3} ms$/);
}, 60_000);
