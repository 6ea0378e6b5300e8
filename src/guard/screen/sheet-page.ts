/** The sheet as rows of a screen. Pure. */
import { type Asking, isWholeSeen, type Layout, offered } from "./ask.ts";
import { isOpen } from "./challenge.ts";
import { band, type Piece, paragraph, type Row, rule, type Shown, words } from "./row.ts";
import { isShowable, sheetBody } from "./sheet-body.ts";

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** A page, and how far the act has been seen once a person has it before him. */
export interface SheetPage {
  readonly rows: readonly Row[];
  readonly layout: Layout;
  readonly seen: number;
}

const LEAST: Size = { columns: 40, rows: 9 };
/** Rows of the body below which nobody can read. */
const LEAST_BODY = 3;
/** The band, the rule, the answers, the prompt and the help. */
const FIXED = 5;

export function sheetPage(state: Asking, body: readonly Shown[], size: Size, now: number): SheetPage {
  const { columns, rows } = size;
  const wide = reachRows(state, columns, "all");
  const reaches = FIXED + wide.length + LEAST_BODY <= rows ? wide : reachRows(state, columns, "chosen");
  const visible = rows - FIXED - reaches.length;
  if (columns < LEAST.columns || visible < LEAST_BODY) return tooSmall(size);

  const layout = { rows: body.length, visible, readable: isShowable(state.sheet.request) };
  const top = Math.min(state.top, Math.max(body.length - visible, 0));
  const shown = body.slice(top, top + visible);
  return {
    layout,
    seen: seenWith(state, body, top, visible),
    rows: [
      band(` GUARD  an agent asks: ${state.sheet.request.capability}`, columns, "title"),
      ...shown.map(({ row }) => row),
      ...Array.from({ length: visible - shown.length }, (): Row => []),
      rule(place(top, visible, body.length), columns),
      ...reaches,
      answerRow(state, layout, columns),
      prompt(state, layout, columns, now),
      words(" Enter, Esc, Ctrl-C: no   Space: on", columns, "faint"),
    ],
  };
}

/** Body rows for these columns, to be kept while they do not change. */
export const sheetBodyFor = (state: Asking, { columns }: Size) =>
  sheetBody(state.sheet.request, Math.max(columns, LEAST.columns));

/** Rows that were jumped over do not count as seen. */
function seenWith(state: Asking, body: readonly Shown[], top: number, visible: number): number {
  const before = top === 0 ? 0 : (body[top - 1]?.end ?? 0);
  return before > state.seen ? state.seen : (body[Math.min(top + visible, body.length) - 1]?.end ?? 0);
}

function place(top: number, visible: number, rows: number): string {
  if (rows <= visible) return "all of it is shown";
  const below = rows - top - visible;
  const last = Math.min(top + visible, rows);
  return `${top + 1}-${last} of ${rows}, ${below > 0 ? `${below} more below` : "the end"}`;
}

function reachRows({ sheet, reach }: Asking, columns: number, which: "all" | "chosen"): Row[] {
  const { reaches } = sheet;
  return reaches.flatMap(({ covers }, at) => {
    if (which === "chosen" && at !== reach) return [];
    const lead = which === "chosen" || at === 0 ? " reach " : "       ";
    const sign = which === "chosen" ? `${at + 1}/${reaches.length} ` : at === reach ? "> " : "  ";
    const [first = [], ...more] = paragraph(covers, columns - lead.length - sign.length, "plain", "");
    const tone = at === reach ? "strong" : "faint";
    const indent = " ".repeat(lead.length + sign.length);
    return [first, ...more].map(
      (row, line): Row => [
        { text: line === 0 ? lead : indent.slice(0, lead.length), tone: "faint" },
        { text: (line === 0 ? sign : indent.slice(lead.length)) + row.map(({ text }) => text).join(""), tone },
      ],
    );
  });
}

function answerRow(state: Asking, layout: Layout, columns: number): Row {
  const choices = offered(state, layout);
  const pieces: Piece[] = [{ text: " answer", tone: "faint" }];
  for (const choice of choices) {
    const chosen = choice === state.answer;
    pieces.push({ text: " ", tone: "plain" });
    pieces.push({ text: chosen ? `[${choice}]` : ` ${choice} `, tone: chosen ? "chosen" : "plain" });
  }
  return columns < LEAST.columns ? [] : pieces;
}

function prompt(state: Asking, layout: Layout, columns: number, now: number): Row {
  if (now < state.deafUntil) return words(" keys count in a moment", columns, "faint");
  if (!layout.readable) return words(" too long to read: it can only be refused", columns, "warning");
  if (!isWholeSeen(state)) return words(" before an answer, read on: Space", columns, "strong");
  const { challenge, answer } = state;
  if (challenge !== null && isOpen(challenge, now)) {
    const { letters, typed } = challenge;
    const done = [...letters].slice(0, typed).join(" ");
    const left = [...letters].slice(typed).join(" ");
    return [
      { text: ` to allow ${answer}, type `, tone: "plain" },
      { text: done === "" ? "" : `${done} `, tone: "faint" },
      { text: left, tone: "strong" },
    ];
  }
  if (challenge !== null) return words(` to allow ${answer} ...`, columns, "plain");
  const keys = state.sheet.reaches.length > 1 ? "left/right: answer  up/down: reach" : "left/right: answer";
  if (state.slipped) return words(" another key, so no.  left/right: answer", columns, "warning");
  return words(` ${keys}`, columns);
}

/** Nothing can be granted on a screen that cannot show it. */
function tooSmall({ columns, rows }: Size): SheetPage {
  const says = [
    ...paragraph("GUARD: an agent asks.", columns, "title", ""),
    ...paragraph(`Enlarge to ${LEAST.columns}x${LEAST.rows} or more.`, columns, "plain", ""),
    ...paragraph("Esc: no", columns, "plain", ""),
  ];
  const layout = { rows: 0, visible: 0, readable: false };
  return { rows: says.slice(0, Math.max(rows, 0)), layout, seen: 0 };
}
