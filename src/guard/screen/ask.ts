/** What a key does to the sheet. Pure: the clock and the letters come from outside. */
import { type Challenge, challenge, isOpen, QUIET_MS, typeLetter } from "./challenge.ts";
import type { Key } from "./key.ts";
import type { Sheet, SheetAnswer } from "./port.ts";

export const answers = ["no", "once", "always"] as const;
export type Answer = (typeof answers)[number];

/** A sheet with the person before it. */
export interface Asking {
  readonly sheet: Sheet;
  /** Keys before then are dropped. Without end until the terminal has taken the first frame. */
  readonly deafUntil: number;
  readonly answer: Answer;
  /** Index into the reaches. */
  readonly reach: number;
  /** Null while the answer is no. */
  readonly challenge: Challenge | null;
  /** The first visible row of the body. */
  readonly top: number;
  /** How far the act has been on the screen, in UTF-16 units from its beginning; one more when the end of the body was. */
  readonly seen: number;
  /** The last key took the answer back to no. */
  readonly slipped: boolean;
}

/** How the sheet is laid out now, as far as keys care. */
export interface Layout {
  /** Rows of the body, and how many of them are visible at once. */
  readonly rows: number;
  readonly visible: number;
  /** Everything that has to be seen fits the screen, in turn. */
  readonly readable: boolean;
}

export interface Moment {
  readonly now: number;
  readonly letters: () => string;
}

const refusing: ReadonlySet<Key["kind"]> = new Set(["enter", "escape", "interrupt", "end-of-input"]);

export function asking(sheet: Sheet): Asking {
  const start = { top: 0, seen: 0, reach: 0, slipped: false };
  // A copy, so that two sheets are never the same even when they ask the same.
  return { sheet: { ...sheet }, deafUntil: Number.POSITIVE_INFINITY, answer: "no", challenge: null, ...start };
}

export const isWholeSeen = (state: Asking) => state.seen > state.sheet.request.act.length;

/** The answers that may be chosen now. */
export function offered(state: Asking, layout: Layout): readonly Answer[] {
  if (!layout.readable || !isWholeSeen(state) || state.sheet.reaches.length === 0) return ["no"];
  return state.sheet.request.everyTime === true ? ["no", "once"] : answers;
}

export function press(state: Asking, key: Key, layout: Layout, moment: Moment): Asking | SheetAnswer {
  const { now } = moment;
  if (key.kind === "focus" || key.kind === "blur") return startle(state, now);
  if (now < state.deafUntil) return state;
  if (refusing.has(key.kind)) return { answer: "no" };
  switch (key.kind) {
    case "left":
    case "back-tab":
      return choose(state, -1, layout, moment);
    case "right":
    case "tab":
      return choose(state, 1, layout, moment);
    case "up":
      return reachTo(state, state.reach - 1, moment);
    case "down":
      return reachTo(state, state.reach + 1, moment);
    case "page-up":
      return scroll(state, -1, layout);
    case "page-down":
      return scroll(state, 1, layout);
    case "redraw":
      return state;
    case "text":
      return type(state, key.text, now);
    default:
      return backToNo(state);
  }
}

/** Something changed before the person's eyes: what was chosen is no longer, and keys are dropped for a while. */
export function startle(state: Asking, now: number): Asking {
  const deafUntil = Math.max(state.deafUntil, now + QUIET_MS);
  return { ...state, answer: "no", challenge: null, slipped: false, deafUntil };
}

/** The terminal took a frame of this state: `seen` is how far the act was in it, `at` when it was drawn. */
export function taken(
  state: Asking,
  frame: { readonly of: Asking; readonly seen: number; readonly at: number },
  now: number,
): Asking {
  if (frame.of.sheet !== state.sheet) return state;
  const deafUntil = Number.isFinite(state.deafUntil) ? state.deafUntil : now + QUIET_MS;
  const asked = state.challenge;
  const showed = asked !== null && frame.of.challenge?.letters === asked.letters && isOpen(asked, frame.at);
  const seen = Math.max(state.seen, frame.seen);
  return { ...state, deafUntil, seen, challenge: showed ? { ...asked, shown: true } : asked };
}

function choose(state: Asking, step: number, layout: Layout, moment: Moment): Asking {
  const choices = offered(state, layout);
  const at = Math.min(Math.max(choices.indexOf(state.answer) + step, 0), choices.length - 1);
  return chosen(state, choices[at] ?? "no", state.reach, moment);
}

function reachTo(state: Asking, reach: number, moment: Moment): Asking {
  const within = Math.min(Math.max(reach, 0), Math.max(state.sheet.reaches.length - 1, 0));
  return chosen(state, state.answer, within, moment);
}

/** Another answer or reach wants letters of its own. */
function chosen(state: Asking, answer: Answer, reach: number, { now, letters }: Moment): Asking {
  if (answer === state.answer && reach === state.reach) return { ...state, slipped: false };
  const asked = answer === "no" ? null : challenge(letters(), now);
  return { ...state, answer, reach, challenge: asked, slipped: false };
}

/** Pages overlap by a row, and none is skipped: whoever reaches the end has had all of it before his eyes. */
function scroll(state: Asking, step: number, layout: Layout): Asking {
  const page = Math.max(layout.visible - 1, 1);
  const top = Math.min(Math.max(state.top + step * page, 0), Math.max(layout.rows - layout.visible, 0));
  const asked = state.challenge;
  return { ...state, top, slipped: false, challenge: asked === null ? null : { ...asked, typed: 0 } };
}

function type(state: Asking, text: string, now: number): Asking | SheetAnswer {
  if (state.challenge === null || state.answer === "no") return state;
  const next = typeLetter(state.challenge, text, now);
  if (next === null) return backToNo(state);
  if (next !== "met") return { ...state, challenge: next };
  const scope = state.sheet.reaches[state.reach]?.scope;
  return scope === undefined ? { answer: "no" } : { answer: state.answer, scope };
}

function backToNo(state: Asking): Asking {
  if (state.answer === "no") return state;
  return { ...state, answer: "no", challenge: null, slipped: true };
}
