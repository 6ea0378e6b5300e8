import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { bucketOf, Counter, Histogram } from "./meter.ts";
import { stage } from "./stage.ts";

describe("a bucket", () => {
  test.each([
    [0, 0],
    [31, 31],
    [32, 32],
    [35, 32],
    [36, 33],
    [63, 39],
    [64, 40],
    [71, 40],
    [72, 41],
    [127, 47],
    [1_000_000, 151],
  ])("of %d is %d", (value, bucket) => {
    expect(bucketOf(value)).toBe(bucket);
  });

  test("never comes before that of a smaller value, and none is skipped", () => {
    const value = fc.integer({ min: 0, max: 2 ** 40 });
    fc.assert(fc.property(value, (one) => [0, 1].includes(bucketOf(one + 1) - bucketOf(one))));
  });
});

test("a counter starts over at a reset", () => {
  const counter = new Counter("frames_in", "count");
  counter.add();
  counter.add(4);
  expect(counter.metric).toEqual({ name: "frames_in", unit: "count", kind: "counter", value: 5 });
  counter.reset();
  expect(counter.metric.value).toBe(0);
});

test("a histogram tells how values are spread", () => {
  const histogram = new Histogram("request_time", "micros");
  expect(histogram.metric.value).toEqual({ count: 0, sum: 0, min: 0, max: 0, buckets: [] });
  for (const value of [70, 3.4, 3, 66]) histogram.record(value);
  const buckets = [
    { idx: 3, count: 2 },
    { idx: 40, count: 2 },
  ];
  expect(histogram.metric.value).toEqual({ count: 4, sum: 142, min: 3, max: 70, buckets });
});

test("GET_PERF counts what the server does, and reset forgets it after telling", async () => {
  await using lab = await stage();
  const client = await lab.connect();
  const report = async (reset: boolean) => {
    const result = await client.command({ tag: "GET_PERF", reset });
    if (result.tag !== "ok_with" || result.value.tag !== "json") throw new Error(`no report: ${result.tag}`);
    return new Map<string, number>(
      JSON.parse(result.value.json).metrics.map(({ name, value }: { name: string; value: number }) => [name, value]),
    );
  };
  const before = await report(false);
  expect(before.get("panes")).toBe(1);
  const { meter } = lab.lab.server;
  await client.command({ tag: "GET_STATE", scope: 0 });
  const after = await report(true);
  // The state, and the report itself.
  expect(Number(after.get("frames_in")) - Number(before.get("frames_in"))).toBe(2);
  expect(Number(after.get("bytes_out"))).toBeGreaterThan(Number(before.get("bytes_out")));
  expect(meter.framesIn.metric.value).toBe(0);
  expect((await report(false)).get("frames_in")).toBe(1);
});
