import { type Refusal, refusalText } from "../phux/errors.ts";
import { cleanText } from "../text/clean.ts";
import type { Budget } from "./budget.ts";
import { parseExactly } from "./exact-json.ts";
import { beginningWithin, endWithin } from "./shorten.ts";
import { type Extent, extentOf, fits, isWithin, minus } from "./shown.ts";
import { isMembers, type Members } from "./squeeze.ts";
import { squeezeDocument } from "./squeeze-document.ts";

const ELLIPSIS = "…";

/** The text of a refusal, its message without its end where it would be longer than a host shows. */
export function failureText(refusal: Refusal, budget: Budget): string {
  // Cleaning takes many times the text, so what is much too long is not cleaned first. A CRLF shrinks by half.
  if (refusal.message.length <= 2 * budget.characters) {
    // Prose holds controls as they are; in the document JSON has escaped them.
    const text = refusal.code === null ? cleanText(refusal.message) : refusalText(refusal);
    if (fits(text, budget)) return text;
  }
  const frame = refusalText({ ...refusal, message: ELLIPSIS });
  const message = shortMessage(refusal.message, frame, budget);
  return refusalText({ ...refusal, message: refusal.code === null ? firstLines(message, budget.lines) : message });
}

/** As many lines of prose as are shown. */
function firstLines(message: string, most: number): string {
  const lines = message.split(/\r\n|\r|\n/, Number.isFinite(most) ? most + 1 : undefined);
  return lines.length <= most ? message : `${lines.slice(0, most).join("\n")}${ELLIPSIS}`;
}

/**
 * What a child said of its failure. Its last line may be an error document and comes last, so a text that is longer than
 * a host shows loses whole lines from its beginning. A single line that is too long loses its own, or, as an error
 * document, the end of its message.
 */
export function childFailureText(said: string, budget: Budget): string {
  const text = cleanText(said);
  if (fits(text, budget)) return text;
  const lines = text.split("\n");
  let first = lines.length;
  for (let left: Extent = budget; first > 0; first -= 1) {
    const { characters, bytes } = extentOf(lines[first - 1] ?? "");
    left = minus(left, { characters: characters + 1, bytes: bytes + 1, lines: 1 });
    if (!isWithin(NOTHING, left)) break;
  }
  if (first < lines.length) return lines.slice(first).join("\n");
  const last = lines.at(-1) ?? "";
  return shortDocument(last, budget) ?? ELLIPSIS + endWithin(last, minus(budget, extentOf(ELLIPSIS)));
}

const NOTHING: Extent = { characters: 0, bytes: 0, lines: 0 };

/** A line that is an error document, with as much of its message as fits; null when it is none. */
function shortDocument(line: string, budget: Budget): string | null {
  const document = parseExactly(line);
  if (!isMembers(document) || !isMembers(document["error"])) return null;
  const { message } = document["error"];
  const saying = (said: string): Members => ({ ...document, error: { ...Object(document["error"]), message: said } });
  if (typeof message !== "string") return JSON.stringify(squeezeDocument(document, budget));
  const frame = JSON.stringify(saying(ELLIPSIS));
  const short = JSON.stringify(saying(shortMessage(message, frame, budget)));
  return fits(short, budget) ? short : JSON.stringify(squeezeDocument(saying(ELLIPSIS), budget));
}

/** The beginning of a message that stands in `frame` with an ellipsis. */
function shortMessage(message: string, frame: string, budget: Budget): string {
  return beginningWithin(message, minus(budget, extentOf(frame))) + ELLIPSIS;
}
