import { describe, expect, test } from "bun:test";
import { NO_REPLAY } from "../../src/phux/exit-watch.ts";
import { waitForResource } from "../../src/tools/resource.ts";
import type { Feature } from "../../src/wire/capability.ts";
import type { AgentEvent, AnyFrame } from "../../src/wire/frame.ts";
import { withServer } from "../phux/dialled.ts";
import { type Client, errorFrame, type FakeServer, until, V08, V10 } from "../phux/fake-server.ts";
import { SmallPhux, twoSessions } from "../phux/small-phux.ts";
import { idOf, snapshotOf } from "../phux/snapshot.ts";
import { Bench } from "./calls.ts";
import { membersOf } from "./lab-bench.ts";

const ID = "07".repeat(16);
const OTHER = "08".repeat(16);

/** A server with @1, @2 and @3, whose journal stands at `head`. */
async function onPhux(
  head: bigint | null,
  body: (bench: Bench, server: FakeServer, phux: SmallPhux) => Promise<void>,
  version = V10,
) {
  const phux = new SmallPhux();
  const snapshot = snapshotOf(twoSessions);
  if (head !== null) phux.state = { ...snapshot, extensions: { ...snapshot.extensions, journal_head: head } };
  const features: Feature[] = head === null ? [] : ["event_journal"];
  await withServer({ version, script: phux.script, features }, (server) =>
    body(new Bench(server.socket, {}, [waitForResource]), server, phux),
  );
}

const subscriptions = (server: FakeServer) =>
  server.frames.flatMap((frame) => (frame.name === "SUBSCRIBE_EVENTS" ? [frame.value] : []));

const happened = (selector: string | null, event: AgentEvent, seq?: bigint): AnyFrame => ({
  name: "EVENT",
  value: {
    ...(selector !== null && { terminal: idOf(selector) }),
    event,
    ...(seq !== undefined && { seq, ts_ms: 1_790_000_000_000n + seq }),
  },
});
const closed = (exit_status: number | null) => ({ tag: "pane_closed", exit_status }) as const;

/** Sends these behind the first answer to GET_STATE of each connection that `only` accepts. */
function behindState(phux: SmallPhux, only: (client: Client) => boolean, ...frames: readonly AnyFrame[]): void {
  phux.override = (frame, client) => {
    if (frame.name !== "COMMAND" || !only(client)) return false;
    phux.answer(frame, client);
    client.send(...frames);
    return true;
  };
}

const wait = (bench: Bench, args: Readonly<Record<string, unknown>> = {}) =>
  bench.document("phux_resource_wait", { target: "@2", timeout_secs: 5, ...args });

test("the subscription comes before the state, and asks for no replay", () =>
  onPhux(40n, async (bench, server, phux) => {
    behindState(phux, () => true, happened("@2", closed(4), 41n));
    const document = membersOf(await wait(bench));
    expect(Object.keys(document)).toEqual([
      ...["schema_version", "resource", "outcome", "exit", "retained", "waited_ms", "cursor", "evidence_lost"],
    ]);
    expect(document).toMatchObject({
      schema_version: 1,
      resource: "@2",
      outcome: "exited",
      exit: { status: 4, signal: null, reason: null, exited_at_ms: 1_790_000_000_041 },
      retained: false,
      cursor: `${ID}:41`,
      evidence_lost: false,
    });
    expect(server.frames.map(({ name }) => name)).toEqual(["SUBSCRIBE_EVENTS", "COMMAND"]);
    expect(subscriptions(server)).toEqual([{ terminal: idOf("@2"), after_seq: NO_REPLAY }]);
  }));

test("0.8 is sent no cursor, and gives none", () =>
  onPhux(
    null,
    async (bench, server, phux) => {
      behindState(phux, () => true, happened("@2", closed(null)));
      expect(await wait(bench)).toMatchObject({
        outcome: "exited",
        exit: { status: null, signal: null, reason: null, exited_at_ms: null },
        cursor: null,
      });
      expect(subscriptions(server)).toEqual([{ terminal: idOf("@2") }]);
    },
    V08,
  ));

describe("a cursor", () => {
  const cases: [what: string, after: string, sent: bigint, lost: boolean][] = [
    ["of this server begins a replay", `${ID}:33`, 33n, false],
    ["in capitals is the same", `${ID.toUpperCase()}:33`, 33n, false],
    ["of another process is dropped, and the gap is real", `${OTHER}:33`, NO_REPLAY, true],
  ];
  test.each(cases)("%s", (_, after, after_seq, evidence_lost) =>
    onPhux(40n, async (bench, server, phux) => {
      behindState(phux, () => true, happened("@2", closed(0), 41n));
      expect(await wait(bench, { after })).toMatchObject({ outcome: "exited", evidence_lost });
      expect(subscriptions(server)[0]).toEqual({ terminal: idOf("@2"), after_seq });
    }),
  );

  test("on a server without a journal says nothing", () =>
    onPhux(null, async (bench, server, phux) => {
      phux.remove("@2");
      expect(await wait(bench, { after: `${ID}:33` })).toMatchObject({
        outcome: "gone",
        cursor: null,
        evidence_lost: true,
      });
      expect(subscriptions(server)).toEqual([{ terminal: idOf("@2") }]);
    }));

  test.each(["", "33", "abc:1", "ab:", "ab:-1", `ab:${2n ** 64n}`])(
    "%p is refused before anything is opened",
    (after) =>
      onPhux(40n, async (bench, server) => {
        const text = await bench.failure("phux_resource_wait", { target: "@2", timeout_secs: 5, after });
        if (after.length >= 3)
          expect(JSON.parse(text)).toMatchObject({ error: { code: "invalid_cursor" }, exit_code: 2 });
        expect(server.clients).toHaveLength(0);
      }),
  );
});

test("what a name stands for is waited for from the state that showed it", () =>
  onPhux(40n, async (bench, server, phux) => {
    behindState(phux, () => true, happened("@1", closed(0), 41n));
    expect(await wait(bench, { target: "work" })).toMatchObject({ resource: "@1", outcome: "exited" });
    expect(subscriptions(server)).toEqual([{ terminal: idOf("@1"), after_seq: 40n }]);
  }));

describe("a pane that is not there", () => {
  test("is gone when the subscription is live", () =>
    onPhux(40n, async (bench) =>
      expect(await wait(bench, { target: "@9" })).toMatchObject({
        outcome: "gone",
        exit: null,
        retained: false,
        cursor: `${ID}:40`,
      }),
    ));

  test("is not called gone before the replay has reached the head, which everybody's events prove", () =>
    onPhux(40n, async (bench, server, phux) => {
      phux.override = (frame, client) => {
        if (frame.name !== "SUBSCRIBE_EVENTS" || frame.value.terminal !== undefined) return false;
        client.send(happened("@1", { tag: "bell" }, 39n), happened("@3", { tag: "bell" }, 40n));
        return true;
      };
      expect(await wait(bench, { target: "@9", after: `${ID}:30` })).toMatchObject({
        outcome: "gone",
        cursor: `${ID}:40`,
        evidence_lost: false,
      });
      expect(subscriptions(server)).toEqual([{ terminal: idOf("@9"), after_seq: 30n }, { after_seq: 30n }]);
    }));

  test("the rest of the replay may tell how it ended", () =>
    onPhux(40n, async (bench, _, phux) => {
      behindState(phux, () => true, happened("@9", closed(2), 35n));
      expect(await wait(bench, { target: "@9", after: `${ID}:30` })).toMatchObject({
        outcome: "exited",
        exit: { status: 2 },
        cursor: `${ID}:35`,
      });
    }));

  test("a journal that does not reach back: gone, and evidence was lost", () =>
    onPhux(40n, async (bench, _, phux) => {
      behindState(phux, () => true, happened(null, { tag: "journal_gap", first_missing: 31n, last_missing: 40n }));
      expect(await wait(bench, { target: "@9", after: `${ID}:30` })).toMatchObject({
        outcome: "gone",
        evidence_lost: true,
      });
    }));

  test("in a view that misses part of the fleet is a refusal that says where to go on", () =>
    onPhux(40n, async (bench, _, phux) => {
      phux.notices = [errorFrame(null, "SATELLITE_UNREACHABLE", "attic is away")];
      const text = await bench.failure("phux_resource_wait", { target: "attic/@9", timeout_secs: 5 });
      expect(JSON.parse(text)).toMatchObject({ error: { code: "partial_view" }, exit_code: 3 });
      expect(text).toContain("attic is away");
      expect(text).toContain(`${ID}:40`);
    }));
});

test("a denial ends it at once, with the cursor", () =>
  onPhux(40n, async (bench, _, phux) => {
    behindState(phux, () => true, errorFrame(null, "PERMISSION_DENIED", "not yours"));
    const text = await bench.failure("phux_resource_wait", { target: "@2", timeout_secs: 5 });
    expect(JSON.parse(text)).toMatchObject({ error: { code: "permission_denied" }, exit_code: 2 });
    expect(text).toContain(`${ID}:40`);
  }));

describe("another connection", () => {
  const gap: AgentEvent = { tag: "journal_gap", first_missing: 43n, last_missing: 60n };

  test("makes good a live gap, from where nothing was missing yet", () =>
    onPhux(40n, async (bench, server, phux) => {
      phux.override = (frame, client) => {
        if (frame.name !== "COMMAND") return false;
        phux.answer(frame, client);
        const missed = [happened("@2", { tag: "bell" }, 42n), happened(null, gap)];
        client.send(...(client.number === 0 ? missed : [happened("@2", closed(6), 44n)]));
        return true;
      };
      expect(await wait(bench)).toMatchObject({ outcome: "exited", exit: { status: 6 }, evidence_lost: false });
      expect(subscriptions(server).map(({ after_seq }) => after_seq)).toEqual([NO_REPLAY, 42n]);
    }));

  test("takes over from one that is lost", () =>
    onPhux(40n, async (bench, server, phux) => {
      phux.override = (frame, client) => {
        if (frame.name !== "COMMAND") return false;
        phux.answer(frame, client);
        if (client.number === 0) client.end();
        else client.send(happened("@2", closed(0), 41n));
        return true;
      };
      expect(await wait(bench)).toMatchObject({ outcome: "exited", evidence_lost: false });
      expect(subscriptions(server).map(({ after_seq }) => after_seq)).toEqual([NO_REPLAY, 40n]);
    }));

  test("to another server process begins anew, and the gap is real", () =>
    onPhux(40n, async (bench, server, phux) => {
      server.hello = (_, client) => {
        client.send(server.helloOk({ server_id: Uint8Array.fromHex(client.number === 0 ? ID : OTHER) }));
      };
      phux.override = (frame, client) => {
        if (frame.name !== "COMMAND") return false;
        if (client.number === 1) phux.remove("@2");
        phux.answer(frame, client);
        if (client.number === 0) client.end();
        return true;
      };
      expect(await wait(bench)).toMatchObject({ outcome: "gone", cursor: `${OTHER}:40`, evidence_lost: true });
      expect(subscriptions(server)[1]).toMatchObject({ after_seq: NO_REPLAY });
    }));

  test("that is lost at once as well ends the wait, with the cursor", () =>
    onPhux(40n, async (bench, server, phux) => {
      phux.override = (frame, client) => {
        if (frame.name !== "COMMAND") return false;
        phux.answer(frame, client);
        client.end();
        return true;
      };
      const text = await bench.failure("phux_resource_wait", { target: "@2", timeout_secs: 5 });
      expect(JSON.parse(text)).toMatchObject({ error: { code: "server_disconnected" }, exit_code: 1 });
      expect(text).toContain(`${ID}:40`);
      expect(server.clients).toHaveLength(2);
    }));

  test("is no cure for a server that throws us out", () =>
    onPhux(40n, async (bench, server, phux) => {
      phux.override = (frame, client) => {
        if (frame.name === "COMMAND") client.expel("MALFORMED_MESSAGE", "no such frame");
        return true;
      };
      expect(await bench.code("phux_resource_wait", { target: "@2", timeout_secs: 5 })).toEqual(["transport", 1]);
      expect(server.clients).toHaveLength(1);
    }));
});

test("at the deadline: still running, and where to go on", () =>
  onPhux(40n, async (bench) => {
    const document = membersOf(await wait(bench, { timeout_secs: "1" }));
    expect(document).toMatchObject({ outcome: "timed_out", exit: null, retained: true, cursor: `${ID}:40` });
    expect(Number(document["waited_ms"])).toBeWithin(900, 1_400);
  }));

test.each([0, 3601, 1.5, "soon"])("timeout_secs %p is refused", (timeout_secs) =>
  onPhux(40n, async (bench, server) => {
    expect(await bench.failure("phux_resource_wait", { target: "@2", timeout_secs })).toContain("timeout_secs");
    expect(server.clients).toHaveLength(0);
  }),
);

test("a cancel closes the connection", () =>
  onPhux(40n, async (bench, server) => {
    const cancel = new AbortController();
    const call = bench.call("phux_resource_wait", { target: "@2", timeout_secs: 60 }, { signal: cancel.signal });
    await until("it waits", () => server.commands.length === 1);
    cancel.abort();
    await call;
    await until("the connection is closed", () => server.open === 0);
  }));
