import { describe, expect, test } from "bun:test";
import { spawn } from "../../src/tools/pane.ts";
import { listMethods, relaunch, remove, show } from "../../src/tools/resource.ts";
import type { LabOptions } from "../lab/options.ts";
import type { Stage } from "../lab/stage.ts";
import { until } from "../lab/until.ts";
import type { Bench } from "./calls.ts";
import { membersOf, onLab } from "./lab-bench.ts";
import { LabRoom } from "./lab-room.ts";

const tools = [spawn, remove, relaunch, show, listMethods];
const on = (body: (bench: Bench, stage: Stage) => Promise<void>, options: Partial<LabOptions> = {}) =>
  onLab(tools, options, body);
const yes = { confirm: true } as const;

/** Starts a pane that is kept after its end, and waits for that end. Its selector. */
async function exited(bench: Bench, { lab }: Stage, command: readonly string[], place = {}): Promise<string> {
  const { terminal_id } = membersOf(await bench.document("phux_spawn", { command, retain_secs: 60, ...place }));
  await until("the pane has exited", () => Boolean(lab.server.panes.get(Number(terminal_id))?.retained));
  return `@${terminal_id}`;
}

describe("phux_resource_show", () => {
  const keys = [
    ...["schema_version", "resource", "kind", "parent", "session", "title", "cwd", "lifecycle", "exit"],
    ...["input_holder", "viewers", "process", "tags", "agent", "agent_session", "unreachable"],
  ];

  test("a running pane, with everything that can be known of it", () =>
    on(async (bench, { lab, folder, connect }) => {
      const [holder, viewer] = [await connect("holder"), await connect("viewer")];
      await holder.command({ tag: "ACQUIRE_INPUT", terminal_id: { tag: "local", id: 1 }, mode: 0, ttl_ms: 0 });
      await viewer.command({ tag: "ATTACH_RESOURCE", terminal_id: { tag: "local", id: 1 }, role_policy: 1 });
      const scope = { tag: "resource", id: { tag: "local", id: 1 } } as const;
      lab.server.writeMetadata(scope, "phux.tags/v1", new TextEncoder().encode('["api"]'));
      lab.server.writeMetadata(scope, "phux.agent/v1", new TextEncoder().encode('{"name":"fixer","state":"idle"}'));
      const document = membersOf(await bench.document("phux_resource_show", { target: "main" }));
      expect(Object.keys(document)).toEqual(keys);
      const pid = lab.server.panes.get(1)?.terminal.pid;
      expect(document).toMatchObject({
        schema_version: 1,
        resource: "@1",
        kind: "terminal",
        parent: null,
        session: "main",
        cwd: folder,
        lifecycle: "running",
        exit: null,
        input_holder: 1,
        viewers: [2],
        process: { child: { pid }, cwd: folder, prompt: { state: "unknown", last_exit_code: null }, exit: null },
        tags: ["api"],
        agent: { name: "fixer", state: "idle" },
        agent_session: null,
        unreachable: [],
      });
      expect(Object.keys(membersOf(document["process"]))).toEqual(["child", "foreground", "cwd", "prompt", "exit"]);
    }));

  test("an exited pane: how it ended", () =>
    on(async (bench, stage) => {
      const pane = await exited(bench, stage, ["sh", "-c", "exit 3"]);
      const document = membersOf(await bench.document("phux_resource_show", { target: pane }));
      const exit = membersOf(document["exit"]);
      expect(document).toMatchObject({ lifecycle: "exited", tags: [], agent: null });
      expect(exit).toMatchObject({ status: 3, signal: null, reason: "exited" });
      expect(Number(exit["retained_until_ms"]) - Number(exit["exited_at_ms"])).toBe(60_000);
      expect(membersOf(document["process"])["exit"]).toEqual({
        status: 3,
        signal: null,
        reason: "exited",
        exited_at_ms: exit["exited_at_ms"],
      });
    }));

  test("an agent session: its parent, and no process", () =>
    on(async (bench, { connect }) => {
      const client = await connect();
      const parent = { tag: "local", id: 1 } as const;
      client.send({
        name: "SPAWN_RESOURCE",
        value: { request_id: 1, group: 1, kind: 1, parent, provider: "claude", native_id: "8c1f" },
      });
      await client.next("RESOURCE_SPAWNED");
      expect(await bench.document("phux_resource_show", { target: "@2" })).toMatchObject({
        resource: "@2",
        kind: "agent_session",
        parent: "@1",
        session: null,
        lifecycle: "running",
        process: null,
        agent: null,
        agent_session: { provider: "claude", native_id: "8c1f", state: "unknown" },
      });
    }));

  test("0.8 knows no process, no title and no lifecycle", () =>
    on(
      async (bench) =>
        expect(await bench.document("phux_resource_show", { target: "@1" })).toMatchObject({
          title: null,
          lifecycle: "running",
          exit: null,
          process: null,
          tags: [],
        }),
      { version: "0.8" },
    ));

  test("what the server refuses to tell is null", () =>
    on(async (bench, { lab }) => {
      const no = { code: 201, message: "not yours" };
      lab.faults.refuse = { GET_TERMINAL_STATE: no, GET_METADATA: no };
      expect(await bench.document("phux_resource_show", { target: "@1" })).toMatchObject({
        process: null,
        tags: null,
        agent: null,
      });
    }));

  test("an id is taken as given, and a miss in a partial view is no absence", () =>
    on(
      async (bench) => {
        expect(await bench.document("phux_resource_show", { target: "@1" })).toMatchObject({
          unreachable: ["attic: connect timed out"],
        });
        expect(await bench.code("phux_resource_show", { target: "attic/@1" })).toEqual(["partial_view", 3]);
      },
      { satellites: { attic: { unreachable: "connect timed out" } } },
    ));
});

describe.each(["phux_resource_show", "phux_resource_methods"])("%s refuses", (tool) => {
  test.each([
    ["@99", "no_such_target", 1],
    ["nowhere", "no_such_target", 1],
    ["#", "invalid_selector", 2],
    ["%nobody", "no_such_target", 1],
  ] as const)("%s", (target, code, exit) =>
    on(async (bench) => expect(await bench.code(tool, { target })).toEqual([code, exit])),
  );
});

describe("phux_resource_methods", () => {
  const reasons = async (bench: Bench, target: string) => {
    const { methods } = membersOf(await bench.document("phux_resource_methods", { target }));
    if (!Array.isArray(methods)) throw new Error("no list");
    return Object.fromEntries(methods.map(membersOf).map((row) => [String(row["name"]), row["reason"]]));
  };

  test("a pane of a new server lacks only what nobody has", () =>
    on(async (bench) => {
      const lacking = Object.entries(await reasons(bench, "@1")).filter(([, reason]) => reason !== null);
      expect(Object.fromEntries(lacking)).toEqual({
        INPUT_RAW: "unimplemented",
        TRANSCRIBE: "feature_unadvertised",
        APPEND_RESOURCE_OUTPUT: "wrong_kind",
      });
    }));

  test("0.8", () =>
    on(
      async (bench) =>
        expect(await reasons(bench, "main")).toMatchObject({
          KILL_RESOURCE: null,
          KILL_RESOURCE_IF: "feature_unadvertised",
          CLOSE_TAB_RESOURCES: "feature_unadvertised",
          MOVE_RESOURCE: null,
          APPLY_INPUT: null,
          APPEND_RESOURCE_OUTPUT: "wrong_kind",
        }),
      { version: "0.8" },
    ));

  test("an agent session is no terminal", () =>
    on(async (bench, { connect }) => {
      const client = await connect();
      const parent = { tag: "local", id: 1 } as const;
      const value = { request_id: 1, group: 1, kind: 1, parent, provider: "claude" };
      client.send({ name: "SPAWN_RESOURCE", value });
      await client.next("RESOURCE_SPAWNED");
      expect(await reasons(bench, "@2")).toMatchObject({
        KILL_RESOURCE: null,
        GET_SCREEN: "wrong_kind",
        INPUT_RAW: "wrong_kind",
        APPEND_RESOURCE_OUTPUT: null,
      });
    }));
});

describe("phux_rm", () => {
  test("removes what has ended, all of a set, and the state shows it", () =>
    on(async (bench, stage) => {
      const first = await exited(bench, stage, ["true"]);
      const second = await exited(bench, stage, ["false"]);
      for (const id of [2, 3]) {
        const scope = { tag: "resource", id: { tag: "local", id } } as const;
        stage.lab.server.writeMetadata(scope, "phux.tags/v1", new TextEncoder().encode('["old"]'));
      }
      expect(await bench.document("phux_rm", { target: "#old", ...yes })).toEqual({
        schema_version: 1,
        removed: [first, second],
        target: "#old",
      });
      expect([...stage.lab.server.panes.keys()]).toEqual([1]);
    }));

  test("one that runs refuses all of them, and names phux_kill", () =>
    on(async (bench, stage) => {
      await exited(bench, stage, ["true"]);
      stage.lab.faults.silent = ["KILL_RESOURCE"];
      expect(await bench.code("phux_rm", { target: "main", ...yes })).toEqual(["resource_running", 2]);
      const text = await bench.failure("phux_rm", { target: "main", ...yes });
      expect(text).toContain("@1 (running)");
      expect(text).toContain("phux_kill");
      expect([...stage.lab.server.panes.keys()]).toEqual([1, 2]);
    }));

  test.each([
    ["nothing by that name", { target: "@99", ...yes }, "no_such_target"],
    ["several under one key", { target: "main", idempotency_key: "1".repeat(32), ...yes }, "selector_not_single"],
    ["a key of zeros", { target: "@2", idempotency_key: "0".repeat(32), ...yes }, "invalid_idempotency_key"],
  ] as const)("%s", (_, args, code) =>
    on(async (bench, stage) => {
      await exited(bench, stage, ["true"]);
      expect((await bench.code("phux_rm", args))[0]).toBe(code);
      expect(stage.lab.server.panes.size).toBe(2);
    }),
  );

  test.each([{}, { confirm: "true" }, { confirm: 1 }])("without consent: %p", (consent) =>
    on(async (bench, { lab }) => {
      expect(await bench.failure("phux_rm", { target: "@1", ...consent })).toContain("confirm: true");
      expect(lab.server.connections.size).toBe(0);
    }),
  );

  test("an id that goes meanwhile counts as removed; a refusal does not stop the others", () =>
    on(async (bench, stage) => {
      await exited(bench, stage, ["true"]);
      stage.lab.faults.refuse = { KILL_RESOURCE: { code: 104, message: "gone" } };
      expect(await bench.document("phux_rm", { target: "@2", ...yes })).toMatchObject({ removed: ["@2"] });
      stage.lab.faults.refuse = { KILL_RESOURCE: { code: 201, message: "not yours" } };
      expect(await bench.code("phux_rm", { target: "@2", ...yes })).toEqual(["permission_denied", 2]);
    }));

  test.each([
    ["0.8", {}, {}, "retain_on_exit"],
    ["0.9", { without: ["retain_on_exit"] }, {}, "retain_on_exit"],
    ["1.0", { without: ["keyed_signal"] }, { idempotency_key: "1".repeat(32) }, "keyed_signal"],
  ] as const)("%s without the feature: nothing is sent", (version, options, args, feature) =>
    on(
      async (bench, { lab }) => {
        lab.faults.silent = ["GET_STATE", "KILL_RESOURCE"];
        const text = await bench.failure("phux_rm", { target: "@1", ...args, ...yes });
        expect(JSON.parse(text)).toMatchObject({ error: { code: "unsupported_server" }, exit_code: 2 });
        expect(text).toContain(feature);
      },
      { version, ...options },
    ),
  );
});

describe("phux_relaunch", () => {
  const later = "[ -e gone ] || { touch gone; exit 7; }; exec sleep 600";

  test("the same id, argv and directory; its process runs again", () =>
    on(async (bench, stage) => {
      const command = ["sh", "-c", later];
      const pane = await exited(bench, stage, command, { cwd: stage.folder });
      const document = await bench.document("phux_relaunch", { target: pane });
      expect(document).toEqual({
        schema_version: 1,
        relaunched: true,
        terminal: "@2",
        session: "main",
        command,
        cwd: stage.folder,
        resumed: false,
        replayed: false,
      });
      await until("it sleeps", () => stage.lab.server.panes.get(2)?.terminal.foreground?.name === "sleep");
      expect(await bench.document("phux_resource_show", { target: pane })).toMatchObject({ lifecycle: "running" });
    }));

  test("one that ends at once again did not start", () =>
    on(async (bench, stage) => {
      const pane = await exited(bench, stage, ["true"]);
      stage.lab.faults.lateMs = { RELAUNCH_RESOURCE: 80 };
      expect(await bench.code("phux_relaunch", { target: pane })).toEqual(["spawn_failed", 1]);
    }));

  test("an id that only a layout knows is lost, and comes back", async () => {
    const room = await LabRoom.open(tools);
    try {
      const pane = await room.pane("@1");
      await room.draw(1, "*code: H(0.5; @1, @2) focus @1");
      room.scene.lab.server.panes.get(2)?.terminal.signal("SIGKILL");
      await until("it is gone", () => !room.scene.lab.server.panes.has(2));
      expect(await room.document("phux_relaunch", { target: pane })).toMatchObject({ terminal: "@2", session: "main" });
      expect(await room.owners()).toBe("@1 main, @2 main");
      expect(await room.code("phux_relaunch", { target: "@3" })).toEqual(["no_such_target", 1]);
    } finally {
      await room.end();
    }
  });

  test.each([
    ["a pane that runs", "@1", "resource_running", 2],
    ["several", "main", "selector_not_single", 2],
    ["nothing", "nowhere", "no_such_target", 1],
    ["an id that nobody draws", "@9", "no_such_target", 1],
  ] as const)("%s", (_, target, code, exit) =>
    on(async (bench, stage) => {
      await exited(bench, stage, ["true"]);
      stage.lab.faults.silent = ["RELAUNCH_RESOURCE"];
      expect(await bench.code("phux_relaunch", { target })).toEqual([code, exit]);
    }),
  );

  test("another host's pane", () =>
    onLab(tools, {}, async (_, satellite) => {
      await on(
        async (bench) =>
          expect(await bench.code("phux_relaunch", { target: "edge/@1" })).toEqual(["satellite_target", 2]),
        { satellites: { edge: { socket: satellite.lab.socket } } },
      );
    }));

  test("a key of another request", () =>
    on(async (bench, stage) => {
      const idempotency_key = "5".repeat(32);
      await exited(bench, stage, ["sh", "-c", later]);
      await exited(bench, stage, ["true"]);
      await bench.document("phux_relaunch", { target: "@2", idempotency_key });
      expect(await bench.code("phux_relaunch", { target: "@3", idempotency_key })).toEqual(["idempotency_conflict", 2]);
    }));

  test("a program that is gone", () =>
    on(async (bench, stage) => {
      await exited(bench, stage, ["true"]);
      stage.lab.faults.refuse = { RELAUNCH_RESOURCE: { code: 65535, message: "Unable to spawn" } };
      expect(await bench.code("phux_relaunch", { target: "@2" })).toEqual(["spawn_failed", 1]);
    }));

  test.each([
    ["0.8", {}],
    ["0.9", {}],
    ["1.0", { without: ["relaunch"] }],
  ] as const)("%s does not have it, and is sent nothing", (version, options) =>
    on(
      async (bench, { lab }) => {
        lab.faults.silent = ["GET_STATE", "RELAUNCH_RESOURCE"];
        const text = await bench.failure("phux_relaunch", { target: "@1" });
        expect(JSON.parse(text)).toMatchObject({ error: { code: "unsupported_server" }, exit_code: 2 });
        expect(text).toContain("relaunch");
      },
      { version, ...options },
    ),
  );
});
