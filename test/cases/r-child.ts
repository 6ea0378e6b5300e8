/** Reports about what runs behind a call: replayed with a `phux` of a few lines of shell. */
import { expect } from "bun:test";
import { type PhuxScript, STATUS } from "../e2e/phux-script.ts";
import { type RawHost, SLACK, until } from "../e2e/raw-host.ts";
import type { Report } from "./r-report.ts";

export interface Child {
  readonly phux: PhuxScript;
  start(env?: Readonly<Record<string, string>>): RawHost;
}

const DOCUMENT = `printf '%s' '${JSON.stringify(STATUS)}'`;
const MiB = 1024 * 1024;

async function status(host: RawHost, given: object = {}): Promise<{ text: string; isError: boolean; ms: number }> {
  const began = performance.now();
  const { result } = await host.request("tools/call", { name: "phux_status", arguments: given }, 20_000);
  const text = result?.content?.[0]?.text ?? "";
  return { text, isError: result?.isError === true, ms: performance.now() - began };
}

export const childReports: readonly Report<Child>[] = [
  {
    of: "openai/codex#5258",
    symptom: "the end of a command spares its grandchildren, and they hold the terminal",
    ours: "a cancel ends the whole group",
    async run({ phux, start }) {
      const host = start();
      host.call(1, "phux_status", { socket: "/slow" });
      await phux.begun(host);
      host.cancel(1);
      await until(() => phux.over(host), "the end of child and grandchild", 200 * SLACK);
    },
  },
  {
    of: "gastownhall/beads#400",
    symptom: "a child reads its parent's stdin, and the next request with it",
    ours: "a child's stdin is empty",
    async run({ phux, start }) {
      phux.behave(`cat > "$0.read"; ${DOCUMENT}`);
      const host = start();
      host.call(1, "phux_status").send({ id: 2, method: "ping" }).send({ id: 3, method: "ping" });
      await Promise.all([1, 2, 3].map((id) => host.reply(id)));
      expect(await Bun.file(`${phux.folder}/phux.read`).text()).toBe("");
    },
  },
  {
    of: "anomalyco/opencode#47350",
    symptom: "a call never returns, because something in the background holds its pipes",
    ours: "the end of the command is the end of the call",
    async run({ phux, start }) {
      phux.behave(`sleep 3 & ${DOCUMENT}`);
      const { isError, ms } = await status(start());
      expect([isError, ms < 1_000 * SLACK]).toEqual([false, true]);
    },
  },
  {
    of: "anthropics/claude-code#15945",
    symptom: "something asks for a password on the terminal, for sixteen hours",
    ours: "a child has no terminal to ask on: it fails at once",
    async run({ phux, start }) {
      phux.behave("exec 3</dev/tty || exit 1; read -r password <&3");
      const { isError, text, ms } = await status(start());
      expect([isError, ms < 1_000 * SLACK]).toEqual([true, true]);
      expect(text).toContain("/dev/tty");
    },
  },
  {
    of: "wonderwhy-er/DesktopCommanderMCP#503",
    symptom: "a command that prints without end ends the server for every session",
    ours: "the command is ended at 1 MiB, the server goes on in bounded memory",
    async run({ phux, start }) {
      phux.behave("exec yes 'a line of a flood'");
      const host = start();
      const { isError, text } = await status(host);
      expect(isError).toBe(true);
      expect(text).toContain("1");
      expect(host.memory().peak / MiB).toBeLessThan(200);
      phux.behave(DOCUMENT);
      expect((await status(host)).isError).toBe(false);
    },
  },
  {
    of: "s-stefanov/actual-mcp#161",
    symptom: "what a component prints lands among the messages",
    ours: "a child's banner is the text of an error, and stdout stays clean",
    async run({ phux, start }) {
      phux.behave("echo '[Breadcrumb] {'; echo 'Loaded spreadsheet'; echo syncing >&2; exit 1");
      const host = start();
      const { isError, text } = await status(host);
      expect([isError, text.includes("syncing")]).toEqual([true, true]);
      expect(host.lines.every(({ message }) => message !== undefined)).toBe(true);
    },
  },
  {
    of: "scottcrosby-securebine/kali-mcp-server#80",
    symptom: "escape sequences of a stranger go through to the terminal of whoever reads the answer",
    ours: "controls leave as text that can be seen",
    async run({ phux, start }) {
      phux.behave("printf 'Server: x\\033[2J\\033]0;PWNED\\007\\233\\n' >&2; exit 1");
      const { text } = await status(start());
      expect(text).toContain("\\u001b[2J\\u001b]0;PWNED\\u0007");
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the very point
      expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
    },
  },
  {
    of: "MemPalace/mempalace#1488",
    symptom: "under a C locale letters beyond ASCII break on their way in",
    ours: "bytes are UTF-8 under every locale, to the child and back",
    async run({ phux, start }) {
      phux.behave(`for last; do :; done; printf '{"schema_version":1,"running":false,"socket":"%s"}' "$last"`);
      const host = start({ LANG: "C", LC_ALL: "C" });
      const { text } = await status(host, { socket: "/tmp/тест-клиент-漢😀" });
      expect(JSON.parse(text).socket).toBe("/tmp/тест-клиент-漢😀");
    },
  },
  {
    of: "anomalyco/opencode#26356",
    symptom: "a bare PATH, and all one is told is ENOENT",
    ours: "one sentence: what is missing, where it was looked for, what to do",
    async run({ start }) {
      const { isError, text } = await status(start({ PATH: "/usr/bin:/bin" }));
      expect(isError).toBe(true);
      for (const part of ["phux program was not found", "/usr/bin:/bin", "put its folder on the PATH"])
        expect(text).toContain(part);
    },
  },
];
