/** The part of the sheet that scrolls: who wants what of which terminal, the exact text, what is at stake. Pure. */
import type { Capability } from "../capability.ts";
import type { Asker, Request, Spot } from "../request.ts";
import { countOf, glyphsOf } from "./glyph.ts";
import { behindBar, paragraph, type Row, rule, type Shown, words } from "./row.ts";

/** Rows that a name may take. It is there to be recognised; what is longer only pushes the rest away. */
const NAME_ROWS = 3;
/** As much of a name as is looked at. */
const NAME_CHARACTERS = 2_000;
/** A longer act nobody reads to its end: it can only be refused. */
export const ACT_CHARACTERS = 50_000;

const wants: Readonly<Record<Capability, string>> = {
  read: "to read what a terminal shows and has shown",
  run: "to type into a terminal",
  configure: "to change how a program starts",
  worktree: "to change git worktrees",
};

const exact: Readonly<Record<Capability, string>> = {
  read: "what would be read",
  run: "the exact text that would be typed",
  configure: "the exact change",
  worktree: "the exact change",
};

/** Rows, each with how far the act is shown when it is visible too; the last one counts one unit more. */
export function sheetBody(request: Request, columns: number): Shown[] {
  const { asker, capability, target, act, stake } = request;
  const before: Row[] = [
    ...name(" client  ", asker.client, columns),
    ...paragraph(askerSays(asker), columns, "plain", "         "),
    ...paragraph(`wants ${wants[capability]}`, columns, "strong"),
    ...paragraph(target === null ? "of no terminal" : `of terminal ${spotSays(target)}`, columns, "plain"),
  ];
  if (target !== null) {
    before.push(...name(" title   ", target.title, columns));
    before.push(...name(" folder  ", target.folder, columns));
    before.push(...name(" process ", target.process, columns));
  }
  const after: Row[] = [
    rule("end of it", columns),
    ...paragraph("at stake:", columns, "strong"),
    ...paragraph(stake, columns, "warning", "! "),
  ];
  return [
    ...[...before, ...actHead(capability, act, columns)].map((row) => ({ row, end: 0 })),
    ...actRows(act, columns),
    ...after.map((row, at) => ({ row, end: act.length + (at === after.length - 1 ? 1 : 0) })),
  ];
}

export const isShowable = (request: Request) => request.act.length <= ACT_CHARACTERS;

/** Cut texts are laid out for reading alone; the sheet says that they are not whole, and cannot be granted. */
function actRows(act: string, columns: number): Shown[] {
  return behindBar(glyphsOf(act.slice(0, ACT_CHARACTERS)), columns);
}

function actHead(capability: Capability, act: string, columns: number): Row[] {
  const shown = act.slice(0, ACT_CHARACTERS);
  const { lines, characters, foreign, marks } = countOf(shown, glyphsOf(shown));
  const facts = [plural(lines, "line"), plural(characters, "character")];
  if (foreign > 0) facts.push(`${foreign} not ASCII`);
  if (marks > 0) facts.push(`${marks} shown by name`);
  const head = paragraph(`${exact[capability]}: ${facts.join(", ")}`, columns, "strong");
  if (shown === act) return head;
  return [...head, ...paragraph(`only its beginning: it is ${act.length} characters long`, columns, "warning")];
}

/** A name on a few rows behind its label, and how much is not shown. */
function name(label: string, text: string, columns: number): Row[] {
  const rows = behindBar(glyphsOf(text.slice(0, NAME_CHARACTERS)), columns, label);
  const visible = rows.slice(0, NAME_ROWS);
  const end = visible.at(-1)?.end ?? 0;
  const cut = text.length - end;
  const note =
    cut > 0 ? [words(`${" ".repeat(label.length)}and ${plural(cut, "character")} more`, columns, "faint")] : [];
  return [...visible.map(({ row }) => row), ...note];
}

function askerSays({ pid, tab }: Asker): string {
  return `process ${pid}, ${tab === null ? "in no terminal of this phux" : `in terminal ${spotSays(tab)}`}`;
}

function spotSays({ terminal, group }: Spot): string {
  return group === null ? terminal : `${terminal}, session ${group}`;
}

export const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? "" : "s"}`;
