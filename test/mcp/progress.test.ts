import { describe, expect, test } from "bun:test";
import { type Clock, Progress } from "../../src/mcp/progress.ts";

/** A clock that a test moves. */
class HandClock implements Clock {
  #now = 0;
  #timers: { at: number; run: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  after(ms: number, run: () => void): () => void {
    const timer = { at: this.#now + ms, run };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  get armed(): number {
    return this.#timers.length;
  }

  pass(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const next = this.#timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (next === undefined) break;
      this.#timers = this.#timers.filter((other) => other !== next);
      this.#now = next.at;
      next.run();
    }
    this.#now = end;
  }
}

function start(): { time: HandClock; progress: Progress; sent: [at: number, count: number, message: string][] } {
  const time = new HandClock();
  const sent: [number, number, string][] = [];
  const progress = new Progress("it runs", (count, message) => sent.push([time.now(), count, message]), time);
  return { time, progress, sent };
}

describe("progress", () => {
  test("a silent call is heard of within every 10 s", () => {
    const { time, sent } = start();
    time.pass(30_000);
    expect(sent.length).toBe(3);
    expect(sent.every(([at], i) => at - (sent[i - 1]?.[0] ?? 0) <= 9_000)).toBe(true);
    expect(sent.map(([, count, message]) => [count, message])).toEqual([1, 2, 3].map((count) => [count, "it runs"]));
  });

  test("the first status goes out at once, the last one is repeated", () => {
    const { time, progress, sent } = start();
    progress.say("one\nline");
    time.pass(9_000);
    expect(sent).toEqual([
      [0, 1, "one line"],
      [8_000, 2, "one line"],
    ]);
  });

  test("many statuses are five a second, and the latest is among them", () => {
    const { time, progress, sent } = start();
    for (let i = 1; i <= 1000; i++) {
      progress.say(`step ${i}`);
      time.pass(1);
    }
    time.pass(200);
    expect(sent.length).toBeLessThanOrEqual(6);
    expect(sent.at(-1)?.[2]).toBe("step 1000");
    expect(sent.map(([, count]) => count)).toEqual(sent.map((_, i) => i + 1));
  });

  test("the same status again, or an empty one, is none", () => {
    const { time, progress, sent } = start();
    progress.say("a");
    time.pass(500);
    progress.say("a");
    progress.say(" \n");
    time.pass(500);
    expect(sent.length).toBe(1);
  });

  test("after the stop there is nothing, not even a timer", () => {
    const { time, progress, sent } = start();
    progress.say("a");
    progress.say("b");
    progress.stop();
    progress.say("c");
    time.pass(60_000);
    expect(sent.length).toBe(1);
    expect(time.armed).toBe(0);
  });
});
