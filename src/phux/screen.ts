import { limits } from "../wire/limits.ts";
import { fail, ok, type Result } from "../wire/result.ts";

/** Row numbers, from 0, of the rows whose text goes on in the next row. Those that name no row are ignored. */
export interface SoftWrap {
  readonly lines: readonly number[];
  /** The last history row may go on in the first row of the viewport. */
  readonly scrollback: readonly number[];
}

/**
 * A pane's screen as GET_SCREEN gives it (spec/client.md 6.1): members in the order they came in, those we do not know
 * among them. Rows are top first, history oldest first. `lines` and `scrollback` are absent only where a rendering, or
 * the reason why there is none, stands in their place. Without `soft_wrap` the server does not say which rows wrap.
 */
export interface ScreenState {
  readonly [member: string]: unknown;
  readonly schema_version: number;
  readonly pane: number;
  readonly cols: number;
  readonly rows: number;
  readonly lines?: readonly string[];
  readonly scrollback?: readonly string[];
  readonly soft_wrap?: SoftWrap;
  readonly title?: string;
  readonly rendered?: object;
  readonly rendered_error?: string;
}

/** How a screen is cut before it is shown. `tail` counts rows of history and viewport together, 0 for all there are. */
export interface Projection {
  readonly unwrap?: boolean;
  readonly tail?: number;
}

/**
 * Reads the JSON of a GET_SCREEN reply. An optional member that is null counts as absent, and a screen with rows has
 * a history afterwards, empty or not.
 */
export function parseScreen(text: string): Result<ScreenState, { readonly message: string }> {
  const found = parseObject(text);
  if (found === null) return fail({ message: "it is no JSON object" });
  for (const name of Object.keys(optional)) if (found.get(name) === null) found.delete(name);
  const rendered = found.has("rendered") || found.has("rendered_error");
  const needed: Readonly<Record<string, Check>> = rendered ? required : { ...required, lines: isRows };
  for (const [name, isRight] of Object.entries({ ...needed, ...optional })) {
    if (!found.has(name) && name in needed) return fail({ message: `${name} is missing` });
    if (found.has(name) && !isRight(found.get(name))) return fail({ message: `${name} is of another type` });
  }
  const members = [...found].flatMap(([name, value]): [string, unknown][] => {
    if (name === "soft_wrap") return [[name, Object.assign({ lines: [], scrollback: [] }, value)]];
    const bare = name === "lines" && !found.has("scrollback");
    return bare
      ? [
          [name, value],
          ["scrollback", []],
        ]
      : [[name, value]];
  });
  // Parse boundary: every member that the type names was checked above.
  return ok(Object.fromEntries(members) as unknown as ScreenState);
}

/** Joins wrapped rows if asked to, then cuts history if asked to (6.4). A rendering stands alone, without rows. */
export function projectScreen(screen: ScreenState, { unwrap = false, tail }: Projection): ScreenState {
  if (screen.rendered !== undefined) {
    const { lines, scrollback, soft_wrap, ...rendering } = screen;
    return rendering;
  }
  const whole = unwrap ? unwrapScreen(screen) : screen;
  return tail === undefined ? whole : tailScreen(whole, tail);
}

/**
 * The screen with every wrapped row joined to the next. A joined line belongs to the part in which it ends, and nothing
 * wraps afterwards; the cursor keeps its place in the grid. Unchanged when the server does not say what wraps.
 */
export function unwrapScreen(screen: ScreenState): ScreenState {
  const { soft_wrap, lines, scrollback } = screen;
  if (soft_wrap === undefined || lines === undefined) return screen;
  return { ...screen, ...logicalLines(lines, scrollback ?? [], soft_wrap), soft_wrap: { lines: [], scrollback: [] } };
}

/**
 * The screen with only so much history that its rows are `want`, at most 10,000; 0 means 10,000. The viewport is never
 * cut. A cut is marked in `truncated`; a mark that the server set stays.
 */
export function tailScreen(screen: ScreenState, want: number): ScreenState {
  const { lines, scrollback, soft_wrap } = screen;
  if (lines === undefined || scrollback === undefined) return screen;
  const most = want === 0 ? limits.row_window : Math.min(want, limits.row_window);
  const dropped = scrollback.length - Math.max(most - lines.length, 0);
  if (dropped <= 0) return screen;
  const wraps = soft_wrap?.scrollback.map((row) => row - dropped).filter((row) => row >= 0) ?? [];
  return markedCut({
    ...screen,
    scrollback: scrollback.slice(dropped),
    ...(soft_wrap !== undefined && { soft_wrap: { ...soft_wrap, scrollback: wraps } }),
  });
}

/** The rows that a wait compares and searches: logical lines where the server says what wraps, else rows (6.5). */
export function rowsForMatching({ lines = [], scrollback = [], soft_wrap }: ScreenState): readonly string[] {
  if (soft_wrap === undefined) return scrollback.concat(lines);
  const whole = logicalLines(lines, scrollback, soft_wrap);
  return whole.scrollback.concat(whole.lines);
}

/** Joins each row that wraps to the next one; a last row that wraps ends there. */
export function logicalLines(lines: readonly string[], scrollback: readonly string[], wraps: SoftWrap) {
  const rows = scrollback.concat(lines);
  const goesOn = new Set([
    ...wraps.scrollback.filter((row) => row < scrollback.length),
    ...wraps.lines.filter((row) => row >= 0).map((row) => row + scrollback.length),
  ]);
  const whole: { readonly lines: string[]; readonly scrollback: string[] } = { lines: [], scrollback: [] };
  let line = "";
  for (const [at, row] of rows.entries()) {
    line += row;
    if (goesOn.has(at) && at < rows.length - 1) continue;
    (at < scrollback.length ? whole.scrollback : whole.lines).push(line);
    line = "";
  }
  return whole;
}

/** Says that rows were left out, in the place where the server would say it. */
function markedCut(screen: ScreenState): ScreenState {
  const { truncated, truncated_reason, title, ...before } = screen;
  const after = title === undefined ? {} : { title };
  return { ...before, truncated: true, truncated_reason: "row_window", ...after };
}

type Check = (value: unknown) => boolean;

const isNumber: Check = (value) => typeof value === "number";
const isText: Check = (value) => typeof value === "string";
const isRows: Check = (value) => Array.isArray(value) && value.every(isText);
const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isSoftWrap: Check = (value) =>
  isObject(value) && ["lines", "scrollback"].every((name) => isRowNumbers(Reflect.get(value, name)));
const isRowNumbers: Check = (value) => value === undefined || (Array.isArray(value) && value.every(isNumber));

const required: Readonly<Record<string, Check>> = {
  schema_version: isNumber,
  pane: isNumber,
  cols: isNumber,
  rows: isNumber,
};

const optional: Readonly<Record<string, Check>> = {
  lines: isRows,
  scrollback: isRows,
  cells: Array.isArray,
  soft_wrap: isSoftWrap,
  truncated: (value) => typeof value === "boolean",
  truncated_reason: isText,
  title: isText,
  rendered: isObject,
  rendered_error: isText,
};

function parseObject(text: string): Map<string, unknown> | null {
  try {
    const parsed: unknown = JSON.parse(text);
    return isObject(parsed) ? new Map(Object.entries(parsed)) : null;
  } catch {
    return null;
  }
}
