import { describe, expect, test } from "bun:test";
import { type End, StdioTransport } from "../../src/mcp/stdio.ts";
import type { ByteSink } from "../../src/mcp/writer.ts";

const utf8 = new TextEncoder();

/** Bytes in the test's hands. */
function input() {
  const pulls: number[] = [];
  let to: ReadableStreamDefaultController<Uint8Array> | null = null;
  const stream = new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        to = controller;
      },
      pull: () => {
        pulls.push(pulls.length);
      },
    },
    { highWaterMark: 0 },
  );
  return {
    open: () => stream,
    pulls,
    push: (text: string) => to?.enqueue(utf8.encode(text)),
    end: () => to?.close(),
    fail: (error: unknown) => to?.error(error),
  };
}

/** A reader of stdout that takes nothing while it is `stuck`. */
class Reader implements ByteSink {
  text = "";
  stuck = false;
  broken: Error | null = null;
  /** Set: writes give a promise that is rejected with it. */
  lost: Error | null = null;
  #written = "";
  #release: (() => void) | null = null;
  #leave: ((error: unknown) => void) | null = null;

  write(text: string): number | Promise<never> {
    if (this.lost !== null) return Promise.reject(this.lost);
    this.#written += text;
    return text.length;
  }
  flush(): number | Promise<void> {
    if (this.broken !== null) throw this.broken;
    if (!this.stuck) return this.#take();
    return new Promise((resolve, reject) => {
      this.#leave = reject;
      this.#release = () => {
        this.#take();
        resolve();
      };
    });
  }
  /** Takes what was written so far. */
  release(): void {
    this.#release?.();
  }
  /** Goes away in the middle of a write. */
  leave(): void {
    this.#leave?.(Object.assign(new Error("x"), { code: "EPIPE" }));
  }
  #take(): number {
    this.text += this.#written;
    const taken = this.#written.length;
    this.#written = "";
    return taken;
  }
}

/** A transport that echoes the id of every message, with `padding` characters beside it. */
async function start(padding = 0) {
  const bytes = input();
  const reader = new Reader();
  const transport = new StdioTransport(bytes.open, reader);
  const heard: unknown[] = [];
  let end: End | null = null;
  void transport.ended.then((why) => {
    end = why;
  });
  transport.onmessage = (message) => {
    heard.push("id" in message ? message.id : message);
    if ("id" in message) transport.sendLine(`${message.id}${"x".repeat(padding)}`);
  };
  await transport.start();
  return { bytes, reader, transport, heard, end: () => end };
}

const settle = () => Bun.sleep(0);
const MiB = 1024 * 1024;

const ends: [how: string, error: unknown, end: object][] = [
  ["reset by the other side", Object.assign(new Error("x"), { code: "ECONNRESET" }), { kind: "input ended" }],
  ["a terminal that hung up", Object.assign(new Error("x"), { code: "EIO" }), { kind: "input ended" }],
  ["a folder", Object.assign(new Error("x"), { code: "EISDIR" }), { kind: "failed", what: "stdin" }],
];

describe("the line transport", () => {
  test("messages in, lines out, in order", async () => {
    const { bytes, reader, heard } = await start();
    bytes.push('{"id":1}\n{"id"');
    await settle();
    bytes.push(":2}\n{bad\n");
    await settle();
    expect(heard).toEqual([1, 2]);
    expect(reader.text).toBe(
      '1\n2\n{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"this line is not JSON"}}\n',
    );
  });

  test("a listener that throws is told of, and the next message is delivered", async () => {
    const { bytes, transport, heard } = await start();
    const errors: string[] = [];
    const listen = transport.onmessage;
    transport.onerror = (error) => errors.push(error.message);
    transport.onmessage = () => {
      transport.onmessage = listen;
      throw new Error("mistake");
    };
    bytes.push('{"id":1}\n{"id":2}\n');
    await settle();
    expect(errors).toEqual(["mistake"]);
    expect(heard).toEqual([2]);
  });

  test("the end of input is told once, after a last line without newline", async () => {
    const { bytes, transport, heard, end } = await start();
    let closes = 0;
    transport.onclose = () => closes++;
    bytes.push('{"id":1}');
    await settle();
    bytes.end();
    await settle();
    expect(heard).toEqual([1]);
    expect(end()).toEqual({ kind: "input ended" });
    await transport.close();
    expect(closes).toBe(1);
  });

  test.each(ends)("stdin fails: %s", async (_, error, wanted) => {
    const { bytes, end } = await start();
    bytes.fail(error);
    await settle();
    expect(end()).toMatchObject(wanted);
  });

  test.each([
    ["EPIPE", { kind: "output closed" }],
    ["ENOSPC", { kind: "failed", what: "stdout" }],
  ])("stdout fails: %s", async (code, wanted) => {
    const { bytes, reader, transport, end } = await start();
    reader.broken = Object.assign(new Error(code), { code });
    bytes.push('{"id":1}\n');
    await settle();
    expect(end()).toMatchObject(wanted);
    expect(await transport.flush(1000)).toBe(true);
  });

  test("a long write fails by its own promise, and the flush behind it says nothing", async () => {
    const { bytes, reader, end } = await start();
    reader.lost = Object.assign(new Error("EPIPE"), { code: "EPIPE" });
    bytes.push('{"id":1}\n');
    await settle();
    expect(end()).toEqual({ kind: "output closed" });
  });
});

describe("a host that does not read", () => {
  /** 4 MiB unread, into which a transport answers nothing more: 5 waits. */
  async function congested() {
    const all = await start(MiB);
    all.reader.stuck = true;
    all.bytes.push([1, 2, 3, 4, 5].map((id) => `{"id":${id}}\n`).join(""));
    await settle();
    return all;
  }
  /** Reads until there is nothing more to read. */
  async function readOn(reader: Reader) {
    reader.stuck = false;
    for (let i = 0; i < 3; i++) {
      reader.release();
      await settle();
    }
  }
  const call = (id: number) => `{"id":${id},"method":"tools/call","params":{}}\n`;
  const cancel = (id: number) => `{"method":"notifications/cancelled","params":{"requestId":${id}}}\n`;

  test("requests wait, in order, and are served when it reads", async () => {
    const { bytes, reader, heard, transport } = await congested();
    expect(transport.congested).toBe(true);
    bytes.push('{"id":6}\n{bad\n{"id":7}\n');
    await settle();
    expect(heard).toEqual([1, 2, 3, 4]);
    await readOn(reader);
    expect(heard).toEqual([1, 2, 3, 4, 5, 6, 7]);
    const ids = reader.text
      .trim()
      .split("\n")
      .map((line) => line.slice(0, 5));
    expect(ids).toEqual(["1xxxx", "2xxxx", "3xxxx", "4xxxx", "5xxxx", "6xxxx", '{"jso', "7xxxx"]);
  });

  test("a cancel passes those that wait, and takes its own call out of them", async () => {
    const { bytes, reader, heard } = await congested();
    bytes.push(`{"id":6}\n${call(7)}${call(8)}${cancel(7)}${cancel(99)}`);
    await settle();
    const other = { method: "notifications/cancelled", params: { requestId: 99 } };
    expect(heard).toEqual([1, 2, 3, 4, other]);
    await readOn(reader);
    expect(heard).toEqual([1, 2, 3, 4, other, 5, 6, 8]);
  });

  test("the end of input is noticed", async () => {
    const { bytes, transport, end } = await congested();
    bytes.push('{"id":6}\n');
    bytes.end();
    await settle();
    expect(end()).toEqual({ kind: "input ended" });
    expect(await transport.flush(5)).toBe(false);
  });

  test("what waited at the end of input is served when it reads", async () => {
    const { bytes, reader, transport, heard } = await congested();
    bytes.push('{"id":6}\n');
    bytes.end();
    await settle();
    const flushed = transport.flush(1000);
    await readOn(reader);
    expect(await flushed).toBe(true);
    expect(heard.at(-1)).toBe(6);
  });

  test("beyond its time the end waits for a reader that goes on", async () => {
    const { bytes, reader, transport } = await congested();
    bytes.end();
    const flushed = transport.flush(60, 5_000);
    for (let i = 0; i < 6; i++) {
      await Bun.sleep(40);
      reader.release();
    }
    expect(await flushed).toBe(true);
  });

  test("but not for ever, and for none that takes nothing", async () => {
    const { reader, transport } = await congested();
    const began = performance.now();
    expect(await transport.flush(20, 5_000)).toBe(false);
    const reads = setInterval(() => reader.release(), 20);
    expect(await transport.flush(40, 70)).toBe(false);
    clearInterval(reads);
    const took = performance.now() - began;
    expect(took).toBeGreaterThan(85);
    expect(took).toBeLessThan(300);
  });

  test("a reader that goes away after the end of input is waited for no longer", async () => {
    const { bytes, reader, transport } = await congested();
    bytes.end();
    await settle();
    const began = performance.now();
    const flushed = transport.flush(2_000);
    reader.leave();
    expect(await flushed).toBe(true);
    expect(performance.now() - began).toBeLessThan(500);
  });

  test("beyond 4 MiB of waiting lines nothing is read", async () => {
    const { bytes, reader, heard } = await congested();
    const filler = `{"id":6,"x":"${"y".repeat(MiB)}"}\n`;
    for (let i = 0; i < 8; i++) {
      bytes.push(filler);
      await settle();
    }
    const pulls = bytes.pulls.length;
    await settle();
    expect(bytes.pulls.length).toBe(pulls);
    await readOn(reader);
    await readOn(reader);
    expect(heard.filter((id) => id === 6).length).toBe(8);
  });
});
