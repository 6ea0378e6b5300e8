import { budgetOf } from "../../src/tools/budget.ts";

/** What the runner tells of a played story (../shared/hosts/README.md). */
export interface Played {
  readonly version: string;
  readonly seconds: number;
  readonly played: boolean;
  readonly toolsOffered: readonly string[];
  readonly calls: readonly {
    readonly tool: string;
    readonly isError: boolean | null;
    readonly text: string | null;
    /** Without what the host put around it. */
    readonly body: string | null;
  }[];
  readonly left: readonly unknown[];
  readonly stderr: string;
}

/** The calls that the scripted model makes, in order. */
export const story = [
  { tool: "phux_ls", args: {} },
  {
    tool: "phux_run",
    args: { target: "main", command: "for i in $(seq 3000); do echo row $i of many; done; (exit 3)" },
  },
  { tool: "phux_snapshot", args: { target: "main", scrollback: 0 } },
  { tool: "phux_kill", args: { target: "main", confirm: false } },
  { tool: "phux_ls", args: {} },
];

/** The name that each host gives in `initialize`, which decides what it is sent. */
const clients: Readonly<Record<string, string>> = {
  claude: "claude-code",
  codex: "codex-mcp-client",
  gemini: "gemini-cli-mcp-client",
  opencode: "opencode",
  copilot: "copilot-cli",
  qwen: "qwen-cli-mcp-client",
};

/** What was wrong with a played story, in a sentence each. */
export function complaints(host: string, { played, toolsOffered, calls, left, stderr }: Played): string[] {
  const found: string[] = [];
  if (!played) found.push(`not every call got a result: ${stderr.slice(-300)}`);
  if (toolsOffered.length !== 59) found.push(`${toolsOffered.length} tools were offered, not 59`);
  if (left.length > 0) found.push(`${left.length} processes were left`);
  const budget = budgetOf(clients[host] ?? null, null);
  const documents = calls.map(({ tool, body, text }) => {
    const said = body ?? text ?? "";
    if (said.length > budget.characters)
      found.push(`${tool}: ${said.length} characters, more than ${budget.characters}`);
    try {
      const document: unknown = JSON.parse(said);
      return document;
    } catch {
      return said;
    }
  });
  const [listed, ran, screen, killed, after] = documents.map((document) => JSON.stringify(document));
  if (!listed?.includes('"main"')) found.push(`phux_ls does not show the session: ${listed?.slice(0, 200)}`);
  if (!ran?.includes('"exit_code":3')) found.push(`phux_run does not give the exit code: ${ran?.slice(0, 200)}`);
  if (!screen?.includes("row 3000 of many"))
    found.push(`phux_snapshot does not show the newest row: ${screen?.slice(-200)}`);
  if (!screen?.includes('"truncated":true')) found.push("phux_snapshot does not say that it was cut");
  if (!killed?.includes("confirm")) found.push(`phux_kill without consent is not refused: ${killed?.slice(0, 200)}`);
  if (after !== listed) found.push("the session is not what it was before the refused kill");
  return found;
}
