import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ArchiveRoom } from "./archive-room.ts";
import { until, Workbench } from "./workbench.ts";

setDefaultTimeout(30_000);

let bench: Workbench;
let room: ArchiveRoom;
beforeAll(async () => {
  bench = await Workbench.open();
  room = new ArchiveRoom(bench);
});
afterAll(() => bench.close());
afterEach(() => room.clear());

const drawing = {
  ...{ kind: "split", dir: "horizontal", ratio: 0.25, left: { kind: "pane", pane: 0 } },
  right: {
    kind: "split",
    dir: "vertical",
    ratio: 0.5,
    left: { kind: "pane", pane: 1 },
    right: { kind: "pane", pane: 2 },
  },
};

describe("archive save", () => {
  test("captures what the server counts where no layout is stored", async () => {
    expect(await room.saved()).toEqual({
      schema_version: 2,
      sessions: [
        {
          ...{ name: "main", active: true },
          windows: [
            { name: "window-0", active: true, panes: [{ active: true, cwd: bench.folder, cols: 80, rows: 24 }] },
          ],
        },
      ],
    });
  });

  test("captures the tabs of a layout, their trees, and the panes that none draws", async () => {
    const [first = 0] = await room.twoTabs("tabs");
    await room.spawnIn(first, "sleep", "63");
    const [, session] = (await room.saved()).sessions;
    expect(session).toMatchObject({ name: "tabs", active: false });
    const pane = (active: boolean) => ({ active, cwd: expect.any(String), cols: 80, rows: 24 });
    expect(session.windows).toEqual([
      { name: "code", active: false, layout: { kind: "pane", pane: 0 }, panes: [pane(true), pane(false)] },
      { name: "run", active: true, layout: drawing, panes: [pane(false), pane(false), pane(true)] },
    ]);
  });

  test("leaves out what has gone, and the splits that held it", async () => {
    const [, a, b] = await room.twoTabs("less");
    await bench.phux(["kill", `@${a}`]);
    await bench.phux(["kill", `@${b}`]);
    await until(() => room.panesOf("less").length === 2);
    const [, session] = (await room.saved()).sessions;
    expect(session.windows[1]).toMatchObject({
      name: "run",
      layout: { kind: "pane", pane: 0 },
      panes: [{ active: true }],
    });
  });

  test("reads the layouts of another prefix", async () => {
    await room.twoTabs("mine", "own.view");
    expect((await room.saved()).sessions[1].windows).toHaveLength(1);
    for (const prefix of ["own.view", "own.view.layout/v1"]) {
      expect((await room.saved("--projection", prefix)).sessions[1].windows).toHaveLength(2);
    }
    const wrong = await bench.phux(["archive", "save", "--projection", "own.view.layout/v1/3"]);
    expect(wrong).toMatchObject({ exit: 2, stdout: "", stderr: expect.stringContaining("prefix") });
  });

  test("writes a file for its owner alone, in place of the one that was there", async () => {
    const path = join(bench.folder, "saved.json");
    writeFileSync(path, "old", { mode: 0o644 });
    expect(await bench.phux(["archive", "save", "-o", "saved.json"])).toEqual({ exit: 0, stdout: "", stderr: "" });
    expect(JSON.parse(readFileSync(path, "utf8"))).toEqual(await room.saved());
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const files = readdirSync(bench.folder).filter((name) => name.startsWith("saved.json"));
    expect(files).toEqual(["saved.json"]);
  });

  test.each([
    [["-o", "/no/such/folder/x.json"], 1],
    [["-o", "-"], 2],
    [["--json"], 2],
    [["--socket", "/no/such.sock"], 1],
  ])("%j fails in prose", async (argv, exit) => {
    const ran = await bench.phux(["archive", "save", ...argv]);
    expect(ran).toMatchObject({ exit, stdout: "", stderr: expect.stringMatching(/^(phux|error): /) });
  });
});
