/** Where a character ends that a reader sees as one: with its marks and joiners, a flag whole, never half a pair. Pure. */

/** As much of a text as is looked at on each side of a place; a longer character is cut at its marks. */
const WINDOW = 256;
/** Flags are pairs, which have to be counted from the beginning of their run; a longer run is nobody's text. */
const LONGEST_RUN = 4_096;

/** Marks and joiners that belong to the character before them, for one that is longer than the window. */
const continues = /^(?:\p{M}|\u200d|\ufe0e|\ufe0f)/u;
const isFlagPart = /^[\u{1f1e6}-\u{1f1ff}]/u;

let segmenter: Intl.Segmenter | null = null;

/** The first place from `at` on where no character is halved. */
export function characterStart(text: string, at: number): number {
  if (at <= 0) return 0;
  if (at >= text.length || isPlain(text, at)) return Math.min(at, text.length);
  const from = windowStart(text, at);
  const to = wholePair(text, Math.min(text.length, at + WINDOW));
  for (const start of startsWithin(text, from, to)) if (start >= at) return start;
  let end = to;
  while (end < text.length && continues.test(text.slice(end, end + 2))) end = wholePair(text, end + 1);
  return end;
}

/** The last place up to `at` where no character is halved. */
export function characterEnd(text: string, at: number): number {
  if (at >= text.length) return text.length;
  if (at <= 0 || isPlain(text, at)) return Math.max(at, 0);
  const from = windowStart(text, at);
  let end = from;
  for (const start of startsWithin(text, from, wholePair(text, Math.min(text.length, at + WINDOW)))) {
    if (start <= at) end = start;
  }
  return end;
}

/** The beginning of a text: at most `most` UTF-16 units, and no character halved. */
export function beginningOf(text: string, most: number): string {
  return text.slice(0, characterEnd(text, most));
}

/** Between two letters of ASCII, as nearly always. */
function isPlain(text: string, at: number): boolean {
  const [before, after] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
  return before < 0x7f && after < 0x7f && before !== 0x0d;
}

/** The places from `from` to `to` where a character begins. */
function startsWithin(text: string, from: number, to: number): number[] {
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  const starts = [...segmenter.segment(text.slice(from, to))].map(({ index }) => from + index);
  // The end of the window says nothing about what goes on behind it; the end of the text does.
  return to === text.length ? [...starts, to] : starts;
}

function windowStart(text: string, at: number): number {
  let from = wholePair(text, Math.max(0, at - WINDOW));
  for (let run = 0; from > 1 && run < LONGEST_RUN && isFlagPart.test(text.slice(from, from + 2)); run += 2) from -= 2;
  return from;
}

/** A place that does not part the two halves of a surrogate pair. */
export function wholePair(text: string, at: number): number {
  const parts = /[\ud800-\udbff]/.test(text.charAt(at - 1)) && /[\udc00-\udfff]/.test(text.charAt(at));
  return parts ? at + 1 : at;
}
