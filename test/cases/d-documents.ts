/** Documents of a `phux` that has much to tell, each with the list that its tool's contract names. */
import { callsOverTheCli, type ToolCall } from "./cd-every-tool.ts";
import { FAMILY } from "./d-crowd.ts";

const MIB = 1024 * 1024;

/** The list or text that grows, by tool; others have none, and get one that nobody knows. */
const growing: Readonly<Record<string, string>> = {
  phux_run: "output",
  phux_launch: "integrations",
  phux_project_inspect: "worktrees",
  phux_agent_list: "agents",
  phux_agent_show: "agents",
  phux_agent_explain: "agents",
  phux_agent_log: "records",
  phux_status: "sessions",
  phux_doctor: "checks",
  phux_perf: "metrics",
};

export interface BigDocument extends ToolCall {
  readonly member: string;
}

export const bigDocuments: readonly BigDocument[] = callsOverTheCli.map((call) => ({
  ...call,
  member: growing[call.tool] ?? "others",
}));

/** A number that JavaScript would round; written in place of this text. */
const BIG = "big";
export const DIGITS = "9007199254740993";

/** A document of about so many bytes. Its newest entry, or the end of its text, says END. */
export function documentOf({ member }: BigDocument, bytes: number): string {
  const entry = (at: number) => ({
    name: `entry ${at}`,
    text: `${FAMILY} 漢字 é "quoted" \\ \u0007`,
    n: BIG,
  });
  if (member === "output") {
    const output = `${FAMILY} line\n`.repeat(Math.floor(bytes / 32));
    return JSON.stringify({ command: "true", exit_code: 0, output: `${output}END`, duration_ms: 1, truncated: false });
  }
  const size = Buffer.byteLength(JSON.stringify(entry(10_000))) + DIGITS.length;
  const entries: unknown[] = Array.from({ length: Math.floor(bytes / size) }, (_, at) => entry(at));
  return JSON.stringify({ schema_version: 1, [member]: [...entries, { name: "END" }] }).replaceAll(`"${BIG}"`, DIGITS);
}

/** A document of exactly so many bytes, most of them blanks behind it. */
export function padded(document: string, bytes: number): string {
  return document + " ".repeat(bytes - Buffer.byteLength(document));
}

/** The most that is taken of a child, and a little less. */
export const CAP = MIB;
export const LARGE = Math.floor(0.9 * MIB);
