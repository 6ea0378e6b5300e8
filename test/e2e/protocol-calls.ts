/** What a tools/call and its cancel do (design.md section 4), with two tools of the binary that is tested. */
import { expect } from "bun:test";
import type { Case } from "./case.ts";
import { invalid } from "./protocol-lines.ts";
import { type RawHost, SLACK, until } from "./raw-host.ts";

/** A call, and how a test knows that it has begun. */
export interface SlowCall {
  readonly name: string;
  readonly arguments: object;
  begun(host: RawHost): Promise<unknown>;
  /** Whether its work, with all it started, is over. */
  over(host: RawHost): boolean;
}

export interface Tools {
  /** Answers at once, without an error. */
  readonly quick: { readonly name: string; readonly arguments: object };
  /** Does not answer before the test is over. */
  readonly slow: SlowCall;
}

/** What a tools/call does, with two tools of the binary. */
export function calls({ quick, slow }: Tools): Case[] {
  const fine = { isError: false, content: [{ type: "text" }] };
  const refused = { isError: true, content: [{ type: "text" }] };
  const start = async (host: RawHost, id: string | number) => {
    host.call(id, slow.name, slow.arguments);
    await slow.begun(host);
  };
  return [
    ...[undefined, null, {}].map(
      (args): Case => ({
        rule: `arguments ${JSON.stringify(args)} are none`,
        run: async (host) => {
          host.call(1, quick.name, args);
          expect((await host.reply(1)).result).toMatchObject(fine);
        },
      }),
    ),
    ...[[], "x", 3, false].map(
      (args): Case => ({
        rule: `arguments ${JSON.stringify(args)} are a tool error`,
        run: async (host) => {
          host.call(1, quick.name, args);
          expect((await host.reply(1)).result).toMatchObject(refused);
        },
      }),
    ),
    {
      rule: "an unknown tool is a result that names the closest",
      run: async (host) => {
        host.call(1, `${quick.name}x`, {});
        const { result } = await host.reply(1);
        expect(result).toMatchObject(refused);
        expect(result?.content?.[0]?.text.replace(`${quick.name}x`, "")).toContain(quick.name);
      },
    },
    {
      rule: "a tool that is like none, or like a member of objects",
      run: async (host) => {
        for (const name of ["", "constructor", "__proto__", "x".repeat(1024 * 1024)]) {
          const { result } = await host.request("tools/call", { name });
          expect(result).toMatchObject(refused);
          expect(result?.content?.[0]?.text.length).toBeLessThan(500);
        }
      },
    },
    {
      rule: "a call without an id runs nothing",
      run: async (host) => {
        host.send({ method: "tools/call", params: { name: slow.name, arguments: slow.arguments } });
        expect(await host.settled()).toEqual([]);
        expect(slow.over(host)).toBe(true);
      },
    },
    {
      rule: "replies come when they are complete, not in the order of the calls",
      run: async (host) => {
        await start(host, 1);
        for (const id of [2, 3]) host.call(id, quick.name, quick.arguments);
        await Promise.all([host.reply(2), host.reply(3)]);
        // Whichever of the two was faster: neither waited for the first.
        expect(host.messages.map(({ id }) => id).sort()).toEqual([2, 3]);
      },
    },
    {
      rule: "an id in flight again: -32600 with id null that names it",
      run: async (host) => {
        await start(host, 5);
        host.call(5, quick.name, quick.arguments).send({ id: 5, method: "ping" });
        const [first, second, ...more] = await host.settled();
        expect([first, second]).toMatchObject([invalid, invalid]);
        expect(first?.error?.message).toContain("5");
        expect(more).toEqual([]);
        expect(slow.over(host)).toBe(false);
      },
    },
    {
      rule: "an id is free after its answer",
      run: async (host) => {
        for (let i = 1; i <= 3; i++) {
          host.call(1, quick.name, quick.arguments);
          await until(() => host.lines.length === i, "an answer", 5000 * SLACK);
        }
        expect(host.messages).toMatchObject(Array(3).fill({ id: 1, result: fine }));
      },
    },
    ...[0, 7, "x", ""].map(
      (id): Case => ({
        rule: `cancel ${JSON.stringify(id)}: the work ends, no reply, and the id is free`,
        run: async (host) => {
          await start(host, id);
          host.cancel(id);
          await until(() => slow.over(host), "the end of the work", 500 * SLACK);
          expect(await host.settled()).toEqual([]);
          host.call(id, quick.name, quick.arguments);
          expect((await host.reply(id)).result).toMatchObject(fine);
        },
      }),
    ),
    ...[1, "1"].map(
      (id): Case => ({
        rule: `cancel of another type does not stop ${JSON.stringify(id)}`,
        run: async (host) => {
          await start(host, id);
          host.cancel(id === 1 ? "1" : 1);
          await host.settled();
          expect(slow.over(host)).toBe(false);
        },
      }),
    ),
    {
      rule: "a cancel that names nothing is silence",
      run: async (host) => {
        await start(host, 1);
        const params = [{ requestId: 99 }, {}, undefined, { requestId: null }, { requestId: {} }, { requestId: [1] }];
        for (const odd of [...params, { requestId: true }, { requestId: 1.5 }, [1], "x", null]) {
          host.send({ method: "notifications/cancelled", params: odd });
        }
        expect(await host.settled()).toEqual([]);
        expect(slow.over(host)).toBe(false);
      },
    },
    {
      rule: "a cancel after the answer does not hit the next call of the id",
      run: async (host) => {
        host.call(1, quick.name, quick.arguments);
        await host.reply(1);
        host.cancel(1).cancel(1);
        await start(host, 1);
        await host.settled();
        expect(slow.over(host)).toBe(false);
      },
    },
    {
      rule: "a cancel in the chunk of its call starts nothing",
      run: async (host) => {
        const call = { id: 4, method: "tools/call", params: { name: slow.name, arguments: slow.arguments } };
        const cancel = { method: "notifications/cancelled", params: { requestId: 4 } };
        host.write(`${JSON.stringify(call)}\n${JSON.stringify(cancel)}\n`);
        expect(await host.settled()).toEqual([]);
        expect(slow.over(host)).toBe(true);
      },
    },
  ];
}
