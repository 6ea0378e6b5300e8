import { describe, expect, test } from "bun:test";
import { seedLayout } from "../../src/phux/layout-edit.ts";
import { formatResource } from "../../src/phux/selector.ts";
import type { Feature } from "../../src/wire/capability.ts";
import type { AnyFrame, ResourceId, SpawnError } from "../../src/wire/frame.ts";
import {
  decodeLayout,
  encodeLayout,
  type LayoutDocument,
  type LayoutNode,
  type LayoutVersion,
} from "../../src/wire/layout-document.ts";
import type { ProtocolVersion } from "../../src/wire/version.ts";
import { valueIn, withServer } from "../phux/dialled.ts";
import { errorFrame, type FakeServer, metadataValue, requestId, V08, V09, V10 } from "../phux/fake-server.ts";
import { SmallPhux } from "../phux/small-phux.ts";
import { idOf } from "../phux/snapshot.ts";
import { describeShared, sharedJson } from "../shared.ts";
import { items, members } from "../wire/vector.ts";
import { type Bench, benchOn } from "./calls.ts";

const KEY = "00112233445566778899aabbccddeeff";
const OWN_KEY = "phux.tui.layout/v1/1";
const ALL: readonly Feature[] = ["retain_on_exit", "spawn_idempotency"];

interface Options {
  readonly version?: ProtocolVersion;
  readonly features?: readonly Feature[];
}

function onPhux(
  body: (bench: Bench, phux: SmallPhux, server: FakeServer) => Promise<void>,
  { version = V10, features = ALL }: Options = {},
): Promise<void> {
  const phux = new SmallPhux();
  return withServer({ script: phux.script, version, features }, (server) => body(benchOn(server), phux, server));
}

/** What went over the wire, a word for each frame. */
const words = (server: FakeServer) =>
  server.frames.map((frame) => (frame.name === "COMMAND" ? frame.value.command.tag : frame.name));
const spawned = (server: FakeServer) => server.frames.find(({ name }) => name === "SPAWN_RESOURCE")?.value;
const panes = (phux: SmallPhux) => phux.state.resources.map(({ id }) => formatResource(id));

/** A layout as a sentence: `H` side by side, `V` stacked, `*` the active tab. */
function sentenceOf({ windows, focused_window_index: active }: LayoutDocument): string {
  const node = (tree: LayoutNode): string =>
    tree.kind === "leaf"
      ? formatResource(tree.pane)
      : `${tree.dir === "horizontal" ? "H" : "V"}(${Number(tree.ratio.toFixed(4))}; ${node(tree.left)}, ${node(tree.right)})`;
  const tab = (window: LayoutDocument["windows"][number], at: number) =>
    `${at === active ? "*" : ""}${window.name}: ${node(window.root)} focus ${formatResource(window.focused_terminal)}`;
  return windows.map(tab).join(" | ");
}

function stored(phux: SmallPhux, version: LayoutVersion, key = OWN_KEY): string {
  const value = phux.get("group 1", key);
  return value === undefined ? "nothing" : sentenceOf(valueIn(decodeLayout(value, version)));
}

describe("a spawn without a place", () => {
  const cases: [what: string, args: object, frame: object][] = [
    ["nothing said", {}, { group: 1 }],
    ["an empty command", { command: [] }, { group: 1 }],
    [
      "program and folder",
      { command: ["make", "-j 2"], cwd: "/x" },
      { group: 1, command: ["make", "-j 2"], cwd: "/x" },
    ],
    ["another host", { satellite: "lab" }, { group: 1, satellite: "lab" }],
    ["kept for a while", { retain_secs: 0 }, { group: 1, kind: 0, retain_secs: 0 }],
    ["with a key", { idempotency_key: KEY }, { group: 1, kind: 0, idempotency_key: Uint8Array.fromHex(KEY) }],
  ];
  test.each(cases)("%s", (_, args, frame) =>
    onPhux(async (bench, _phux, server) => {
      const satellite = "satellite" in args ? args.satellite : null;
      expect(await bench.document("phux_spawn", { ...args })).toEqual({
        schema_version: 1,
        terminal_id: 11,
        satellite,
        replayed: false,
      });
      expect(words(server)).toEqual(["SPAWN_RESOURCE"]);
      expect(spawned(server)).toEqual({ request_id: expect.any(Number), ...frame });
    }),
  );
});

describe("a spawn beside a pane", () => {
  const versions = [
    ["1.0", V10, 3],
    ["0.9", V09, 3],
    ["0.8", V08, 2],
  ] as const;
  test.each(versions)("on a server of %s without a layout: seeded, split, confirmed", (_, version, layout) =>
    onPhux(
      async (bench, phux, server) => {
        await bench.document("phux_spawn", { target: "@2" });
        expect(words(server)).toEqual([
          "GET_STATE",
          "SPAWN_RESOURCE",
          "GET_STATE",
          "GET_METADATA",
          "SET_METADATA",
          "GET_METADATA",
        ]);
        expect(spawned(server)).toEqual({ request_id: expect.any(Number), group: 1, owner_terminal: idOf("@2") });
        expect(stored(phux, layout)).toBe("*1: V(0.5; @2, @11) focus @2");
      },
      { version, features: [] },
    ),
  );

  const splits: [args: object, layout: string][] = [
    [{ split: "horizontal" }, "*1: V(0.5; @1, @11) focus @1"],
    [{ split: "vertical" }, "*1: H(0.5; @1, @11) focus @1"],
    [{ split: "vertical", ratio: 0.3 }, "*1: H(0.3; @1, @11) focus @1"],
    [{ ratio: "0.75" }, "*1: V(0.75; @1, @11) focus @1"],
  ];
  test.each(splits)("%j", (args, layout) =>
    onPhux(async (bench, phux) => {
      await bench.document("phux_spawn", { target: "@1", ...args });
      expect(stored(phux, 3)).toBe(layout);
    }),
  );

  test("a session names its focused pane", () =>
    onPhux(async (bench, _phux, server) => {
      await bench.document("phux_spawn", { target: "work" });
      expect(spawned(server)).toMatchObject({ owner_terminal: idOf("@1") });
    }));

  test("under a projection of its own", () =>
    onPhux(async (bench, phux) => {
      await bench.document("phux_spawn", { target: "@1", projection: "my.layout/v1/1" });
      expect(stored(phux, 3)).toBe("nothing");
      expect(stored(phux, 3, "my.layout/v1/1")).toBe("*1: V(0.5; @1, @11) focus @1");
    }));

  test("a replay gives the first pane and places nothing", () =>
    onPhux(async (bench, phux, server) => {
      phux.override = (frame, client) => {
        if (frame.name !== "SPAWN_RESOURCE") return false;
        const value = { request_id: requestId(frame), result: { tag: "ok", id: idOf("@5") }, replayed: true } as const;
        client.send({ name: "RESOURCE_SPAWNED", value });
        return true;
      };
      const document = await bench.document("phux_spawn", { target: "@1", idempotency_key: KEY });
      expect(document).toMatchObject({ terminal_id: 5, replayed: true });
      expect(words(server)).toEqual(["GET_STATE", "SPAWN_RESOURCE"]);
    }));
});

describeShared("golden placements", () => {
  const cases = items(members(sharedJson("vectors/layouts.json"))["edits"])
    .map(members)
    .filter((edit) => edit["op"] === "spawn_place");
  const documents = [
    ["1.0", V10],
    ["0.8", V08],
  ] as const;
  for (const [name, version] of documents) {
    test.each(cases.map((edit) => [edit["name"], edit] as const))(`${name}: %s`, (_, edit) =>
      onPhux(
        async (bench, phux) => {
          const { target, new_pane: pane, split, ratio } = members(edit["args"]);
          const layout = (hex: unknown) => valueIn(decodeLayout(Uint8Array.fromHex(String(hex)), 3));
          const bytes = (hex: unknown) => encodeLayout(layout(hex), version === V08 ? 2 : 3);
          if (typeof edit["before_hex"] === "string") phux.set("group 1", OWN_KEY, bytes(edit["before_hex"]));
          const taken = { id: idOf(String(target)), window_id: 1, cols: 80, rows: 24, title: null, cwd: null };
          phux.state = { ...phux.state, resources: [taken] };
          phux.nextId = Number(String(pane).slice(1));
          await bench.document("phux_spawn", { target, split, ratio });
          expect(phux.get("group 1", OWN_KEY)?.toHex()).toBe(bytes(edit["after_hex"]).toHex());
          if (version === V10) expect(phux.get("group 1", OWN_KEY)?.toHex()).toBe(String(edit["after_hex"]));
        },
        { version },
      ),
    );
  }
});

describe("what cannot be placed is removed again", () => {
  const layoutOf = (pane: string) => encodeLayout(seedLayout(idOf(pane), 3), 3);
  const onKey = (frame: AnyFrame) =>
    (frame.name === "GET_METADATA" || frame.name === "SET_METADATA") && frame.value.key === OWN_KEY;
  type Setting = (phux: SmallPhux) => void;
  const cases: [what: string, Setting, says: string][] = [
    [
      "the server put it elsewhere",
      (phux) => {
        phux.spawnWindow = 2;
      },
      "not in the window of @1",
    ],
    ["the layout draws another pane", (phux) => phux.set("group 1", OWN_KEY, layoutOf("@2")), "draws @1"],
    ["the layout does not decode", (phux) => phux.set("group 1", OWN_KEY, "nonsense"), "does not decode"],
    [
      "the layout is of another version",
      (phux) => phux.set("group 1", OWN_KEY, encodeLayout(seedLayout(idOf("@1"), 2), 2)),
      "does not decode",
    ],
    [
      "the layout may not be read: it is not written over",
      (phux) => {
        phux.override = (frame, client) => {
          if (frame.name !== "GET_METADATA") return false;
          client.send(errorFrame(requestId(frame), "PERMISSION_DENIED", "no reading"));
          return true;
        };
      },
      "no reading",
    ],
    [
      "the write is refused",
      (phux) => {
        phux.override = (frame, client) => {
          if (frame.name !== "SET_METADATA") return false;
          client.send(errorFrame(requestId(frame), "PERMISSION_DENIED", "no writing"));
          return true;
        };
      },
      "no writing",
    ],
    [
      "the write is not kept",
      (phux) => {
        phux.override = (frame) => frame.name === "SET_METADATA";
      },
      `did not keep ${OWN_KEY}`,
    ],
    [
      "somebody else wrote meanwhile",
      (phux) => {
        phux.override = (frame) => {
          if (frame.name === "SET_METADATA") phux.set("group 1", OWN_KEY, layoutOf("@2"));
          return onKey(frame) && frame.name === "SET_METADATA";
        };
      },
      "another layout",
    ],
  ];
  test.each(cases)("%s", (_, set, says) =>
    onPhux(async (bench, phux, server) => {
      set(phux);
      const before = phux.get("group 1", OWN_KEY);
      const text = await bench.failure("phux_spawn", { target: "@1" });
      expect(JSON.parse(text)).toMatchObject({ error: { code: "spawn_failed" }, exit_code: 1 });
      expect(text).toContain(says);
      expect(text).toContain("removed again");
      expect(panes(phux)).toEqual(["@1", "@2", "@3"]);
      expect(server.commands.filter(({ tag }) => tag === "KILL_RESOURCE")).toMatchObject([
        { terminal_id: idOf("@11") },
      ]);
      if (before !== undefined && !says.startsWith("another")) expect(phux.get("group 1", OWN_KEY)).toBe(before);
    }),
  );

  test("the removal is polled for, because a killed pane stays a moment", () =>
    onPhux(async (bench, phux, server) => {
      phux.spawnWindow = 2;
      phux.override = (frame, client) => {
        const command = frame.name === "COMMAND" ? frame.value.command : null;
        if (command?.tag !== "KILL_RESOURCE") return false;
        void Bun.sleep(25).then(() => phux.remove("@11"));
        client.send({ name: "COMMAND_RESULT", value: { request_id: requestId(frame), result: { tag: "ok" } } });
        return true;
      };
      expect(await bench.failure("phux_spawn", { target: "@1" })).toContain("removed again");
      expect(words(server).filter((word) => word === "GET_STATE").length).toBeWithin(4, 7);
    }));

  test("and when it stays, the answer names it", () =>
    onPhux(async (bench, phux) => {
      phux.spawnWindow = 2;
      phux.override = (frame, client) => {
        const isKill = frame.name === "COMMAND" && frame.value.command.tag === "KILL_RESOURCE";
        if (isKill) client.send(errorFrame(requestId(frame), "PERMISSION_DENIED", "no"));
        return isKill;
      };
      const began = performance.now();
      const document: unknown = JSON.parse(await bench.failure("phux_spawn", { target: "@1" }));
      expect(document).toMatchObject({ error: { code: "spawn_failed" }, remedy: expect.stringContaining("@11") });
      expect(JSON.stringify(document)).toContain("not confirmed");
      expect(performance.now() - began).toBeWithin(900, 2_500);
    }));

  test("a connection lost in between leaves no doubt about the pane that stays", () =>
    onPhux(async (bench, phux) => {
      phux.override = (frame, client) => {
        if (frame.name === "GET_METADATA") client.end();
        return frame.name === "GET_METADATA";
      };
      const text = await bench.failure("phux_spawn", { target: "@1" });
      expect(text).toContain("not confirmed");
      expect(text).toContain("@11");
    }));
});

describe("refusals of a spawn", () => {
  const answers: [error: SpawnError | "ERROR" | "DENIED", code: string, exit: number][] = [
    [{ tag: "spawn_failed", message: "no such program" }, "spawn_failed", 1],
    [{ tag: "group_not_found" }, "spawn_failed", 1],
    [{ tag: "unsupported_satellite_route" }, "spawn_failed", 1],
    [{ tag: "satellite_unreachable", message: "down" }, "spawn_failed", 1],
    [{ tag: "unsupported_kind" }, "spawn_failed", 1],
    [{ tag: "idempotency_conflict" }, "idempotency_conflict", 2],
    ["ERROR", "spawn_failed", 1],
    ["DENIED", "permission_denied", 2],
  ];
  test.each(answers)("%j", (error, code, exit) =>
    onPhux(async (bench, phux) => {
      phux.override = (frame, client) => {
        if (frame.name !== "SPAWN_RESOURCE") return false;
        const request_id = requestId(frame);
        if (error === "ERROR") client.send(errorFrame(request_id, "RESOURCE_EXHAUSTED", "full"));
        else if (error === "DENIED") client.send(errorFrame(request_id, "PERMISSION_DENIED", "no"));
        else client.send({ name: "RESOURCE_SPAWNED", value: { request_id, result: { tag: "err", error } } });
        return true;
      };
      expect(await bench.code("phux_spawn", { target: "@1" })).toEqual([code, exit]);
      expect(phux.metadata.size).toBe(0);
    }),
  );

  const satellite: ResourceId = { tag: "satellite", host: "lab", id: 4 };
  const early: [args: object, code: string, exit: number][] = [
    [{ target: "nobody" }, "no_such_target", 1],
    [{ target: "@" }, "invalid_selector", 2],
    [{ target: "lab/@4" }, "satellite_target", 2],
    [{ target: "@9" }, "unknown_terminal_session", 2],
    [{ target: "@1", ratio: 0 }, "invalid_ratio", 2],
    [{ target: "@1", ratio: 1 }, "invalid_ratio", 2],
    [{ target: "@1", ratio: 1e-46 }, "invalid_ratio", 2],
    [{ target: "@1", ratio: 0.99999999999 }, "invalid_ratio", 2],
    [{ target: "@1", projection: "phux.tui.layout/v1/2" }, "projection_invalid", 2],
    [{ target: "@1", projection: ".layout/v1/1" }, "projection_invalid", 2],
    [{ target: "@1", projection: "a.layout/v1/01" }, "projection_invalid", 2],
    [{ target: "@1", projection: "a.layout/v1/b.layout/v1/1" }, "projection_invalid", 2],
    [{ idempotency_key: "0".repeat(32) }, "invalid_idempotency_key", 2],
  ];
  test.each(early)("%j before anything is started", (args, code, exit) =>
    onPhux(async (bench, phux, server) => {
      const row = { window_id: 0, cols: 80, rows: 24, title: null, cwd: null };
      const more = [satellite, idOf("@9")].map((id) => ({ ...row, id }));
      phux.state = { ...phux.state, resources: [...phux.state.resources, ...more] };
      expect(await bench.code("phux_spawn", { ...args })).toEqual([code, exit]);
      expect(spawned(server)).toBeUndefined();
    }),
  );

  const gates: [args: object, feature: string][] = [
    [{ retain_secs: 5 }, "retain_on_exit"],
    [{ idempotency_key: KEY }, "spawn_idempotency"],
  ];
  test.each(gates)("%j on a server that lacks it sends nothing", (args, feature) =>
    onPhux(
      async (bench, _phux, server) => {
        expect(await bench.code("phux_spawn", { target: "@1", ...args })).toEqual(["unsupported_server", 2]);
        expect(await bench.failure("phux_spawn", { target: "@1", ...args })).toContain(feature);
        expect(server.frames).toEqual([]);
      },
      { version: V08, features: [] },
    ),
  );

  const wrong: [args: object, says: string][] = [
    [{ target: "@1", satellite: "lab" }, "satellite"],
    [{ split: "vertical" }, "split"],
    [{ ratio: 0.5 }, "ratio"],
    [{ projection: "a.layout/v1/1" }, "projection"],
  ];
  test.each(wrong)("%j is refused before anything is opened", (args, says) =>
    onPhux(async (bench, _phux, server) => {
      expect(await bench.failure("phux_spawn", { ...args })).toContain(says);
      expect(server.clients).toHaveLength(0);
    }),
  );

  test("the reply of another kind", () =>
    onPhux(async (bench, phux) => {
      phux.override = (frame, client) => {
        if (frame.name === "SPAWN_RESOURCE") client.send(metadataValue(requestId(frame), undefined));
        return frame.name === "SPAWN_RESOURCE";
      };
      expect(await bench.code("phux_spawn", {})).toEqual(["transport", 1]);
    }));
});
