/** Reports about processes, lines and messages: replayed by a host without manners. */
import { expect } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { pingedToEnd } from "../e2e/case.ts";
import { type RawHost, SLACK, until } from "../e2e/raw-host.ts";
import type { Room, Start } from "./m-room.ts";
import type { Report } from "./r-report.ts";

/** A room with a lab, and hosts that end with the test. */
export interface Bench {
  readonly room: Room;
  start(special?: Start): RawHost;
}

const WAIT = { target: "@1", until: "never there", timeout_secs: 600 };
const withServer = (room: Room) => ({ env: room.six({ PHUX_SOCKET: room.lab.socket }) });
const connections = (room: Room) => room.lab.server.connections.size;
const isAlive = (pid: number) =>
  existsSync(`/proc/${pid}`) && !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));

/** Starts a call that waits, beside `others` that do. */
async function waiting(
  room: Room,
  host: RawHost,
  id: string | number,
  others = 0,
  meta?: Readonly<Record<string, unknown>>,
) {
  await until(() => connections(room) === others, "the end of earlier calls", 5_000 * SLACK);
  host.call(id, "phux_wait", WAIT, meta);
  await until(() => connections(room) === others + 1, "the wait at the server", 5_000 * SLACK);
}

export const protocolReports: readonly Report<Bench>[] = [
  // Orphans.
  {
    of: "microsoft/azure-devops-mcp#1598",
    symptom: "stays when the client closes its end, by the hundred",
    ours: "ends with the input within a second, exit 0",
    async run({ room, start }) {
      const host = start(withServer(room));
      await waiting(room, host, 1);
      host.closeInput();
      const { code, ms } = await host.ended();
      expect([code, ms < 1_000 * SLACK]).toEqual([0, true]);
      await until(() => connections(room) === 0, "the end of its connection", 1_000 * SLACK);
    },
  },
  {
    of: "modelcontextprotocol/python-sdk#2231",
    symptom: "lives on when its parent dies and somebody else holds the pipe open",
    ours: "looks for its parent, and is gone within 5 s",
    async run({ start }) {
      // The shell goes; our ends of stdin and stdout stay open.
      const host = start({ script: 'exec 3<&0; "$0" <&3 & echo "{\\"id\\":\\"pid\\",\\"result\\":$!}"; sleep 0.2' });
      const { result } = await host.reply("pid");
      const pid = Number(result);
      expect(isAlive(pid)).toBe(true);
      await until(() => !isAlive(pid), "the end of the orphan", 5_000 * SLACK);
    },
  },
  {
    of: "aaronsb/google-workspace-mcp#149",
    symptom: "outlives its client with a dead stderr and takes a whole processor",
    ours: "ends quietly with the first answer that nobody reads",
    async run({ start }) {
      const host = start({ script: 'exec "$0" 2>&-' });
      await host.request("ping");
      await host.closeOutput();
      expect(await pingedToEnd(host, performance.now())).toMatchObject({ code: 0 });
    },
  },
  {
    of: "modelcontextprotocol/typescript-sdk#1564",
    symptom: "an answer into a closed pipe is an exception that ends the process with a trace",
    ours: "a closed pipe is an ordinary end: exit 0, nothing on stderr",
    async run({ start }) {
      const host = start();
      await host.request("ping");
      await host.closeOutput();
      host.write('{"id":1,"method":"tools/list"}\n'.repeat(50));
      expect(await pingedToEnd(host, performance.now())).toMatchObject({ code: 0 });
      expect(host.stderr).toBe("");
    },
  },
  {
    of: "Q00/ouroboros#2337",
    symptom: "takes an idle socket for the end of its input, right after initialize",
    ours: "idles on sockets and on pipes",
    async run({ start }) {
      for (const stdio of ["socket", "pipe"] as const) {
        const host = start({ stdio });
        await host.request("initialize", {});
        await Bun.sleep(90);
        expect(Array.isArray((await host.request("tools/list")).result?.tools)).toBe(true);
      }
    },
  },
  // Deaf cancels.
  {
    of: "modelcontextprotocol/typescript-sdk#2502",
    symptom: "a cancel of request 0 is taken for a cancel of nothing",
    ours: "0 is an id as any other: the work ends",
    async run({ room, start }) {
      const host = start(withServer(room));
      await waiting(room, host, 0);
      host.cancel(0);
      await until(() => connections(room) === 0, "the end of the wait", 500 * SLACK);
      expect(await host.settled()).toEqual([]);
    },
  },
  {
    of: "openai/codex#20925",
    symptom: "after a cancel the only way on is to kill the server",
    ours: "the work ends, the id is free at once, other calls never noticed",
    async run({ room, start }) {
      const host = start(withServer(room));
      await waiting(room, host, "a");
      await waiting(room, host, "b", 1);
      host.cancel("a");
      await until(() => connections(room) === 1, "the end of one wait", 500 * SLACK);
      host.call("a", "phux_ls");
      expect((await host.reply("a")).result?.isError).toBe(false);
      await until(() => connections(room) === 1, "the other wait alone", 500 * SLACK);
      host.cancel("b");
    },
  },
  // Hangs.
  {
    of: "wonderwhy-er/DesktopCommanderMCP#310",
    symptom: "a call that waits for minutes stops everything else",
    ours: "ping, lists and other calls are answered meanwhile",
    async run({ room, start }) {
      const host = start(withServer(room));
      await waiting(room, host, 1);
      const began = performance.now();
      await host.request("ping");
      expect((await host.request("tools/call", { name: "phux_ls" })).result?.isError).toBe(false);
      expect(performance.now() - began).toBeLessThan(1_000 * SLACK);
      host.cancel(1);
    },
  },
  {
    of: "massgen/MassGen#743",
    symptom: "the time limit of a call is taken and ignored",
    ours: "one second is one second, and an answer that says so",
    async run({ room, start }) {
      const host = start(withServer(room));
      const began = performance.now();
      const given = { ...WAIT, timeout_secs: 1 };
      const { result } = await host.request("tools/call", { name: "phux_wait", arguments: given });
      expect(result?.content?.[0]?.text).toContain("timed_out");
      expect(performance.now() - began).toBeWithin(900, 1_500 * SLACK);
    },
  },
  {
    of: "BaseIntelligence/bounty-challenge#9101",
    symptom: "half a line without its newline holds the whole server",
    ours: "signals and the end of input count at any time",
    async run({ start }) {
      const host = start();
      await host.request("ping");
      host.write('{"jsonrpc":"2.0","id":1,"meth');
      host.signal("SIGTERM");
      const { code, ms } = await host.ended();
      expect([code, ms < 1_000 * SLACK]).toEqual([0, true]);
      expect(host.messages).toHaveLength(1);
    },
  },
  {
    of: "anomalyco/opencode#24965",
    symptom: "a long call is given up, because nothing says that it is alive",
    ours: "a call with a progress token tells its status, at once and again",
    async run({ room, start }) {
      const host = start(withServer(room));
      await waiting(room, host, 1, 0, { progressToken: 0 });
      const { params } = await host.waitFor(({ method }) => method === "notifications/progress", "progress");
      expect(params).toMatchObject({ progressToken: 0, message: expect.stringContaining("wait") });
      host.cancel(1);
    },
  },
  // Protocol slips.
  {
    of: "chrisdoc/hevy-mcp#792",
    symptom: "an empty or broken line ends the server",
    ours: "-32700 for what is no JSON, silence for what is empty, and the next line is served",
    async run({ start }) {
      const host = start();
      host.write('\n\r\n$env:LOCALAPPDATA\n{"id":1,"method":"ping"}trailing\n');
      const broken = { id: null, error: { code: -32700 } };
      expect(await host.settled()).toMatchObject([broken, broken]);
    },
  },
  {
    of: "modelcontextprotocol/typescript-sdk#2488",
    symptom: "JSON that is no request is dropped without a word, and its sender waits for ever",
    ours: "-32600 with the id where there is one",
    async run({ start }) {
      const host = start();
      host.write('{"jsonrpc":"2.0","id":99}\n[{"jsonrpc":"2.0","id":1,"method":"ping"}]\n');
      const refused = (id: unknown) => ({ id, error: { code: -32600 } });
      expect(await host.settled()).toMatchObject([refused(99), refused(null)]);
    },
  },
  {
    of: "google-gemini/gemini-cli#28355",
    symptom: "an answer under another id stops a host for ten minutes",
    ours: "every id comes back as it came, type and all",
    async run({ start }) {
      const host = start();
      const ids = [1, "1", 0, "", "9999", 2 ** 53 - 1, -7, 1.25, "é\n"];
      for (const id of ids) host.send({ id, method: "ping" });
      expect((await host.settled()).map(({ id }) => id)).toEqual(ids);
    },
  },
  {
    of: "saidsurucu/borsa-mcp#6",
    symptom: "a request whose id is null is accepted",
    ours: "-32600, and nothing is done",
    async run({ start }) {
      const host = start();
      host.send({ jsonrpc: "2.0", id: null, method: "tools/list" });
      expect(await host.settled()).toMatchObject([{ id: null, error: { code: -32600 } }]);
    },
  },
  {
    of: "ai-ecoverse/slicc#3350",
    symptom: "a host asks server/discover first and sits through its whole time limit",
    ours: "an answer at once, known or not",
    async run({ start }) {
      const host = start();
      await host.request("ping");
      const began = performance.now();
      expect((await host.request("server/discover")).error?.code).toBe(-32601);
      expect(performance.now() - began).toBeLessThan(100 * SLACK);
    },
  },
  // Noise.
  {
    of: "Kapeli/dash-mcp-server#10",
    symptom: "log lines among the messages",
    ours: "from start to end, through errors too, stdout is messages and stderr is empty",
    async run({ room, start }) {
      const host = start(withServer(room));
      await host.request("initialize", {});
      for (const name of ["phux_ls", "phux_status", "phux_lss", "phux_snapshot", "phux_kill"]) {
        await host.request("tools/call", { name });
      }
      host.write("broken\n").closeInput();
      await host.ended();
      expect(host.lines.every(({ message }) => message !== undefined)).toBe(true);
      expect([host.stderr, host.unfinished]).toEqual(["", 0]);
    },
  },
  // Broken characters.
  {
    of: "iansinnott/obsidian-claude-code-mcp#15",
    symptom: "a character that is cut by the end of a piece becomes two wrong ones",
    ours: "pieces are joined as bytes: a line may come byte by byte",
    async run({ start }) {
      const host = start();
      for (const byte of Buffer.from('{"id":"漢😀ř","method":"ping"}\n')) {
        host.write(Uint8Array.of(byte));
        await Bun.sleep(1);
      }
      expect((await host.reply("漢😀ř")).result).toEqual({});
    },
  },
  {
    of: "MemPalace/mempalace#503",
    symptom: "half of a surrogate pair in an argument ends the server",
    ours: "refused or answered in well-formed text, and the next call is served",
    async run({ room, start }) {
      const host = start(withServer(room));
      for (const name of ["phux_ls", "phux_new", "phux_send_keys", "\ud800"]) {
        const given = { target: "x\udcaf", name: "\ud83d", keys: ["\udc8a"], socket: "\ud800" };
        await host.request("tools/call", { name, arguments: given });
      }
      expect(host.lines.every(({ text }) => text.isWellFormed() && !text.includes("\ufffd"))).toBe(true);
      expect((await host.request("tools/call", { name: "phux_ls" })).result?.isError).toBe(false);
    },
  },
  // Odd environments.
  {
    of: "modelcontextprotocol/typescript-sdk#2037",
    symptom: "only a handful of variables reach the server, and what it starts cannot be found",
    ours: "six variables, or none, are enough: phux stands beside us",
    async run({ room, start }) {
      for (const env of [room.six({ PATH: "/nowhere" }), {}]) {
        const host = start({ env });
        const given = { socket: room.lab.socket };
        const { result } = await host.request("tools/call", { name: "phux_status", arguments: given });
        expect(result?.isError).toBe(false);
      }
    },
  },
];
