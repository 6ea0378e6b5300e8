import { quote } from "../text/clean.ts";
import { nearest, unknownTool } from "../text/nearest.ts";
import { fail, ok, type Result } from "../wire/result.ts";

/** What `--tools` and PHUX_MCP_TOOLS name beside single tools. A declaration says in which of them it is. */
export const setNames = ["core", "panes", "agents", "mail", "resources"] as const;
export type SetName = (typeof setNames)[number];

/** A tool as it is chosen. */
export interface Offer {
  readonly name: string;
  readonly sets: readonly SetName[];
  readonly readOnly: boolean;
}

/** What a person asked for. */
export interface Wish {
  /** Only tools with the read-only hint. */
  readonly readOnly: boolean;
  /** Names of tools and sets with commas between them; null for all tools. */
  readonly tools: string | null;
}

/** The tools that this process offers. */
export interface Selection {
  readonly names: ReadonlySet<string>;
  /** The answer to a call of a tool that is not offered: unknown, or known and switched off. */
  refusal(name: string): string;
}

const words = [...setNames, "all"];

/** The tools of a wish, or what is wrong with it. Spaces around a name and empty places are nothing. */
export function select(wish: Wish, offers: readonly Offer[]): Result<Selection, string> {
  const wanted = wish.tools === null ? ok(offers) : named(wish.tools, offers);
  if (!wanted.ok) return wanted;
  const left = wanted.value.filter((offer) => offer.readOnly || !wish.readOnly);
  if (left.length === 0) return fail("no tool is left: none of those that were named is read-only");
  const names = new Set(left.map((offer) => offer.name));
  return ok({
    names,
    refusal(name) {
      const offer = offers.find((one) => one.name === name);
      return offer === undefined ? unknownTool(name, [...names]) : switchedOff(offer, wish);
    },
  });
}

function named(list: string, offers: readonly Offer[]): Result<readonly Offer[], string> {
  const given = list.split(",").flatMap((word) => word.trim() || []);
  if (given.length === 0) return fail(`no tool is named: give names of tools, or sets: ${words.join(", ")}`);
  const belongs = ({ name, sets }: Offer, word: string) => ["all", name, ...sets].includes(word);
  const stray = given.find((word) => !offers.some((offer) => belongs(offer, word)));
  if (stray === undefined) return ok(offers.filter((offer) => given.some((word) => belongs(offer, word))));
  const closest = nearest(stray, [...words, ...offers.map((offer) => offer.name)]);
  const way = closest.length > 0 ? `the closest are ${closest.join(", ")}` : `the sets are ${words.join(", ")}`;
  return fail(`${quote(stray)} is neither a tool nor a set; ${way}`);
}

function switchedOff({ name, readOnly, sets }: Offer, wish: Wish): string {
  const ways: string[] = [];
  if (wish.readOnly && !readOnly) ways.push("without --read-only (PHUX_MCP_READ_ONLY)");
  if (wish.tools !== null) ways.push(`with ${[name, ...sets].join(" or ")} in --tools (PHUX_MCP_TOOLS)`);
  const how = `a person switches it on by starting phux-mcp ${ways.join(" and ")}`;
  return `unknown tool ${quote(name)}: it is switched off here; ${how}`;
}
