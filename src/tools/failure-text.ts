import { type Refusal, refusalText } from "../phux/errors.ts";
import { cleanText } from "../text/clean.ts";
import type { Budget } from "./budget.ts";
import { shortenText } from "./shorten.ts";
import { excessOf, shownLength } from "./shown.ts";

const ELLIPSIS = "…";

/** The text of a refusal, its message without its end where it would be longer than a host shows. */
export function failureText(refusal: Refusal, budget: Budget): string {
  // Prose holds controls as they are; in the document JSON has escaped them.
  const text = refusal.code === null ? cleanText(refusal.message) : refusalText(refusal);
  if (excessOf(text, budget) === null) return text;
  const frame = refusalText({ ...refusal, message: "" });
  return refusalText({ ...refusal, message: head(refusal.message, budget.characters - shownLength(frame)) });
}

/**
 * What a child said of its failure. Its last line may be an error document and comes last, so a text that is longer than
 * a host shows loses whole lines from its beginning; a single line that is too long loses its own.
 */
export function childFailureText(said: string, budget: Budget): string {
  const text = cleanText(said);
  const excess = excessOf(text, budget);
  if (excess === null) return text;
  const lines = text.split("\n");
  let dropped = 0;
  for (
    let { characters, lines: over } = excess;
    dropped < lines.length - 1 && (characters > 0 || over > 0);
    over -= 1
  ) {
    characters -= shownLength(lines[dropped] ?? "") + 1;
    dropped += 1;
  }
  const rest = lines.slice(dropped).join("\n");
  const still = excessOf(rest, budget);
  return still === null ? rest : ELLIPSIS + shortenText(rest, still.characters + ELLIPSIS.length);
}

/** The beginning of a text whose JSON form takes at most `most` characters. */
function head(text: string, most: number): string {
  let end = Math.min(text.length, Math.max(0, most));
  const kept = () => text.slice(0, end).replace(/[\ud800-\udbff]$/, "") + ELLIPSIS;
  while (end > 0 && shownLength(JSON.stringify(kept())) - 2 > most) end = Math.floor(end * 0.9);
  return kept();
}
