import { type Extent, entryExtent, isWithin, minus, plus, scaled } from "./shown.ts";

/** How a list is shortened. */
export interface ListRules {
  /** How many levels deep the list stands in its document, which is indented by two. */
  readonly depth: number;
  /** An entry that takes no more than `most`, as far as it can be made smaller. */
  readonly squeeze: (entry: unknown, most: Extent) => unknown;
  /** What goes with an entry elsewhere in the document. */
  readonly beside?: (at: number) => Extent;
  /** Whether nothing at all may be left; else the newest entry stays, whatever it takes. */
  readonly mayGo?: boolean;
  /** Whether few large entries are worth several tries. Never inside of another list: tries would multiply. */
  readonly tries?: boolean;
}

/** Above this share of the whole a single entry is squeezed, so that it does not drive out all the others. */
const ENTRY_SHARE = 1 / 4;
/** Larger shares, tried where entries had to be squeezed: fewer of them may still be all there are. */
const LARGER_SHARES = [1, 15 / 16, 3 / 4, 1 / 2];

interface Filled {
  readonly entries: readonly unknown[];
  readonly used: Extent;
  readonly wereSqueezed: boolean;
}

/** The newest entries of a list, the last ones, that fit into `most` together. The list itself when it fits as it is. */
export function newestWithin(list: readonly unknown[], most: Extent, rules: ListRules): readonly unknown[] {
  const careful = fill(list, most, ENTRY_SHARE, rules);
  if (!careful.wereSqueezed) return careful.entries.length === list.length ? list : careful.entries;
  if (rules.tries !== true) return careful.entries;
  for (const share of LARGER_SHARES) {
    const more = fill(list, most, share, rules);
    if (more.entries.length >= careful.entries.length && isWithin(more.used, most)) return more.entries;
  }
  return careful.entries;
}

/** From the newest entry back, until the next one is too much: what is left out costs nothing. */
function fill(list: readonly unknown[], most: Extent, share: number, rules: ListRules): Filled {
  const indent = 2 * (rules.depth + 1);
  const limit = minus(scaled(most, share), { characters: indent + 2, bytes: indent + 2, lines: 0 });
  const entries: unknown[] = [];
  let used: Extent = { characters: 0, bytes: 0, lines: 0 };
  let wereSqueezed = false;
  for (let at = list.length - 1; at >= 0; at -= 1) {
    const entry = rules.squeeze(list[at], limit);
    const own = entryExtent(entry, indent);
    const more = plus(used, rules.beside === undefined ? own : plus(own, rules.beside(at)));
    if (!isWithin(more, most) && (entries.length > 0 || rules.mayGo === true)) break;
    used = more;
    wereSqueezed ||= entry !== list[at];
    entries.push(entry);
  }
  return { entries: entries.reverse(), used, wereSqueezed };
}
