/** Reports about keys, screens, exit codes and consent: replayed in real shells through the official client. */
import { expect } from "bun:test";
import type { Agent, Document } from "../e2e/agent.ts";
import { SLACK } from "../e2e/raw-host.ts";
import { until } from "../lab/until.ts";
import type { Report } from "./r-report.ts";

export interface Shells {
  readonly agent: Agent;
  /** A pane at a bash prompt, with nothing on its screen. */
  readonly pane: string;
  /** A new pane with this program, once `seen` is on its screen. */
  program(script: string, seen: string): Promise<string>;
}

const run = ({ agent, pane }: Shells, command: string, seconds = 20): Promise<Document> =>
  agent.call("phux_run", { target: pane, command, timeout_secs: seconds });
const screen = async (agent: Agent, target: string, more: object = {}): Promise<string[]> => {
  const { scrollback, lines } = await agent.call("phux_snapshot", { target, ...more });
  return [scrollback, lines].flatMap((rows) => (Array.isArray(rows) ? rows.map(String) : []));
};
/** Shows what it gets, byte for byte, as it comes: no line discipline in between. */
const SHOWN = "stty raw -echo; printf 'ready\\r\\n'; exec cat -v";

export const shellReports: readonly Report<Shells>[] = [
  // Exit codes.
  {
    of: "pchalasani/claude-code-tools#42",
    symptom: "whether a command succeeded has to be guessed from its output",
    ours: "every run gives the shell's own exit code",
    async run(shells) {
      expect(await run(shells, "echo All tests passed; (exit 3)")).toMatchObject({ exit_code: 3 });
      expect(await run(shells, "echo error: no; true")).toMatchObject({ exit_code: 0 });
    },
  },
  {
    of: "aakarim/OpenLore#107",
    symptom: "a command that exits with 1, as grep without a match, is reported as a broken tool",
    ours: "any exit code is an answer, its output beside it",
    async run({ agent, pane }) {
      const { isError, text } = await agent.answer("phux_run", { target: pane, command: "grep -c zz /dev/null" });
      expect(isError).toBe(false);
      expect(JSON.parse(text)).toMatchObject({ exit_code: 1, output: "0" });
    },
  },
  {
    of: "nickgnd/tmux-mcp#28",
    symptom: "several commands for one pane at once get each other's output",
    ours: "they take turns, each with its own output and code",
    async run(shells) {
      const all = [1, 2, 3, 4].map((code) => run(shells, `echo out${code}; (exit ${code})`));
      expect(await Promise.all(all)).toMatchObject(
        [1, 2, 3, 4].map((code) => ({ exit_code: code, output: `out${code}` })),
      );
    },
  },
  {
    of: "nickgnd/tmux-mcp#41",
    symptom: "quotes, foreign letters or a long text leave the shell at a prompt for more, for ever",
    ours: "a command of any letters runs as it stands, and the next one too",
    async run(shells) {
      const odd = `it's "quoted" → ✅ ❌ 漢字 \`tick\` $HOME \\ 'a "b" c'`;
      const command = `cat <<'END'\n${odd}\n${"x".repeat(1_500)}\nEND`;
      const { output, exit_code } = await run(shells, command);
      expect([String(output).split("\n")[0], exit_code]).toEqual([odd, 0]);
      expect(await run(shells, "echo next")).toMatchObject({ output: "next", exit_code: 0 });
    },
  },
  {
    of: "konamgil/mandu#136",
    symptom: "a command that waits for ever holds the tool for ever",
    ours: "the limit ends the call, and an interrupt gives the prompt back",
    async run(shells) {
      const { agent, pane } = shells;
      const began = performance.now();
      const stuck = await agent.answer("phux_run", { target: pane, command: "cat", timeout_secs: 1 });
      expect([stuck.isError, performance.now() - began < 3_000 * SLACK]).toEqual([true, true]);
      await agent.call("phux_send_keys", { target: pane, keys: ["C-c"] });
      expect(await run(shells, "echo back")).toMatchObject({ output: "back" });
    },
  },
  // Keys.
  {
    of: "nickgnd/tmux-mcp#31",
    symptom: "C-c is typed as three letters, and nothing can be interrupted",
    ours: "C-c is the key: the program ends",
    async run(shells) {
      const { agent, pane } = shells;
      await agent.call("phux_send_keys", { target: pane, keys: ["sh -c 'echo go''ing; exec sleep 600'", "Enter"] });
      await agent.seesRow(pane, "going");
      await agent.call("phux_send_keys", { target: pane, keys: ["C-c"] });
      expect(await run(shells, "echo alive")).toMatchObject({ output: "alive" });
    },
  },
  {
    of: "nickgnd/tmux-mcp#16",
    symptom: "every key is followed by an Enter that nobody asked for",
    ours: "what is sent is what arrives",
    async run({ agent, program }) {
      const pane = await program(SHOWN, "ready");
      await agent.call("phux_send_keys", { target: pane, keys: ["j", "k"] });
      await agent.seesRow(pane, "jk");
    },
  },
  {
    of: "GeorgePearse/mcp-tui-test#2",
    symptom: "Escape reaches the program as the text of an escape sequence",
    ours: "Escape, arrows and Alt are keys",
    async run({ agent, program }) {
      const pane = await program(SHOWN, "ready");
      await agent.call("phux_send_keys", { target: pane, keys: ["Up", "M-x", "C-d"] });
      await agent.call("phux_send_keys", { target: pane, keys: ["Escape"] });
      await agent.seesRow(pane, "^[[A^[x^D^[");
    },
  },
  {
    of: "JohnConnorNPC/browserland#13",
    symptom: "a line feed in place of Enter leaves the line unsubmitted",
    ours: "Enter is a carriage return, also as a newline at the end of a text",
    async run({ agent, program }) {
      const pane = await program(SHOWN, "ready");
      await agent.call("phux_send_keys", { target: pane, keys: ["a", "Enter"] });
      await agent.sees(pane, "a^M");
    },
  },
  {
    of: "corveil/crow#264",
    symptom: "the newline behind a pasted prompt is taken as text, and nothing is submitted",
    ours: "text before Enter is one paste, and the Enter a key behind it",
    async run({ agent, program }) {
      const pane = await program(`printf '\\033[?2004h'; ${SHOWN}`, "ready");
      await agent.call("phux_send_keys", { target: pane, keys: ["fix it", "Enter"] });
      await agent.seesRow(pane, "^[[200~fix it^[[201~^M");
    },
  },
  {
    of: "ferrislucas/iterm-mcp#17",
    symptom: "a text of several lines is a syntax error of the tool's own",
    ours: "any text is one paste",
    async run({ agent, program }) {
      const pane = await program("printf 'ready\\n'; exec cat", "ready");
      const text = `first "line"\nsecond 'line' $(no)\n\ttabbed \\ end`;
      await agent.call("phux_paste", { target: pane, text });
      await agent.call("phux_send_keys", { target: pane, keys: ["Enter"] });
      for (const row of text.split("\n")) await agent.sees(pane, row.trim());
    },
  },
  {
    of: "nickgnd/tmux-mcp#1",
    symptom: "the marks around a command land in the interpreter that runs in the pane",
    ours: "keys are typed as they are, with nothing around them",
    async run({ agent, program }) {
      const pane = await program('echo ">>>"; while read -r line; do echo "got [$line]"; done', ">>>");
      await agent.call("phux_send_keys", { target: pane, keys: ["print(1 + 1)", "Enter"] });
      await agent.seesRow(pane, "got [print(1 + 1)]");
      expect((await screen(agent, pane)).filter(Boolean)).toHaveLength(3);
    },
  },
  // Screens.
  {
    of: "ferrislucas/iterm-mcp#25",
    symptom: "<name> on the screen is read as <n>",
    ours: "a row is read character by character",
    async run(shells) {
      const xml = "<name>North &amp; Star</name><!-- [31m \\n -->";
      expect(await run(shells, `cat <<'END'\n${xml}\nEND`)).toMatchObject({ output: xml });
    },
  },
  {
    of: "memextech/ht-mcp#20",
    symptom: "what has left the visible rows can never be read again",
    ours: "the whole history, or its last rows",
    async run(shells) {
      await run(shells, "seq 1000 1300");
      const rows = await screen(shells.agent, shells.pane, { scrollback: 0 });
      expect(rows).toEqual(expect.arrayContaining(["1000", "1150", "1300"]));
    },
  },
  {
    of: "daintreehq/daintree#12450",
    symptom: "a long tail is cut from its end, in the middle of the JSON",
    ours: "the newest rows are kept, the document is whole and says what is missing",
    async run(shells) {
      await run(shells, "for i in $(seq 1 900); do printf '%0150d\\n' $i; done; echo NEWEST");
      const given = { target: shells.pane, scrollback: 0, unwrap: true };
      const { text, isError } = await shells.agent.answer("phux_snapshot", given);
      expect([isError, text.length <= 40_000]).toEqual([false, true]);
      const document: Document = JSON.parse(text);
      expect(document["truncated"]).toBe(true);
      expect(document["lines"]).toContain("NEWEST");
    },
  },
  {
    of: "aybelatchane/mcp-server-terminal#153",
    symptom: "a program ends, its pane goes with it, and its last output is an error",
    ours: "a pane can be kept: last screen and exit code stay readable",
    async run({ agent }) {
      const command = ["/bin/sh", "-c", "echo last words; exit 3"];
      const { terminal_id: id } = await agent.call("phux_spawn", { command, retain_secs: 60 });
      expect(await agent.call("phux_resource_wait", { target: `@${id}`, timeout_secs: 10 })).toMatchObject({
        exit: { status: 3 },
      });
      expect((await screen(agent, `@${id}`))[0]).toBe("last words");
    },
  },
  // Consent.
  {
    of: "PocketShell-io/pocketshell#2535",
    symptom: "a slip of the finger ends a session with everything in it",
    ours: "only `confirm: true` ends something, after a person said so",
    async run({ agent, program }) {
      const pane = await program("echo up; exec cat", "up");
      for (const confirm of [undefined, false, "true", 1]) {
        const given = { target: pane, ...(confirm !== undefined && { confirm }) };
        const { isError, text } = await agent.answer("phux_kill", given);
        expect([isError, text.includes("confirm: true")]).toEqual([true, true]);
      }
      expect((await screen(agent, pane))[0]).toBe("up");
    },
  },
  {
    of: "nickgnd/tmux-mcp#13",
    symptom: "a session can be made and never ended",
    ours: "phux_kill ends a pane, a window or a session, with consent",
    async run({ agent, program }) {
      const pane = await program("echo up; exec cat", "up");
      expect(await agent.call("phux_kill", { target: pane, confirm: true })).toMatchObject({ killed: true });
      // A real server shows a killed pane for a moment.
      const gone = async () => (await agent.answer("phux_snapshot", { target: pane })).text.includes("no_such_target");
      await until("the pane is gone", gone);
    },
  },
  {
    of: "anthropics/claude-code#24597",
    symptom: "a host writes numbers and lists as strings, and no call gets through",
    ours: "JSON text in a string is taken for the value",
    async run({ agent, pane }) {
      const given = { target: pane, command: "echo taken", timeout_secs: "20" };
      expect(await agent.call("phux_run", given)).toMatchObject({ output: "taken" });
      expect(await agent.call("phux_send_keys", { target: pane, keys: '["C-c"]' })).toMatchObject({ sent: true });
    },
  },
];
