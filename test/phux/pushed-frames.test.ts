import { expect, test } from "bun:test";
import { MOST_BYTES, MOST_FRAMES, type Pushed, PushedFrames } from "../../src/phux/pushed-frames.ts";

const event = (title: string): Pushed => ({ name: "EVENT", value: { event: { tag: "title_changed", title } } });

test("frames come out in the order they went in, also across a pause", async () => {
  const pushed = new PushedFrames();
  pushed.push(event("a"), 10);
  const first = await pushed.take(0);
  const later = pushed.take(1_000);
  pushed.push(event("b"), 10);
  pushed.push(event("c"), 10);
  expect([first, await later, await pushed.take(0)]).toEqual([event("a"), event("b"), event("c")]);
});

test("nothing in time is null, and the frame that comes afterwards is not lost", async () => {
  const pushed = new PushedFrames();
  expect(await pushed.take(5)).toBeNull();
  expect(pushed.isExhausted).toBe(false);
  pushed.push(event("late"), 10);
  expect(await pushed.take(0)).toEqual(event("late"));
});

test("a limit without end waits, and the end of the stream wakes it", async () => {
  const pushed = new PushedFrames();
  const waiting = pushed.take(Number.POSITIVE_INFINITY);
  await Bun.sleep(5);
  pushed.close();
  expect(await waiting).toBeNull();
  expect(pushed.isExhausted).toBe(true);
});

test("what came before the end is still there", async () => {
  const pushed = new PushedFrames();
  pushed.push(event("last"), 10);
  pushed.close();
  expect(pushed.isExhausted).toBe(false);
  expect(await pushed.take(0)).toEqual(event("last"));
  expect(pushed.isExhausted).toBe(true);
});

const caps: [what: string, frames: number, bytes: number][] = [
  ["frames", MOST_FRAMES, 1],
  ["bytes", 16, MOST_BYTES / 16],
];
test.each(caps)(
  "past its cap of %s it takes nothing more: a gap in the middle would go unseen",
  async (_, frames, bytes) => {
    const pushed = new PushedFrames();
    for (let at = 0; at < frames + 5; at++) pushed.push(event(String(at)), bytes);
    expect(await pushed.take(0)).toEqual(event("0"));
    pushed.push(event("beyond"), 1);
    const began = performance.now();
    let last: Pushed | null = null;
    for (let next = await pushed.take(0); next !== null; next = await pushed.take(0)) last = next;
    expect(last).toEqual(event(String(frames - 1)));
    expect(pushed.isExhausted).toBe(true);
    expect(performance.now() - began).toBeLessThan(2_000);
  },
);
