/** Writes JSON values the way a text is laid out. Pure. */

import { indentAt } from "./edit.ts";
import type { EntryValue, Variables } from "./entry.ts";
import type { JsonObject } from "./json-tree.ts";

export interface Layout {
  readonly lineEnd: string;
  /** One step of indentation. */
  readonly step: string;
}

/** Where a value is written. */
export interface Spot extends Layout {
  /** Indentation of the line that the value begins on. */
  readonly indent: string;
  readonly oneLine: boolean;
}

export type Member = readonly [key: string, write: (spot: Spot) => string];

/** The step is what the root's first member stands in by, two spaces when it does not say. */
export function layoutOf(text: string, root: JsonObject | null, lineEnd: string): Layout {
  const first = root?.members[0];
  const step = first === undefined ? "" : indentAt(text, first.start);
  return { lineEnd, step: step === "" ? "  " : step };
}

export function writeMember([key, write]: Member, spot: Spot): string {
  return `${JSON.stringify(key)}: ${write(spot)}`;
}

export function writeObject(members: readonly Member[], spot: Spot): string {
  if (members.length === 0) return "{}";
  if (spot.oneLine) return `{${members.map((member) => writeMember(member, spot)).join(", ")}}`;
  const inner = { ...spot, indent: spot.indent + spot.step };
  const lines = members.map((member) => inner.indent + writeMember(member, inner));
  return `{${spot.lineEnd}${lines.join(`,${spot.lineEnd}`)}${spot.lineEnd}${spot.indent}}`;
}

/** Lists stay on one line: they are arguments of a command. */
export function writeValue(value: EntryValue | Variables, spot: Spot): string {
  if (typeof value === "string" || typeof value === "boolean") return JSON.stringify(value);
  if (isList(value)) return `[${value.map((item) => JSON.stringify(item)).join(", ")}]`;
  return writeObject(
    Object.entries(value).map(([key, text]): Member => [key, () => JSON.stringify(text)]),
    spot,
  );
}

function isList(value: object): value is readonly string[] {
  return Array.isArray(value);
}
