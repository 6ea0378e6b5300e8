import { expect, test } from "bun:test";
import { Timeline } from "./timeline.ts";

test("a timeline that is full keeps what came first, and says so", () => {
  const timeline = new Timeline(2);
  const bell = (ts: number) => timeline.add({ name: "bell", ph: "i", s: "p", pid: 1, tid: 1, ts, args: {} });
  bell(1);
  bell(2);
  expect(timeline.truncated).toBe(false);
  bell(3);
  expect(timeline.events.map(({ ts }) => ts)).toEqual([1, 2]);
  expect(timeline.truncated).toBe(true);
});
