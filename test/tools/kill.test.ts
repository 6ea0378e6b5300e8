import { describe, expect, test } from "bun:test";
import type { Feature } from "../../src/wire/capability.ts";
import { withServer } from "../phux/dialled.ts";
import { type Client, errorFrame, errorResult, type FakeServer, jsonResult, requestId } from "../phux/fake-server.ts";
import { SmallPhux, stateResult, twoSessions } from "../phux/small-phux.ts";
import { idOf } from "../phux/snapshot.ts";
import { type Bench, benchOn } from "./calls.ts";

const KEY = "00112233445566778899AABBCCDDEEFF";
const keyBytes = Uint8Array.fromHex(KEY);
const yes = { confirm: true } as const;

/** Two sessions, and one that is kept though it is empty. */
const withEmpty = { ...twoSessions, sessions: [...twoSessions.sessions, { id: 9, name: "parked" }] };

function onPhux(
  body: (bench: Bench, server: FakeServer, phux: SmallPhux) => Promise<void>,
  features: readonly Feature[] = ["keyed_signal"],
): Promise<void> {
  const phux = new SmallPhux(withEmpty);
  return withServer({ script: phux.script, features }, (server) => body(benchOn(server), server, phux));
}

const kills = (server: FakeServer) => server.commands.filter(({ tag }) => tag.startsWith("KILL"));

describe("what a kill sends", () => {
  const cases: [target: string, sent: readonly object[]][] = [
    ["@2", [{ tag: "KILL_RESOURCE", terminal_id: idOf("@2") }]],
    ["work", [{ tag: "KILL_RESOURCES", ids: [idOf("@1"), idOf("@2")] }]],
    ["home", [{ tag: "KILL_RESOURCES", ids: [idOf("@3")] }]],
    [".", [{ tag: "KILL_RESOURCES", ids: [idOf("@1"), idOf("@2")] }]],
    [
      "work:0",
      [
        { tag: "KILL_RESOURCE", terminal_id: idOf("@1") },
        { tag: "KILL_RESOURCE", terminal_id: idOf("@2") },
      ],
    ],
    ["work:0.1", [{ tag: "KILL_RESOURCE", terminal_id: idOf("@2") }]],
    [
      "#ci",
      [
        { tag: "KILL_RESOURCE", terminal_id: idOf("@1") },
        { tag: "KILL_RESOURCE", terminal_id: idOf("@3") },
      ],
    ],
    ["%bot", [{ tag: "KILL_RESOURCE", terminal_id: idOf("@3") }]],
  ];
  test.each(cases)("%s", (target, sent) =>
    onPhux(async (bench, server, phux) => {
      for (const pane of ["@1", "@3"]) phux.set(pane, "phux.tags/v1", '["ci"]');
      phux.set("@3", "phux.agent/v1", '{"name":"bot","state":"idle"}');
      expect(await bench.document("phux_kill", { target, ...yes })).toEqual({
        schema_version: 1,
        killed: true,
        target,
      });
      expect(kills(server)).toMatchObject(sent);
      expect(kills(server)).toHaveLength(sent.length);
      expect(server.clients).toHaveLength(1);
    }),
  );

  test("a session that is kept though it is empty loses its mark", () =>
    onPhux(async (bench, server, phux) => {
      phux.override = (frame) => {
        if (frame.name === "SET_METADATA") phux.state = { ...phux.state, sessions: phux.state.sessions.slice(0, 2) };
        return false;
      };
      await bench.document("phux_kill", { target: "parked", ...yes });
      expect(kills(server)).toEqual([]);
      const value = new TextDecoder().decode(phux.get("global", "phux.session.keep_empty/v1"));
      expect(value).toBe("parked\0false");
      expect(server.commands.filter(({ tag }) => tag === "GET_STATE")).toHaveLength(2);
    }));

  test("and when the server keeps it all the same, the call says so", () =>
    onPhux(async (bench) =>
      expect(await bench.failure("phux_kill", { target: "parked", ...yes })).toContain("parked"),
    ));
});

describe("a kill with a key", () => {
  test.each(["@2", "host/@7"])("%s is sent unseen", (target) =>
    onPhux(async (bench, server) => {
      await bench.document("phux_kill", { target, idempotency_key: KEY, ...yes });
      expect(server.commands).toEqual([{ tag: "KILL_RESOURCE", terminal_id: idOf(target), operation_id: keyBytes }]);
    }),
  );

  test("several panes go in one command, so that one key covers one", () =>
    onPhux(async (bench, server) => {
      await bench.document("phux_kill", { target: "work:0", idempotency_key: KEY, ...yes });
      expect(kills(server)).toEqual([{ tag: "KILL_RESOURCES", ids: [idOf("@1"), idOf("@2")], operation_id: keyBytes }]);
    }));

  const keys: [what: string, key: string][] = [
    ["all zeros", "0".repeat(32)],
    ["too short", "a".repeat(31)],
    ["no hex", "g".repeat(32)],
    ["empty", ""],
  ];
  test.each(keys)("%s is refused before anything is opened", (_, idempotency_key) =>
    onPhux(async (bench, server) => {
      const call = { target: "@1", idempotency_key, ...yes };
      expect(await bench.code("phux_kill", call)).toEqual(["invalid_idempotency_key", 2]);
      expect(server.clients).toHaveLength(0);
    }),
  );

  test("a server without keyed_signal is told apart before anything is sent", () =>
    onPhux(async (bench, server) => {
      const call = { target: "@1", idempotency_key: KEY, ...yes };
      expect(await bench.code("phux_kill", call)).toEqual(["unsupported_server", 2]);
      expect(await bench.failure("phux_kill", call)).toContain("keyed_signal");
      expect(server.frames).toEqual([]);
    }, []));

  const rows: [what: string, answer: unknown, says: string | null][] = [
    ["all killed", { schema_version: 1, killed: ["@1", "@2"], not_found: [], failed: [] }, null],
    ["some gone already", { schema_version: 1, killed: ["@1"], not_found: ["@2"], failed: [] }, null],
    ["a newer document", { schema_version: 2, killed: ["@1"], more: true }, null],
    [
      "one that failed",
      {
        schema_version: 1,
        killed: ["@1"],
        not_found: [],
        failed: [{ id: "build/@2", code: 107, message: "link down" }],
      },
      "killing build/@2: satellite unreachable: link down",
    ],
    ["no JSON", "{", "says nothing"],
    ["a list", "[]", "says nothing"],
    ["odd rows", { failed: [7] }, "7"],
  ];
  test.each(rows)("the answer: %s", (_, answer, says) =>
    onPhux(async (bench, _server, phux) => {
      phux.override = (frame, client) => {
        const isKill = frame.name === "COMMAND" && frame.value.command.tag === "KILL_RESOURCES";
        if (isKill) client.send(jsonResult(requestId(frame), answer));
        return isKill;
      };
      const call = { target: "work", idempotency_key: KEY, ...yes };
      if (says === null) await bench.document("phux_kill", call);
      else expect(await bench.failure("phux_kill", call)).toContain(says);
    }),
  );
});

describe("refusals of a kill", () => {
  const misses: [target: string, code: string, exit: number][] = [
    ["nobody", "no_such_target", 1],
    ["@99", "no_such_target", 1],
    ["lab/@1", "no_such_target", 1],
    ["work:7", "no_such_target", 1],
    ["#none", "no_such_target", 1],
    ["%none", "no_such_target", 1],
    ["=", "invalid_selector", 1],
    ["@x", "invalid_selector", 1],
    ["%", "invalid_selector", 1],
  ];
  test.each(misses)("%s", (target, code, exit) =>
    onPhux(async (bench, server) => {
      expect(await bench.code("phux_kill", { target, ...yes })).toEqual([code, exit]);
      expect(kills(server)).toEqual([]);
      if (code === "invalid_selector") expect(server.clients).toHaveLength(0);
    }),
  );

  test("a partial view never claims absence, and a hit in one leaves a remark", () =>
    onPhux(async (bench, _server, phux) => {
      phux.notices = [errorFrame(null, "SATELLITE_UNREACHABLE", "attic is away")];
      expect(await bench.code("phux_kill", { target: "lab/@1", ...yes })).toEqual(["partial_view", 3]);
      expect(await bench.failure("phux_kill", { target: "lab/@1", ...yes })).toContain("attic is away");
      await bench.document("phux_kill", { target: "@1", ...yes });
      expect(bench.remarks.join()).toContain("attic is away");
    }));

  /** The answer to each KILL_RESOURCE, by pane. */
  const answering = (phux: SmallPhux, answer: (pane: number, id: number, client: Client) => boolean) => {
    phux.override = (frame, client) => {
      const command = frame.name === "COMMAND" ? frame.value.command : null;
      return command?.tag === "KILL_RESOURCE" && answer(command.terminal_id.id, requestId(frame), client);
    };
  };

  test("one of several is refused: the others are ended all the same, and it is named", () =>
    onPhux(async (bench, server, phux) => {
      answering(phux, (pane, id, client) => {
        if (pane === 1) client.send(errorResult(id, "PERMISSION_DENIED", "not yours"));
        return pane === 1;
      });
      expect(await bench.code("phux_kill", { target: "work:0", ...yes })).toEqual(["permission_denied", 2]);
      expect(kills(server)).toHaveLength(2);
      expect(phux.state.resources.map(({ id }) => id.id)).toEqual([1, 3]);
    }));

  test("several are refused: one line each", () =>
    onPhux(async (bench, _server, phux) => {
      answering(phux, (pane, id, client) => {
        client.send(errorResult(id, "RESOURCE_EXHAUSTED", `busy ${pane}`));
        return true;
      });
      expect(await bench.failure("phux_kill", { target: "work:0", ...yes })).toBe(
        "killing @1: resource exhausted: busy 1\nkilling @2: resource exhausted: busy 2",
      );
    }));

  test("the end of the server is success, because its last pane may have been ours", () =>
    onPhux(async (bench, server, phux) => {
      phux.override = (frame, client) => {
        const isKill = frame.name === "COMMAND" && frame.value.command.tag === "KILL_RESOURCES";
        if (isKill) {
          client.send({ name: "DETACHED", value: { reason: 1 } });
          client.end();
        }
        return isKill;
      };
      await bench.document("phux_kill", { target: "work", ...yes });
      answering(phux, (_pane, _id, client) => {
        client.end();
        server.close();
        return true;
      });
      await bench.document("phux_kill", { target: "work:0", ...yes });
      expect(kills(server)).toHaveLength(2);
    }));

  test("an end behind the first of several is none of the others', which the server still lists", () =>
    onPhux(async (bench, server, phux) => {
      answering(phux, (_pane, _id, client) => {
        client.end();
        return true;
      });
      expect(await bench.code("phux_kill", { target: "work:0", ...yes })).toEqual(["server_disconnected", 1]);
      expect(await bench.failure("phux_kill", { target: "work:0", ...yes })).toContain("@2 were not asked to end");
      expect(kills(server)).toHaveLength(2);
    }));

  test("an end before the kill was sent is none either, and neither is one that left the kill unread", () =>
    onPhux(async (bench, server, phux) => {
      const unread = (client: Client, leave: () => void) => {
        client.pause();
        setTimeout(leave, 20);
      };
      const leaves: ((client: Client) => void)[] = [
        (client) => client.end(),
        (client) => unread(client, () => client.end()),
        (client) => unread(client, () => client.cut()),
      ];
      for (const leave of leaves) {
        phux.override = (frame, client) => {
          if (frame.name !== "COMMAND" || frame.value.command.tag !== "GET_STATE") return false;
          client.send(stateResult(requestId(frame), phux.state));
          leave(client);
          return true;
        };
        const text = await bench.failure("phux_kill", { target: "@1", ...yes });
        expect(JSON.parse(text)).toMatchObject({ error: { code: "server_disconnected" } });
      }
      expect(kills(server)).toEqual([]);
    }));

  test("being thrown out is not", () =>
    onPhux(async (bench, server, phux) => {
      answering(phux, (_pane, _id, client) => {
        client.expel("PERMISSION_DENIED", "your grant was revoked", 6);
        return true;
      });
      expect(await bench.code("phux_kill", { target: "work:0", ...yes })).toEqual(["server_disconnected", 1]);
      expect(kills(server)).toHaveLength(1);
      expect(await bench.failure("phux_kill", { target: "@1", ...yes })).toContain("your grant was revoked");
    }));
});
