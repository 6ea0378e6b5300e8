import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { FrameValue } from "../../src/wire/frame.ts";
import { PhysicalKey } from "../../src/wire/physical-key.ts";
import type { SessionSnapshot } from "../../src/wire/state.ts";
import type { LabClient } from "./client.ts";
import { processRow } from "./process-table.ts";
import type { ScreenState } from "./screen-state.ts";
import { type Stage, stage } from "./stage.ts";
import { until } from "./until.ts";

let scene: Stage;
let client: LabClient;

beforeAll(async () => {
  scene = await stage();
  client = await scene.connect();
});
afterAll(() => scene.end());

async function spawn(ask: FrameValue<"SPAWN_RESOURCE">): Promise<number> {
  client.send({ name: "SPAWN_RESOURCE", value: { request_id: 1, group: 1, ...ask } });
  const { result } = await client.next("RESOURCE_SPAWNED");
  if (result.tag !== "ok") throw new Error(Bun.inspect(result));
  return result.id.id;
}

/** A pane in which a script runs, then waits. */
function run(script: string, more: FrameValue<"SPAWN_RESOURCE"> = {}): Promise<number> {
  return spawn({ command: ["/bin/bash", "-c", `${script}; exec cat`], ...more });
}

async function screen(pane: number, scrollback: number | null = null): Promise<ScreenState> {
  const terminal_id = { tag: "local", id: pane } as const;
  const result = await client.command({ tag: "GET_SCREEN", terminal_id, request_scrollback: scrollback, cells: true });
  if (result.tag !== "ok_with" || result.value.tag !== "json") throw new Error(Bun.inspect(result));
  return JSON.parse(result.value.json);
}

/** The screen once it shows a text. */
async function showing(pane: number, text: string, scrollback: number | null = null): Promise<ScreenState> {
  let state = await screen(pane, scrollback);
  await until(`pane ${pane} shows ${text}`, async () => {
    state = await screen(pane, scrollback);
    return (state.lines ?? []).some((line) => line.includes(text));
  });
  return state;
}

async function state(): Promise<SessionSnapshot> {
  const result = await client.command({ tag: "GET_STATE", scope: 0 });
  if (result.tag !== "ok_with" || result.value.tag !== "state") throw new Error(Bun.inspect(result));
  return result.value.state;
}

describe("what a person would see", () => {
  test("colours and attributes are cells", async () => {
    const pane = await run("printf '\\033[1;31mR\\033[0;4;38;2;1;2;3mG\\033[0m plain END'");
    const { cells = [], lines = [] } = await showing(pane, "END");
    expect(lines[0]).toBe("RG plain END");
    expect(cells.map(({ col }) => col)).toEqual([0, 1]);
    expect(cells[0]?.style).toMatchObject({ bold: true, fg: { kind: "palette", index: 1 } });
    expect(cells[1]?.style).toMatchObject({ bold: false, underline: true, fg: { kind: "rgb", r: 1, g: 2, b: 3 } });
  });

  test("a wide glyph takes two columns and stands once in the text", async () => {
    const pane = await run("printf '\\033[7m中\\033[0mx👩‍💻y'");
    const { cells, cursor, lines = [] } = await showing(pane, "y");
    expect(lines[0]).toBe("中x👩‍💻y");
    expect(cursor.x).toBe(2 + 1 + 2 + 1);
    expect(cells?.map(({ col }) => col)).toEqual([0]);
  });

  test("a long line wraps softly", async () => {
    const pane = await run("printf '%.0sx' {1..100}; printf END");
    const { soft_wrap, lines = [] } = await showing(pane, "END");
    expect(soft_wrap).toEqual({ lines: [0], scrollback: [] });
    expect(lines[1]).toBe(`${"x".repeat(20)}END`);
  });

  test("history is kept, and cut to what was asked", async () => {
    const pane = await run("for i in {1..50}; do echo line$i; done; echo END");
    const five = await showing(pane, "END", 5);
    expect(five).toMatchObject({ scrollback: ["line24", "line25", "line26", "line27", "line28"], truncated: true });
    expect((await screen(pane, 0)).scrollback).toHaveLength(28);
    expect(await screen(pane)).toMatchObject({ scrollback: [] });
  });

  test("the alternate screen hides the other, and gives it back", async () => {
    const pane = await run(
      "echo before; printf '\\033[?1049h\\033[H\\033[?25lALT'; read; printf '\\033[?1049l\\033[?25h'",
    );
    const hidden = await showing(pane, "ALT", 0);
    expect(hidden).toMatchObject({ scrollback: [], cursor: { visible: false } });
    expect(hidden.lines?.[0]).toBe("ALT");
    await client.command(typed(pane, "\n"));
    expect(await showing(pane, "before")).toMatchObject({ cursor: { visible: true } });
  });

  test("a real bash with marks tells prompt and input apart", async () => {
    const prompt = "PS1='\\[\\e]133;A\\a\\]> \\[\\e]133;B\\a\\]'; PS0='\\e]133;C\\a'";
    const pane = await spawn({ command: ["/bin/bash", "--norc", "--noprofile", "-i"], cwd: scene.folder });
    await screen(pane);
    await until("it reads its input", () => scene.lab.server.panes.get(pane)?.activity.resting === true);
    await client.command(typed(pane, `${prompt}; clear`));
    await client.command(enter(pane));
    await until("the prompt is marked", async () => (await screen(pane)).cells?.[0]?.semantic === "prompt");
    await client.command(typed(pane, "echo hi"));
    const { cells = [] } = await showing(pane, "echo hi");
    const semantics = cells.map((cell) => (cell.row === 0 ? cell.semantic : "elsewhere"));
    expect(semantics).toEqual([...Array(2).fill("prompt"), ...Array(7).fill("input")]);
  });
});

function typed(pane: number, text: string) {
  const event = { tag: "paste", event: { trust: 0, data: new TextEncoder().encode(text) } } as const;
  return { tag: "ROUTE_INPUT", terminal_id: { tag: "local", id: pane }, event } as const;
}

function enter(pane: number) {
  const nothing = { mods: 0, consumed_mods: 0, composing: false, text: null, unshifted_codepoint: null };
  const event = { tag: "key", event: { action: 1, key: PhysicalKey.Enter, ...nothing } } as const;
  return { tag: "ROUTE_INPUT", terminal_id: { tag: "local", id: pane }, event } as const;
}

describe("how a pane ends", () => {
  test("with its exit code, told to a subscriber", async () => {
    const watch = await scene.connect();
    watch.send({ name: "SUBSCRIBE_EVENTS", value: {} });
    await watch.command({ tag: "GET_STATE", scope: 0 });
    const pane = await spawn({ command: ["/bin/sh", "-c", "exit 7"] });
    const closed = await watch.take(
      (one) => one?.frame.name === "EVENT" && one.frame.value.event.tag === "pane_closed",
    );
    expect(closed?.frame.value).toMatchObject({
      terminal: { id: pane },
      event: { tag: "pane_closed", exit_status: 7 },
    });
  });

  test("a retained pane is readable and dead", async () => {
    const pane = await spawn({ command: ["/bin/sh", "-c", "echo bye; exit 3"], retain_secs: 60 });
    await until("it has exited", async () => (await state()).extensions?.resource_state?.at(-1)?.lifecycle === 2);
    const { exit } = (await state()).extensions?.resource_state?.at(-1) ?? {};
    expect(exit).toMatchObject({ exit_status: 3, signal: null, reason: 0 });
    expect((await screen(pane)).lines?.[0]).toBe("bye");
    expect(await client.command(typed(pane, "x"))).toMatchObject({ tag: "error", code: 207 });
    const signal = { tag: "SIGNAL_TERMINAL", terminal_id: { tag: "local", id: pane }, signal: 0 } as const;
    expect(await client.command(signal)).toMatchObject({ tag: "error", code: 200 });
    await client.command({ tag: "KILL_RESOURCE", terminal_id: { tag: "local", id: pane } });
  });

  test("a killed pane is listed for a moment, then gone, and its processes with it", async () => {
    const pidFile = join(scene.folder, "child.pid");
    const pane = await run(`(trap '' HUP TERM; echo $BASHPID > ${pidFile}; while :; do sleep 1; done) & echo UP`);
    await showing(pane, "UP");
    await until("the child has written its number", () => existsSync(pidFile));
    const child = Number(await Bun.file(pidFile).text());
    expect(processRow(child)).not.toBeNull();
    const listed = async () => (await state()).resources.some((row) => row.id.id === pane);
    expect(await client.command({ tag: "KILL_RESOURCE", terminal_id: { tag: "local", id: pane } })).toEqual({
      tag: "ok",
    });
    expect(await listed()).toBe(true);
    await until("it is not listed", async () => !(await listed()));
    await until("its child is dead", () => processRow(child) === null);
  });

  test("what a pane leaves in the background runs on, but not longer than the server", async () => {
    await using other = await stage();
    const guest = await other.connect();
    const pidFile = join(other.folder, "job.pid");
    const job = `(trap '' HUP; echo $BASHPID > ${pidFile}; while :; do sleep 1; done)`;
    const command = ["/bin/bash", "-c", `${job} & while [ ! -s ${pidFile} ]; do sleep 0.01; done; exit 0`];
    guest.send({ name: "SPAWN_RESOURCE", value: { request_id: 1, group: 1, command } });
    await until("the pane is gone", () => existsSync(pidFile) && other.lab.server.panes.size === 1);
    const left = Number(await Bun.file(pidFile).text());
    expect(processRow(left)).not.toBeNull();
    const shell = other.lab.server.panes.get(1)?.terminal.pid ?? 0;
    await other.end();
    expect([processRow(left), processRow(shell), existsSync(other.folder)]).toEqual([null, null, false]);
  });
});

describe("keys that make a repeat harmless", () => {
  const key = new Uint8Array(16).fill(7);

  test("a keyed spawn is done once", async () => {
    const first = await spawn({ command: ["/bin/cat"], idempotency_key: key });
    expect(await spawn({ command: ["/bin/cat"], idempotency_key: key })).toBe(first);
    client.send({
      name: "SPAWN_RESOURCE",
      value: { request_id: 1, group: 1, command: ["/bin/sh"], idempotency_key: key },
    });
    const { result } = await client.next("RESOURCE_SPAWNED");
    expect(result).toEqual({ tag: "err", error: { tag: "idempotency_conflict" } });
  });

  test("a keyed kill gives its first result again", async () => {
    const ids = [{ tag: "local", id: await run("true") } as const, { tag: "local", id: 4242 } as const];
    const command = { tag: "KILL_RESOURCES", ids, operation_id: key } as const;
    const first = await client.command(command);
    expect(first).toMatchObject({ value: { json: expect.stringContaining('"not_found":["@4242"]') } });
    await until("it is gone", () => !scene.lab.server.panes.has(ids[0]?.id ?? 0));
    expect(await client.command(command)).toEqual(first);
    expect(await client.command({ ...command, ids: [] })).toMatchObject({ tag: "error", code: 200 });
  });

  test("a conditional kill needs the instance and an untouched pane", async () => {
    client.send({ name: "SPAWN_RESOURCE", value: { request_id: 1, group: 1, bind_instance: true } });
    const { result, instance = null } = await client.next("RESOURCE_SPAWNED");
    if (result.tag !== "ok") throw new Error("no pane");
    const command = { tag: "KILL_RESOURCE_IF", terminal_id: result.id, conditions: 1, instance } as const;
    const wrong = { ...command, instance: new Uint8Array(16).fill(1) };
    expect(await client.command(wrong)).toMatchObject({ code: 212 });
    const other = await scene.connect();
    await other.command({ tag: "GET_SCREEN", terminal_id: result.id, request_scrollback: null });
    expect(await client.command(command)).toMatchObject({ code: 212 });
    expect(await client.command({ ...command, conditions: 0 })).toEqual({ tag: "ok" });
  });
});
