import { describe, expect, test } from "bun:test";
import type { Command, CommandResult } from "../../src/wire/command.ts";
import { ErrorCode } from "../../src/wire/error-code.ts";
import { local } from "./answer.ts";
import type { LabClient } from "./client.ts";
import type { LabOptions } from "./options.ts";
import { type Stage, stage } from "./stage.ts";
import { until } from "./until.ts";

const global = { tag: "global" } as const;
const kill: Command = { tag: "KILL_RESOURCE", terminal_id: local(1) };

const withStage = async (options: Partial<LabOptions>, body: (stage: Stage) => Promise<void>) => {
  await using lab = await stage({ hold: ["KILL_RESOURCE", "KILL_RESOURCES"], ...options });
  await body(lab);
};

/** The ids of what is held. */
const held = ({ lab }: Stage) =>
  lab.server.metadata
    .keys(global)
    .filter((key) => key.startsWith("phux.approval/v1/"))
    .map((key) => key.slice("phux.approval/v1/".length));

async function oneHeld(stage: Stage): Promise<string> {
  await until("one action is held", () => held(stage).length === 1);
  return held(stage)[0] ?? "";
}

/** Writes a decision; the code of its refusal, or null when a read behind it finds the record gone. */
async function decide(client: LabClient, id: string, word: string): Promise<number | null> {
  const value = new TextEncoder().encode(word);
  client.send(
    { name: "SET_METADATA", value: { request_id: 71, scope: global, key: `phux.approval.decide/v1/${id}`, value } },
    { name: "GET_METADATA", value: { request_id: 72, scope: global, key: `phux.approval/v1/${id}` } },
  );
  const first = await client.take(
    (one) => one === null || one.frame.name === "ERROR" || one.frame.name === "METADATA_VALUE",
  );
  if (first?.frame.name === "ERROR") {
    await client.next("METADATA_VALUE");
    return first.frame.value.code;
  }
  expect(first?.frame.value).toEqual({ request_id: 72 });
  return null;
}

const codeOf = (result: CommandResult) => (result.tag === "error" ? result.code : null);

describe("a decision (wire.md 16, 21.5)", () => {
  test.each([
    ["approve", null, false],
    ["deny", ErrorCode.PERMISSION_DENIED, true],
  ] as const)("%s", (word, code, lives) =>
    withStage({}, async (stage) => {
      const [asker, judge] = [await stage.connect(), await stage.connect()];
      judge.send({ name: "SUBSCRIBE_EVENTS", value: {} });
      const answer = asker.command(kill);
      const id = await oneHeld(stage);
      expect(await decide(judge, id, word)).toBeNull();
      expect(codeOf(await answer)).toBe(code);
      expect(stage.lab.server.panes.get(1)?.dying).toBe(!lives);
      const told = judge.received.flatMap((one) => (one?.frame.name === "EVENT" ? [one.frame.value.event.tag] : []));
      expect(told.filter((tag) => tag.startsWith("approval"))).toEqual(["approval_requested", "approval_decided"]);
      expect(await decide(judge, id, word)).toBe(ErrorCode.PERMISSION_DENIED);
    }),
  );

  test("is not the requester's, and is one of two words", () =>
    withStage({}, async (stage) => {
      const [asker, judge] = [await stage.connect(), await stage.connect()];
      void asker.command(kill).catch(() => null);
      const id = await oneHeld(stage);
      expect(await decide(asker, id, "approve")).toBe(ErrorCode.PERMISSION_DENIED);
      expect(await decide(judge, id, "perhaps")).toBe(ErrorCode.INVALID_COMMAND);
      expect(held(stage)).toEqual([id]);
    }));
});

test("the requester's later requests do not wait behind a held one", () =>
  withStage({}, async (stage) => {
    const asker = await stage.connect();
    void asker.command(kill).catch(() => null);
    expect((await asker.command({ tag: "GET_STATE", scope: 0 })).tag).toBe("ok_with");
    expect(held(stage)).toHaveLength(1);
  }));

test("what names nothing that is here is refused at once, and 0.8 holds nothing", async () => {
  await withStage({}, async (stage) => {
    const client = await stage.connect();
    const miss = await client.command({ tag: "KILL_RESOURCE", terminal_id: local(9) });
    expect(codeOf(miss)).toBe(ErrorCode.TERMINAL_NOT_FOUND);
  });
  await withStage({ version: "0.8" }, async (stage) => {
    expect((await (await stage.connect()).command(kill)).tag).toBe("ok");
    expect(held(stage)).toEqual([]);
  });
});

test("a connection may have 64 of them", () =>
  withStage({}, async (stage) => {
    const client = await stage.connect();
    for (let count = 0; count < 64; count += 1) void client.command(kill).catch(() => null);
    expect(codeOf(await client.command(kill))).toBe(ErrorCode.RESOURCE_EXHAUSTED);
    client.close();
    await until("all are withdrawn", () => held(stage).length === 0);
  }));

test(
  "a server keeps 256 ended panes: one more, and an older one goes",
  () =>
    withStage({}, async (stage) => {
      const client = await stage.connect();
      const value = { group: 1, command: ["true"], retain_secs: 60 };
      const retained = () => [...stage.lab.server.panes.values()].filter((pane) => pane.retained).map(({ id }) => id);
      for (let request_id = 1; request_id <= 257; request_id += 1) {
        client.send({ name: "SPAWN_RESOURCE", value: { ...value, request_id } });
        if (request_id % 32 === 1) await until("they have ended", () => retained().length >= Math.min(request_id, 256));
      }
      await until("all have ended", () => retained().length === 256 && stage.lab.server.panes.size === 257);
    }),
  20_000,
);
