/** Texts and places in them: what both formats share. Pure. */

/** Replaces `length` UTF-16 units at `offset` by `text`. Edits of one list never overlap; equal offsets keep their order. */
export interface Edit {
  readonly offset: number;
  readonly length: number;
  readonly text: string;
}

export function insert(offset: number, text: string): Edit {
  return { offset, length: 0, text };
}

/** Takes out what stands from `start` up to `end`. */
export function cutOut(start: number, end: number): Edit {
  return { offset: start, length: end - start, text: "" };
}

export function applyEdits(text: string, edits: readonly Edit[]): string {
  let out = "";
  let at = 0;
  for (const edit of edits.toSorted((a, b) => a.offset - b.offset)) {
    out += text.slice(at, edit.offset) + edit.text;
    at = edit.offset + edit.length;
  }
  return out + text.slice(at);
}

/** Why a text cannot be edited. Line and column count from 1; null when no place in the text is at fault. */
export interface TextFault {
  readonly reason: string;
  readonly place: { readonly line: number; readonly column: number } | null;
}

export function faultAt(text: string, offset: number, reason: string): TextFault {
  const lines = text.slice(0, offset).split(/\r\n|\n|\r/);
  return { reason, place: { line: lines.length, column: (lines.at(-1) ?? "").length + 1 } };
}

/** The line end that the text uses most, `\n` when it has none. */
export function lineEndOf(text: string): "\n" | "\r\n" {
  const windows = text.match(/\r\n/g)?.length ?? 0;
  const all = text.match(/\n/g)?.length ?? 0;
  return windows * 2 > all ? "\r\n" : "\n";
}

/** The white space at the beginning of the line that holds the offset. */
export function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  return text.slice(start, offset).match(/^[ \t]*/)?.[0] ?? "";
}

/** A text without its byte-order mark, and the mark. */
export function splitMark(text: string): { readonly mark: string; readonly body: string } {
  return text.startsWith("\ufeff") ? { mark: "\ufeff", body: text.slice(1) } : { mark: "", body: text };
}

/** Where the last line end of a text begins when the text closes with one, else its length. */
export function beforeLastLineEnd(text: string): number {
  return text.length - (text.match(/\r?\n$/)?.[0].length ?? 0);
}
