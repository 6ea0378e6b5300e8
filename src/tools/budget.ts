/** What a host shows of one result before it cuts (shared/hosts): characters, and lines where it counts those. */
export interface Budget {
  readonly characters: number;
  readonly lines: number;
}

const NO_LINE_LIMIT = Number.POSITIVE_INFINITY;
const UNKNOWN_HOST: Budget = { characters: 40_000, lines: NO_LINE_LIMIT };

/** Measured per host, by the beginning of the name it gives in `initialize`: some append the server's name. */
const hosts: readonly (readonly [clientName: string, budget: Budget])[] = [
  ["claude-code", { characters: 48_000, lines: NO_LINE_LIMIT }],
  ["codex-mcp-client", { characters: 10_000, lines: NO_LINE_LIMIT }],
  ["gemini-cli-mcp-client", { characters: 38_000, lines: NO_LINE_LIMIT }],
  ["opencode", { characters: 45_000, lines: 1_900 }],
  ["copilot-cli", { characters: 18_000, lines: NO_LINE_LIMIT }],
  ["qwen-cli-mcp-client", { characters: 24_000, lines: NO_LINE_LIMIT }],
];

/** The largest budget that a person may set (design.md section 4). */
const MOST_CHARACTERS = 8_000_000;
/** Below this no document could say that it was cut. */
const FEWEST_CHARACTERS = 1_000;

/** The person's own bound in `PHUX_MCP_MAX_RESULT_CHARS`, or null when it is unset or no usable number. */
export function budgetOverride(setting: string | undefined): number | null {
  if (setting === undefined || !/^[0-9]{1,12}$/.test(setting)) return null;
  return Math.min(MOST_CHARACTERS, Math.max(FEWEST_CHARACTERS, Number(setting)));
}

/** The budget of the host that asks. */
export function budgetOf(clientName: string | null, override: number | null): Budget {
  if (override !== null) return { characters: override, lines: NO_LINE_LIMIT };
  const known = hosts.find(([name]) => clientName?.startsWith(name));
  return known === undefined ? UNKNOWN_HOST : known[1];
}
