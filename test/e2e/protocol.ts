/** What needs no tool of the table of design.md section 4: lines, framing, size, ends. For any binary that serves MCP. */
import { expect } from "bun:test";
import type { Case } from "./case.ts";
import { ids, invalid, lines, served } from "./protocol-lines.ts";

const MiB = 1024 * 1024;

/** What needs no tool: framing, size, ends. */
export const protocol: readonly Case[] = [
  ...lines.map(
    ([rule, line, replies]): Case => ({
      rule: `${rule}: ${replies.length === 0 ? "silence" : "answered"}, then service`,
      run: async (host) => {
        host.write(line).write("\n");
        expect(await host.settled()).toMatchObject([...replies]);
      },
    }),
  ),
  ...ids.map(
    (id): Case => ({
      rule: `id ${id} comes back`,
      run: async (host) => {
        host.write(`{"jsonrpc":"2.0","id":${id},"method":"ping"}\n`);
        await host.settled();
        expect(host.lines[0]?.text).toBe(`{"jsonrpc":"2.0","id":${id},"result":{}}`);
      },
    }),
  ),
  {
    rule: "no raw U+2028 or U+2029, also not in an id",
    run: async (host) => {
      const id = "a\u2028b\u2029c";
      host.send({ id, method: "ping" }).send({ id: 2, method: id });
      await host.settled();
      expect(host.messages).toMatchObject([{ id, result: {} }, { id: 2, error: { code: -32601 } }, {}]);
      expect(host.lines.map(({ text }) => text).join("")).not.toMatch(/[\u2028\u2029]/);
    },
  },
  {
    rule: "a request byte by byte",
    run: async (host) => {
      for (const byte of Buffer.from('{"id":"漢😀é","method":"ping"}\n')) {
        host.write(Uint8Array.of(byte));
        await Bun.sleep(1);
      }
      await host.reply("漢😀é");
    },
  },
  {
    rule: "half a request and the other half later",
    run: async (host) => {
      host.write('{"id":1,"method":"ping"}\n{"id":2,"met');
      await host.reply(1);
      host.write('hod":"ping"}\n');
      await host.reply(2);
    },
  },
  {
    rule: "a last line without newline is served, exit 0",
    run: async (host) => {
      host.write('{"id":9,"method":"ping"}').closeInput();
      expect(await host.ended()).toMatchObject({ code: 0 });
      expect(host.messages).toMatchObject([{ id: 9, result: {} }]);
    },
  },
  {
    rule: "an unknown method of 1 MiB is not repeated whole",
    run: async (host) => {
      host.send({ id: 1, method: "x".repeat(MiB) });
      expect((await host.reply(1)).error?.message.length).toBeLessThan(200);
    },
  },
  {
    rule: "a line of almost 16 MiB is served",
    run: async (host) => {
      host.write(`{"id":1,"method":"ping","params":{"x":"${"a".repeat(16 * MiB - 4096)}"}}\n`);
      expect(await host.reply(1, 10_000)).toMatchObject(served);
    },
  },
  {
    rule: "a line over 16 MiB: -32600 with the id in front, once, then service",
    run: async (host) => {
      host.write('{"jsonrpc":"2.0","params":{"id":1},"id":77,"method":"ping","x":"');
      for (let i = 0; i < 17; i++) host.write("a".repeat(MiB));
      host.write('"}\n');
      expect(await host.settled()).toMatchObject([{ id: 77, error: { code: -32600 } }]);
    },
  },
  {
    rule: "a line over 16 MiB with its id late: -32600 with null",
    run: async (host) => {
      host.write(`{"method":"ping","params":"${"a".repeat(8192)}","id":78,"y":"`);
      for (let i = 0; i < 17; i++) host.write("a".repeat(MiB));
      host.write('"}\n');
      expect(await host.settled()).toMatchObject([invalid]);
    },
  },
  {
    rule: "a line of 64 MiB costs bounded memory",
    run: async (host) => {
      await host.request("ping");
      const before = host.memory().now;
      host.write('{"id":1,"method":"ping","params":"');
      for (let i = 0; i < 64; i++) {
        host.write("a".repeat(MiB));
        await Bun.sleep(4);
      }
      host.write('"}\n');
      await host.request("ping", undefined, 15_000);
      expect((host.memory().peak - before) / MiB).toBeLessThan(128);
    },
  },
  ...[{ protocolVersion: "2025-11-25" }, { protocolVersion: "1999-01-01" }, { protocolVersion: 7 }, undefined].map(
    (params): Case => ({
      rule: `initialize asked for ${JSON.stringify(params)} answers 2024-11-05`,
      run: async (host) => {
        const { result } = await host.request("initialize", params);
        expect(result).toMatchObject({ protocolVersion: "2024-11-05", capabilities: { tools: {} } });
        expect(result).toMatchObject({ serverInfo: { name: expect.any(String), version: expect.any(String) } });
        expect(new TextEncoder().encode(String(result?.instructions)).length).toBeLessThanOrEqual(2048);
      },
    }),
  ),
  {
    rule: "initialize twice answers the same",
    run: async (host) => {
      expect((await host.request("initialize")).result).toEqual((await host.request("initialize")).result);
    },
  },
  {
    rule: "tools/list is whole before initialize, and takes no notice of a cursor",
    run: async (host) => {
      const { result } = await host.request("tools/list");
      expect(result).toEqual({ tools: expect.any(Array) });
      expect((await host.request("tools/list", { cursor: "x" })).result).toEqual(result);
    },
  },
  {
    rule: "a reply is jsonrpc, id, then result or error, in UTF-8",
    run: async (host) => {
      host.send({ id: 1, method: "initialize" }).send({ id: 2, method: "tools/list" }).send({ id: 3, method: "no" });
      await host.settled();
      for (const { text, bytes: raw } of host.lines) {
        expect(text).toMatch(/^\{"jsonrpc":"2\.0","id":[^{]*?,"(result|error)":/);
        expect(Buffer.from(text).equals(raw)).toBe(true);
      }
    },
  },
  {
    rule: "answers that are complete at the end of input are flushed",
    run: async (host) => {
      host.write('{"id":1,"method":"tools/list"}\n'.repeat(50)).closeInput();
      expect(await host.ended()).toMatchObject({ code: 0 });
      expect(host.messages.filter(({ result }) => Array.isArray(result?.tools)).length).toBe(50);
    },
  },
];
