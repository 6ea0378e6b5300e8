/** What may have been done when a connection fails: nothing before a request that does something was handed over whole. */
import { describe, expect, test } from "bun:test";
import type { Connection } from "../../src/phux/connection.ts";
import type { RequestFailure } from "../../src/phux/request-failure.ts";
import { connected, errorIn, valueIn, withConnection, withServer } from "./dialled.ts";
import { type Client, okResult, requestId, type Script, until } from "./fake-server.ts";
import { SmallPhux, stateResult } from "./small-phux.ts";
import { idOf } from "./snapshot.ts";

const GLOBAL = { tag: "global" } as const;
const pane = idOf("@1");
const phux = new SmallPhux();

/** Answers what reads, and does with the rest what a case says. */
const unlessItReads =
  (act: (client: Client, id: number) => void): Script =>
  (frame, client) => {
    if (frame.name === "COMMAND" && frame.value.command.tag === "GET_STATE") {
      client.send(stateResult(requestId(frame), phux.state));
    } else if (frame.name !== "SET_METADATA") act(client, requestId(frame));
  };

const kill = (connection: Connection) => connection.act({ tag: "KILL_RESOURCE", terminal_id: pane }, "killing @1");
const paste = (connection: Connection, bytes: number, ms: number) => {
  const event = { tag: "paste", event: { trust: 0, data: new Uint8Array(bytes) } } as const;
  return connection.act({ tag: "ROUTE_INPUT", terminal_id: pane, event }, "pasting", ms);
};

function expectNothing({ refusal, effect }: RequestFailure): void {
  expect(effect).toBe("none");
  expect(refusal.remedy).toStartWith("nothing was changed");
}

function expectPerhaps({ refusal, effect }: RequestFailure): void {
  expect(effect).toBe("possible");
  expect(refusal.remedy).toStartWith("it may have been done");
}

describe("nothing was changed", () => {
  test("by a call that only read", () =>
    withConnection({ script: (_frame, client) => client.end() }, async (connection) => {
      expectNothing(errorIn(await connection.state()));
      expectNothing(errorIn(await connection.metadata(GLOBAL, "k")));
    }));

  test("by what comes behind the end", () =>
    withConnection({ script: unlessItReads((client) => client.end()) }, async (connection, server) => {
      await connection.metadata(GLOBAL, "k");
      const killed = errorIn(await kill(connection));
      expectNothing(killed);
      expect(killed.sent).toBe(false);
      expectNothing(errorIn(await connection.writeMetadata(GLOBAL, "k", new Uint8Array(3))));
      expect(server.frames.map(({ name }) => name)).toEqual(["GET_METADATA"]);
    }));

  test("by what comes behind the last word of a server that has not left yet", () => {
    const script: Script = (frame, client) => {
      client.send(stateResult(requestId(frame), phux.state), { name: "DETACHED", value: { reason: 1 } });
    };
    return withConnection({ script }, async (connection, server) => {
      await connection.state();
      const killed = errorIn(await kill(connection));
      expectNothing(killed);
      expect(killed).toMatchObject({ lost: true, ending: "left", sent: false });
      expectNothing(errorIn(await connection.writeMetadata(GLOBAL, "k", new Uint8Array(3))));
      expect(server.frames).toHaveLength(1);
    });
  });

  test("by a request that is stuck half sent; it is not sent any more", () =>
    withServer({}, async (server) => {
      server.hello = (_, client) => {
        client.send(server.helloOk());
        client.pause();
      };
      const connection = await connected(server);
      const stuck = errorIn(await paste(connection, 4_000_000, 80));
      expectNothing(stuck);
      expect(stuck).toMatchObject({ lost: true, sent: false, refusal: { code: "transport" } });
      server.clients[0]?.resume();
      await until("the connection is closed", () => server.open === 0);
      expect(server.frames).toEqual([]);
    }));
});

describe("it may have been done", () => {
  const ends: [what: string, act: (client: Client, id: number) => void][] = [
    ["the connection ends", (client) => client.end()],
    ["it is cut off", (client) => client.cut()],
    ["the server throws us out", (client) => client.expel("INTERNAL_ERROR", "oops")],
    ["what comes is no frame", (client) => client.sendBytes(Buffer.from("ffffffff00", "hex"))],
    ["the answer is another command's", (client, id) => client.send(stateResult(id, phux.state))],
    [
      "the answer is of another kind",
      (client, id) => client.send({ name: "METADATA_KEYS", value: { request_id: id } }),
    ],
  ];
  test.each(ends)("when %s behind the request", (_, act) =>
    withConnection({ script: unlessItReads(act) }, async (connection) =>
      expectPerhaps(errorIn(await kill(connection))),
    ),
  );

  test.each(ends.slice(0, 4))("when %s behind a write", (_, act) =>
    withConnection({ script: unlessItReads(act) }, async (connection) => {
      expectPerhaps(errorIn(await connection.writeMetadata(GLOBAL, "k", new Uint8Array(3))));
      expectPerhaps(errorIn(await connection.state()));
    }),
  );

  test("when nobody answers", () =>
    withConnection({ script: () => {} }, async (connection) => expectPerhaps(errorIn(await paste(connection, 3, 40)))));

  test("also when it was answered, and a later question is lost", () => {
    let asked = 0;
    const script: Script = (frame, client) => (asked++ === 0 ? client.send(okResult(requestId(frame))) : client.end());
    return withConnection({ script }, async (connection) => {
      expect(valueIn(await kill(connection))).toBeNull();
      expectPerhaps(errorIn(await connection.state()));
    });
  });
});
