import { assertsIdle, type Manifest, type Rule, type SeenState } from "./manifest.ts";

/** What a screen said: by which rule, and in which row. */
export interface Seen {
  readonly state: SeenState;
  readonly rule: Rule;
  readonly row: string;
}

/** Replays a manifest's rules over the rows of a screen, top first. Null when none fits. */
export function look({ rules }: Manifest, rows: readonly string[]): Seen | null {
  const end = rows.findLastIndex((row) => row.trim() !== "") + 1;
  for (const rule of rules) {
    const looked = rows.slice(Math.max(0, end - rule.rows), end);
    const row = looked.find((text) => rule.pattern.test(text.trimEnd()));
    if (row !== undefined) return { state: rule.state, rule, row: row.trim() };
  }
  return null;
}

/** The state that a screen supports. An agent that never shows its rest is taken to rest when it shows nothing. */
export function stateOf(manifest: Manifest, seen: Seen | null): SeenState | null {
  return seen?.state ?? (assertsIdle(manifest) ? null : "idle");
}
