import { describe, expect, test } from "bun:test";
import { Deadline } from "../../src/phux/deadline.ts";
import type { RequestFailure } from "../../src/phux/request-failure.ts";
import { type AnyFrame, encodeFrame } from "../../src/wire/frame.ts";
import { connected, errorIn, never, valueIn, withConnection, withServer } from "./dialled.ts";
import {
  type Client,
  errorFrame,
  errorResult,
  jsonResult,
  metadataValue,
  okResult,
  requestId,
  type Script,
  until,
  V08,
  V09,
  V10,
} from "./fake-server.ts";
import { SmallPhux, stateResult, twoSessions } from "./small-phux.ts";
import { idOf, snapshotOf } from "./snapshot.ts";

const state = snapshotOf(twoSessions);
const bell = (id = "@1"): AnyFrame => ({ name: "EVENT", value: { terminal: idOf(id), event: { tag: "bell" } } });
const text = (bytes: Uint8Array | null) => (bytes === null ? null : new TextDecoder().decode(bytes));
const bytes = (value: string) => new TextEncoder().encode(value);
const GLOBAL = { tag: "global" } as const;

describe("a request and its reply", () => {
  const answers: [what: string, script: Script][] = [
    ["at once", (frame, client) => client.send(stateResult(requestId(frame), state))],
    ["behind frames nobody asked for", (frame, client) => client.send(...strays, stateResult(requestId(frame), state))],
    [
      "behind replies to requests of long ago",
      (frame, client) =>
        client.send(okResult(900), errorFrame(901, "INVALID_COMMAND", "old"), stateResult(requestId(frame), state)),
    ],
    ["in single bytes", (frame, client) => void client.drip(encodeFrame(stateResult(requestId(frame), state)), 1)],
    ["twice", (frame, client) => client.send(stateResult(requestId(frame), state), okResult(requestId(frame)))],
  ];
  const strays: AnyFrame[] = [
    { name: "BELL", value: { terminal_id: idOf("@1") } },
    { name: "RESOURCE_CLOSED", value: { terminal_id: idOf("@2") } },
    bell(),
    { name: "METADATA_CHANGED", value: { scope: GLOBAL, key: "k" } },
    { name: "COMMAND_RESULT", value: { result: { tag: "ok" } } },
    { name: "PONG", value: { nonce: 1n } },
  ];
  test.each(answers)("the reply comes %s", (_, script) =>
    withConnection({ script }, async (connection) => {
      const view = valueIn(await connection.state());
      expect(view.snapshot.sessions.map(({ name }) => name)).toEqual(["work", "home"]);
      expect(view.notices).toEqual([]);
      // What was left over answers nothing else.
      expect(valueIn(await connection.state()).notices).toEqual([]);
    }),
  );

  test("ids are never used twice", () =>
    withConnection({ script: new SmallPhux().script }, async (connection, server) => {
      await connection.state();
      await connection.metadata(GLOBAL, "a");
      await connection.writeMetadata(GLOBAL, "a", bytes("x"));
      await connection.spawn({ group: 1 });
      const ids = server.frames.map(requestId);
      expect(new Set(ids).size).toBe(ids.length);
    }));

  const refusals: [what: string, answer: (id: number) => AnyFrame][] = [
    ["in its COMMAND_RESULT", (id) => errorResult(id, "TERMINAL_NOT_FOUND", "no terminal @9")],
    ["as an ERROR with its id", (id) => errorFrame(id, "TERMINAL_NOT_FOUND", "no terminal @9")],
  ];
  test.each(refusals)("a refusal %s", (_, answer) =>
    withConnection({ script: (frame, client) => client.send(answer(requestId(frame))) }, async (connection) => {
      const command = { tag: "KILL_RESOURCE", terminal_id: idOf("@9") } as const;
      expect(errorIn(await connection.command(command, "killing @9"))).toEqual({
        refusal: {
          code: "no_such_target",
          message: "killing @9: terminal not found: no terminal @9",
          remedy: expect.any(String),
          exitCode: 1,
        },
        wireCode: 104,
        lost: false,
        ending: null,
        sent: true,
        effect: "none",
      });
    }),
  );

  test("an ERROR answers the other requests too", () =>
    withConnection(
      { script: (frame, client) => client.send(errorFrame(requestId(frame), "PERMISSION_DENIED", "no")) },
      async (connection) => {
        expect(errorIn(await connection.metadata(GLOBAL, "k")).wireCode).toBe(201);
        expect(errorIn(await connection.spawn({ group: 1 })).wireCode).toBe(201);
        expect(errorIn(await connection.writeMetadata(GLOBAL, "k", bytes("x"))).wireCode).toBe(201);
      },
    ));

  const strange: [what: string, answer: (id: number) => AnyFrame][] = [
    ["a plain OK", okResult],
    ["another value", (id) => jsonResult(id, 1)],
    ["the reply of another kind", (id) => metadataValue(id, bytes("x"))],
  ];
  test.each(strange)("%s instead of the state is a difference in version", (_, answer) =>
    withConnection({ script: (frame, client) => client.send(answer(requestId(frame))) }, async (connection) => {
      const { refusal, lost } = errorIn(await connection.state());
      expect(refusal).toMatchObject({ code: "transport", exitCode: 1 });
      expect(refusal.message).toContain("protocol 1.0.0");
      expect(refusal.remedy).toContain("phux doctor");
      expect(lost).toBe(false);
    }),
  );
});

describe("notices", () => {
  const notice = errorFrame(null, "SATELLITE_UNREACHABLE", "attic is away");
  const answer = (frame: AnyFrame) => stateResult(requestId(frame), state);

  test("they belong to the state that they came before", () =>
    withConnection({ script: (frame, client) => client.send(notice, notice, answer(frame)) }, async (connection) => {
      expect(valueIn(await connection.state()).notices).toEqual(["attic is away", "attic is away"]);
      expect(valueIn(await connection.state()).notices).toHaveLength(2);
    }));

  test("one that comes later changes no view that was given", () => {
    const script: Script = async (frame, client) => {
      client.send(answer(frame));
      await Bun.sleep(5);
      client.send(notice);
    };
    return withConnection({ script }, async (connection) => {
      const view = valueIn(await connection.state());
      expect(await connection.pushed.take(1_000)).toEqual(notice);
      expect(view.notices).toEqual([]);
    });
  });

  test("one of long before is not the reason of an end", () => {
    let asked = 0;
    const script: Script = (frame, client) => (asked++ === 0 ? client.send(notice, answer(frame)) : client.end());
    return withConnection({ script }, async (connection) => {
      await connection.state();
      expect(errorIn(await connection.state()).refusal.message).toBe(
        "the server closed the connection during reading the server's state",
      );
    });
  });
});

describe("ends", () => {
  type Case = [what: string, end: (client: Client) => void, Partial<RequestFailure>, code: string, says: string];
  const cases: Case[] = [
    ["end of file", (client) => client.end(), { ending: "left" }, "server_disconnected", "closed the connection"],
    [
      "in the middle of a frame",
      (client) => {
        client.sendBytes(encodeFrame(stateResult(1, state)).subarray(0, 40));
        client.end();
      },
      { ending: "left" },
      "server_disconnected",
      "closed the connection",
    ],
    [
      "a fatal end",
      (client) => client.expel("MALFORMED_MESSAGE", "could not decode"),
      { ending: "expelled" },
      "transport",
      "could not decode",
    ],
    [
      "an ERROR, then nothing",
      (client) => {
        client.send(errorFrame(null, "INTERNAL_ERROR", "out of luck"));
        client.end();
      },
      { ending: "expelled" },
      "server_disconnected",
      "out of luck",
    ],
    [
      "a server that stops",
      (client) => {
        client.send({ name: "DETACHED", value: { reason: 1, message: "stopping" } });
        client.end();
      },
      { ending: "left" },
      "server_disconnected",
      "stopping",
    ],
    [
      "a credential that expired",
      (client) => {
        client.send({ name: "DETACHED", value: { reason: 7 } });
        client.end();
      },
      { ending: "expelled" },
      "server_disconnected",
      "closed the connection",
    ],
    [
      "a DETACHED that says nothing",
      (client) => {
        client.send({ name: "DETACHED", value: {} });
        client.end();
      },
      { ending: "left" },
      "server_disconnected",
      "closed the connection",
    ],
    [
      "no frame",
      (client) => client.sendBytes(Buffer.from("ffffffff00", "hex")),
      { ending: "unreadable" },
      "transport",
      "cannot read",
    ],
    [
      "no frame, then end of file",
      (client) => {
        client.sendBytes(Buffer.from("0000000431c2c2c2", "hex"));
        client.end();
      },
      { ending: "unreadable" },
      "transport",
      "cannot read",
    ],
  ];
  test.each(cases)("%s", (_, end, failure, code, says) =>
    withConnection({ script: (_frame, client) => end(client) }, async (connection, server) => {
      const first = errorIn(await connection.state());
      expect(first).toMatchObject({ lost: true, wireCode: null, ...failure });
      expect(first.refusal).toMatchObject({ code, exitCode: 1 });
      expect(first.refusal.message).toContain(says);
      // What is asked afterwards is lost in the same way, at once.
      expect(errorIn(await connection.metadata(GLOBAL, "k"))).toMatchObject({ lost: true, ...failure });
      await until("the connection is closed", () => server.open === 0);
    }),
  );

  test("the last words of a server that closed before we wrote are read", () =>
    withConnection({ script: () => {} }, async (connection, server) => {
      server.clients[0]?.expel("MALFORMED_MESSAGE", "your last frame");
      // The loop stands still, so the stream has ended and nobody has looked.
      Bun.sleepSync(20);
      const { refusal } = errorIn(await connection.state());
      expect(refusal).toMatchObject({ code: "transport" });
      expect(refusal.message).toContain("your last frame");
    }));

  test("a server that is cut off before it read everything", () =>
    withServer({}, async (server) => {
      server.hello = (_, client) => {
        client.send(server.helloOk());
        client.pause();
      };
      const connection = await connected(server);
      const asked = connection.state();
      await Bun.sleep(20);
      server.clients[0]?.cut();
      expect(errorIn(await asked)).toMatchObject({ lost: true, ending: expect.stringMatching(/left|reset/) });
    }));
});

describe("limits and aborts", () => {
  test("a request ends at the limit it brings, and late replies hit nothing", () => {
    const asked: number[] = [];
    const script: Script = (frame, client) => {
      asked.push(requestId(frame));
      if (asked.length === 2) client.send(okResult(asked[0] ?? 0), stateResult(requestId(frame), state));
    };
    return withConnection({ script }, async (connection) => {
      const began = performance.now();
      const { refusal, lost, ending } = errorIn(await connection.state(60));
      expect(performance.now() - began).toBeWithin(50, 1_000);
      expect({ lost, ending }).toEqual({ lost: true, ending: null });
      expect(refusal).toMatchObject({ code: "transport", exitCode: 1 });
      expect(refusal.message).toBe("no answer to reading the server's state within 0.1 s");
      valueIn(await connection.state());
    });
  });

  test("the deadline of the call bounds what brings none", () =>
    withServer({ script: () => {} }, async (server) => {
      const connection = await connected(server, never(), new Deadline(60, never()));
      const began = performance.now();
      errorIn(await connection.metadata(GLOBAL, "k"));
      errorIn(await connection.spawn({ group: 1 }));
      expect(performance.now() - began).toBeLessThan(1_000);
      connection.close();
    }));

  test("a limit without end is the limit of the step, not none at all", () =>
    withConnection({ script: new SmallPhux().script }, async (connection) => {
      valueIn(await connection.state(Number.POSITIVE_INFINITY));
      valueIn(await connection.state(1e12));
    }));

  test("an abort closes the socket within 100 ms and ends what is out", () =>
    withServer({ script: () => {} }, async (server) => {
      const abort = new AbortController();
      const connection = await connected(server, abort.signal);
      const asked = connection.state();
      const watched = connection.pushed.take(60_000);
      await until("the request is out", () => server.commands.length === 1);
      const began = performance.now();
      abort.abort();
      expect(errorIn(await asked)).toMatchObject({ lost: true });
      expect(await watched).toBeNull();
      await until("the connection is closed", () => server.open === 0);
      expect(performance.now() - began).toBeLessThan(100);
    }));
});

describe("what is pushed", () => {
  const bell = { name: "EVENT", value: { event: { tag: "bell" } } } as const;
  const phux = new SmallPhux();
  phux.override = (frame, client) => {
    if (frame.name === "COMMAND") client.send(bell);
    return false;
  };

  test("is kept once this connection has subscribed, and not before: else it would fill the memory", () =>
    withConnection({ script: phux.script }, async (connection) => {
      valueIn(await connection.state());
      expect(await connection.pushed.take(0)).toBeNull();
      connection.post({ name: "SUBSCRIBE_EVENTS", value: {} });
      valueIn(await connection.state());
      expect(await connection.pushed.take(0)).toEqual(bell);
      expect(await connection.pushed.take(0)).toBeNull();
    }));
});

describe("PING", () => {
  const versions = [
    ["1.0", V10, true],
    ["0.9", V09, true],
    ["0.8", V08, false],
  ] as const;
  test.each(versions)("a server of %s", (_, version, answered) => {
    const script: Script = (frame, client) => {
      if (frame.name === "COMMAND")
        client.send({ name: "PING", value: { nonce: 5n } }, stateResult(requestId(frame), state));
    };
    return withConnection({ version, script }, async (connection, server) => {
      valueIn(await connection.state());
      valueIn(await connection.state());
      const pongs = server.frames.filter(({ name }) => name === "PONG");
      expect(pongs.length >= 1).toBe(answered);
      for (const pong of pongs) expect(pong).toEqual({ name: "PONG", value: { nonce: 5n } });
    });
  });
});

describe("a metadata write", () => {
  test("is confirmed by reading the key", () => {
    const phux = new SmallPhux();
    return withConnection({ script: phux.script }, async (connection, server) => {
      expect(text(valueIn(await connection.writeMetadata(GLOBAL, "k", bytes("new"))))).toBe("new");
      expect(server.frames.map(({ name }) => name)).toEqual(["SET_METADATA", "GET_METADATA"]);
    });
  });

  test("that the server does not keep shows what is there", () => {
    const phux = new SmallPhux();
    phux.set("global", "k", "old");
    phux.override = (frame) => frame.name === "SET_METADATA";
    return withConnection({ script: phux.script }, async (connection) => {
      expect(text(valueIn(await connection.writeMetadata(GLOBAL, "k", bytes("new"))))).toBe("old");
    });
  });

  test("is refused by the ERROR that comes before the read", () => {
    const phux = new SmallPhux();
    phux.override = (frame, client) => {
      if (frame.name !== "SET_METADATA") return false;
      client.send(errorFrame(requestId(frame), "PERMISSION_DENIED", "read only"));
      return true;
    };
    return withConnection({ script: phux.script }, async (connection) => {
      const { refusal, wireCode } = errorIn(await connection.writeMetadata(GLOBAL, "k", bytes("new")));
      expect(wireCode).toBe(201);
      expect(refusal.message).toBe("writing k: permission denied: read only");
    });
  });
});

test("8 MiB go to a slow reader whole and in order", () =>
  withServer({}, async (server) => {
    const data = Uint8Array.from({ length: 8 << 20 }, (_, at) => at % 251);
    server.script = (frame, client) => client.send(okResult(requestId(frame)));
    server.hello = (_, client) => {
      client.send(server.helloOk());
      client.pause();
    };
    const connection = await connected(server);
    const event = { tag: "paste", event: { trust: 0, data } } as const;
    const pasted = connection.command({ tag: "ROUTE_INPUT", terminal_id: idOf("@1"), event }, "pasting");
    await Bun.sleep(30);
    expect(server.commands).toHaveLength(0);
    server.clients[0]?.resume();
    valueIn(await pasted);
    const [command] = server.commands;
    const got = command?.tag === "ROUTE_INPUT" && command.event.tag === "paste" ? command.event.event.data : null;
    expect(got === null ? -1 : Buffer.compare(got, data)).toBe(0);
    connection.close();
  }));
