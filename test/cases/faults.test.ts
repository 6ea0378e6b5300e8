/**
 * What can go wrong on the socket, for every tool that uses it, on the compiled binary with a real server behind somebody
 * who spoils its answers. Every call ends with one clear answer in time, no change is made twice, nothing stays open.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { catalog } from "../../src/tools/catalog.ts";
import { encodeFrame } from "../../src/wire/frame.ts";
import { Agent } from "../e2e/agent.ts";
import { SLACK, until } from "../e2e/raw-host.ts";
import { type Deed, deeds, oneAtATime, Scene } from "./fault-deeds.ts";
import { type Fault, honest, Middle } from "./middle.ts";

setDefaultTimeout(120_000 * SLACK);

/** A call may wait for an answer as long as client.md 1.4 says; with a server that ends the connection it need not. */
const PROMPT_MS = 10_000;
const AT_ONCE = 16;
const MOST_CUTS = 24;

let agent: Agent;
let scene: Scene;
let numbers = 0;

beforeAll(async () => {
  agent = await Agent.start();
  scene = await Scene.set(agent);
});
afterAll(() => agent[Symbol.asyncDispose]());

interface Ended {
  readonly deed: Deed;
  readonly about: string;
  readonly isError: boolean;
  readonly text: string;
  /** Requests that ask for a change, over all its connections. */
  readonly changes: number;
  readonly connections: number;
}

/** One call through a fault; `fault` is asked for each connection. */
async function ended(tool: string, about: string, fault: (connection: number) => Fault): Promise<Ended> {
  const make = deeds[tool];
  if (make === undefined) throw new Error(`no deed for ${tool}`);
  const deed = await make(scene);
  await using middle = new Middle(join(agent.folder, `m${numbers++}`), agent.lab.socket, fault);
  const began = performance.now();
  const { text, isError } = await agent.answer(tool, { ...deed.arguments, socket: middle.path });
  const took = performance.now() - began;
  if (took > PROMPT_MS * SLACK) throw new Error(`${tool}, ${about}: ${took.toFixed(0)} ms`);
  await until(() => middle.open === 0, `the end of the connections of ${tool}, ${about}`, 2_000 * SLACK);
  return { deed, about, isError, text, changes: middle.changes.length, connections: middle.connections };
}

/** Runs so many at a time. */
async function all<T, R>(atOnce: number, list: readonly T[], run: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const lane = async () => {
    for (let at = next++; at < list.length; at = next++) {
      const one = list[at];
      if (one !== undefined) results[at] = await run(one);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return results;
}

/** What a user must be able to rely on, whatever went wrong. */
async function expectHonest(tool: string, one: Ended, most: number): Promise<void> {
  const about = `${tool}, ${one.about}: ${one.text.slice(0, 300)}`;
  if (one.isError && one.text.startsWith("{")) {
    const { error, remedy } = JSON.parse(one.text);
    expect(error.code, about).toMatch(/^[a-z_]+$/);
    expect(remedy.length, about).toBeGreaterThan(0);
    // Something was asked for and its answer is lost: the reader must be told to look.
    const isLost = ["server_disconnected"].includes(error.code) && one.changes > 0;
    if (isLost) expect(`${error.message} ${remedy}`, about).toMatch(/look|may have|whether|check/);
  } else if (one.isError) {
    expect(one.text.length, about).toBeGreaterThan(10);
  } else {
    JSON.parse(one.text);
  }
  if (one.deed.repeats !== true) expect(one.changes, about).toBeLessThanOrEqual(most);
  if (one.deed.happened === undefined) return;
  const happened = await one.deed.happened();
  expect(happened, about).toBeLessThanOrEqual(1);
  if (one.changes === 0) expect(happened, about).toBe(0);
  if (!one.isError) expect(happened, about).toBe(1);
}

/** Everything typed has arrived: the sink shows a mark that was typed last. */
async function atRest(): Promise<void> {
  const mark = `<rest ${scene.number()}>`;
  await agent.call("phux_paste", { target: "@1", text: mark });
  await until(() => scene.typed(mark) === 1, "the last of what was typed", 10_000 * SLACK);
}

/** Lets so many bytes of the answers through, then closes. */
function cutAfter(bytes: number): Fault {
  let left = bytes;
  return (answer, victim) => {
    victim.write(answer.bytes.subarray(0, Math.max(0, left)));
    left -= answer.bytes.length;
    if (left <= 0) victim.end();
  };
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}

/** Offsets at which a stream of frames is cut: around each boundary, and some in between; all when they are few. */
function offsets(sizes: readonly number[], from: number): number[] {
  const ends = sizes.map((_, at) => sizes.slice(0, at + 1).reduce((sum, size) => sum + size, 0));
  const total = ends.at(-1) ?? 0;
  const around = ends.flatMap((end) => [end - 1, end, end + 1, end + 4, end + 5]);
  const step = Math.max(1, Math.floor((total - from) / MOST_CUTS));
  const between = Array.from({ length: MOST_CUTS }, (_, at) => from + at * step);
  const wanted = [...around, ...between].filter((at) => at >= from && at < total);
  return [...new Set(wanted)].sort((a, b) => a - b);
}

const nonsense: readonly (readonly [about: string, bytes: Uint8Array])[] = [
  ["a length of 0", new Uint8Array([0, 0, 0, 0, 0])],
  ["a length over the cap", new Uint8Array([1, 0, 0, 1, 0x7f])],
  ["the largest length", new Uint8Array([255, 255, 255, 255, 0x7f])],
  ["a text of another protocol", new TextEncoder().encode("HTTP/1.1 400 Bad Request\r\n\r\n")],
];

const event = encodeFrame({ name: "ERROR", value: { code: 1, message: "some satellite did not answer" } });
const unknownFrame = new Uint8Array([0, 0, 0, 3, 0xee, 1, 2]);

/** Faults after which the connection is of no use: the call fails, or has had its answer before. */
const fatal: readonly (readonly [about: string, make: () => Fault])[] = [
  ...nonsense.map(([about, bytes]) => {
    const make = (): Fault => (answer, victim) => {
      if (answer.at === 1) victim.write(bytes);
      else victim.write(answer.bytes);
    };
    return [`${about} in place of the first answer`, make] as const;
  }),
  [
    "ERROR, DETACHED and the end in place of the first answer",
    () => (answer, victim) => {
      if (answer.at !== 1) return victim.write(answer.bytes);
      victim.write(encodeFrame({ name: "ERROR", value: { code: 1, message: "out with you" } }));
      victim.write(encodeFrame({ name: "DETACHED", value: { reason: 3, message: "out with you" } }));
      victim.end();
    },
  ],
];

/** Faults that a client must not even notice. */
const harmless: readonly (readonly [about: string, make: () => Fault])[] = [
  [
    "one byte at a time",
    () => (answer, victim) => {
      for (const byte of answer.bytes) victim.write(new Uint8Array([byte]));
    },
  ],
  [
    "every answer twice",
    () => (answer, victim) => {
      victim.write(answer.bytes);
      if (answer.at > 0) victim.write(answer.bytes);
    },
  ],
  [
    "notices in front of every answer",
    () => (answer, victim) => {
      if (answer.at > 0) victim.write(event);
      victim.write(answer.bytes);
    },
  ],
  [
    "frames of a later protocol in between",
    () => (answer, victim) => {
      victim.write(answer.bytes);
      victim.write(unknownFrame);
    },
  ],
  [
    "an answer to another request in front",
    () => (answer, victim) => {
      if (answer.at > 0) {
        victim.write(encodeFrame({ name: "COMMAND_RESULT", value: { request_id: 4_000_000, result: { tag: "ok" } } }));
      }
      victim.write(answer.bytes);
    },
  ],
];

test("every tool that uses a socket has its call here", () => {
  const socketless = ["phux_operation_status", "phux_plugin_action", "phux_plugin_profile"];
  const inProcess = catalog.filter((tool) => tool.runs === "in-process").map((tool) => tool.name);
  expect(Object.keys(deeds).toSorted()).toEqual(inProcess.filter((name) => !socketless.includes(name)).toSorted());
});

describe.each(Object.keys(deeds).map((tool): [string] => [tool]))("%s", (tool) => {
  test("a connection that closes after any byte, and one that is only spoilt", async () => {
    // Sockets alone: the runtime opens /dev/null for itself at some moment.
    const sockets = () => {
      const folder = `/proc/${agent.pid}/fd`;
      return readdirSync(folder).filter((fd) => linkOf(join(folder, fd)).startsWith("socket:")).length;
    };
    const atOnce = oneAtATime.has(tool) ? 1 : AT_ONCE;
    const sizes: number[] = [];
    const clean = await ended(tool, "no fault", () => (answer, victim) => {
      sizes.push(answer.bytes.length);
      honest(answer, victim);
    });
    const before = sockets();
    const most = clean.changes;
    const greeting = sizes[0] ?? 0;
    // The greeting is the same for all, so one tool has it cut everywhere.
    const cuts = offsets(sizes, tool === "phux_ls" ? 0 : greeting - 1);
    const spoilt = await all(atOnce, cuts, (at) => ended(tool, `cut after ${at} bytes, each time`, () => cutAfter(at)));
    const mended = await all(
      atOnce,
      cuts.filter((_, at) => at % 3 === 0),
      (at) => ended(tool, `cut after ${at} bytes, the first time`, (number) => (number === 0 ? cutAfter(at) : honest)),
    );
    const broken = await all(atOnce, fatal, ([about, make]) => ended(tool, about, make));
    const whole = await all(atOnce, harmless, ([about, make]) => ended(tool, about, make));
    await atRest();
    for (const one of [clean, ...spoilt, ...mended, ...broken, ...whole]) await expectHonest(tool, one, most);
    for (const one of whole) expect(`${one.about}: ${one.isError}`).toBe(`${one.about}: ${clean.isError}`);
    for (const one of broken) expect(one.isError, `${tool}, ${one.about}: ${one.text.slice(0, 200)}`).toBe(true);
    await until(() => sockets() <= before, "as many sockets as before", 3_000 * SLACK);
  });
});
