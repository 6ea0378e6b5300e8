/** The names that someone who wrote another one most likely meant. Pure. */

import { quote } from "./clean.ts";

/** Names are short; what is longer was not a slip of the finger, and comparing costs the product of the lengths. */
const COMPARED_CHARACTERS = 64;

/** The closest names first, at most `count`; none when nothing is alike. */
export function nearest(word: string, names: readonly string[], count = 3): string[] {
  const wanted = word.slice(0, COMPARED_CHARACTERS);
  return names
    .map((name) => ({ name, ...unlikeness(wanted, name) }))
    .filter(({ name, cost }) => cost <= Math.max(2, Math.max(wanted.length, name.length) / 2))
    .sort((a, b) => a.cost - b.cost || a.edits - b.edits)
    .slice(0, count)
    .map(({ name }) => name);
}

/**
 * Edits between two names, whatever their case and their separators; as `cost` also whatever the order of their words, or as
 * one a part of the other. Of names that cost the same, the one with fewer edits was meant: "repl_to" is no "to".
 */
function unlikeness(word: string, name: string): { readonly cost: number; readonly edits: number } {
  const a = wordsOf(word);
  const b = wordsOf(name);
  const plain = editDistance(a.join(""), b.join(""));
  const sorted = 1 + editDistance(a.toSorted().join(""), b.toSorted().join(""));
  const shorter = word.length < name.length ? a : b;
  const longer = shorter === a ? b : a;
  // "snapshot" for "phux_snapshot": every word of one is in the other.
  const part =
    shorter.length > 0 && shorter.every((w) => longer.includes(w)) ? longer.length - shorter.length : Infinity;
  return { cost: Math.min(plain, sorted, part), edits: plain };
}

function wordsOf(name: string): string[] {
  return name
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}

/** Insertions, deletions, replacements and swaps of neighbours that turn `a` into `b` (UTF-16 units). */
export function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let cost = Math.min(at(row, j) + 1, at(next, j - 1) + 1, at(row, j - 1) + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, at(before, j - 2) + 1);
      next.push(cost);
    }
    before = row;
    row = next;
  }
  return at(row, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Infinity;
}

/** The answer to a call of a tool that nobody offers. */
export function unknownTool(name: string, names: readonly string[]): string {
  const closest = nearest(name, names);
  const way = closest.length > 0 ? `the closest are ${closest.join(", ")}` : "tools/list names every tool";
  return `unknown tool ${quote(name)}; ${way}`;
}
