/**
 * What a host shows of one result before it cuts: UTF-16 units, UTF-8 bytes and lines, `Infinity` for what it does not
 * count. The characters and lines are those of shared/hosts.
 */
export interface Budget {
  readonly characters: number;
  readonly bytes: number;
  readonly lines: number;
}

const UNCOUNTED = Number.POSITIVE_INFINITY;
const ofCharacters = (characters: number): Budget => ({ characters, bytes: UNCOUNTED, lines: UNCOUNTED });
const UNKNOWN_HOST = ofCharacters(40_000);

/**
 * Measured per host, by the beginning of the name it gives in `initialize`: some append the server's name. Three of them
 * count bytes: Codex shows 12,000 with a few of its own, Copilot 20,480 and opencode 51,200, so that a screen of 5,000
 * CJK characters is more than Codex shows. Two count lines: opencode shows 2,000, Qwen Code 1,000.
 */
const hosts: readonly (readonly [clientName: string, budget: Budget])[] = [
  ["claude-code", ofCharacters(48_000)],
  ["codex-mcp-client", { ...ofCharacters(10_000), bytes: 11_500 }],
  ["gemini-cli-mcp-client", ofCharacters(38_000)],
  ["opencode", { characters: 45_000, bytes: 50_000, lines: 1_900 }],
  ["copilot-cli", { ...ofCharacters(18_000), bytes: 20_000 }],
  ["qwen-cli-mcp-client", { ...ofCharacters(24_000), lines: 950 }],
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
  if (override !== null) return ofCharacters(override);
  const known = hosts.find(([name]) => clientName?.startsWith(name));
  return known === undefined ? UNKNOWN_HOST : known[1];
}
