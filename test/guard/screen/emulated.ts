/** What a terminal shows of bytes, by several opinions of how wide characters are. */
import { Terminal as Emulator, type IUnicodeVersionProvider } from "@xterm/headless";
import type { Size } from "../../../src/guard/screen/sheet-page.ts";
import { glyphWidths } from "../../lab/glyph-width.ts";

/** A terminal set up for East Asia, where ambiguous characters are wide, and marks are characters of their own. */
const generous: IUnicodeVersionProvider = {
  version: "generous",
  wcwidth: generousWidth,
  charProperties: (codepoint) => generousWidth(codepoint) << 1,
};

function generousWidth(codepoint: number): 0 | 1 | 2 {
  if (codepoint < 0x20 || (codepoint >= 0x7f && codepoint < 0xa0)) return 0;
  return Bun.stringWidth(String.fromCodePoint(codepoint), { ambiguousIsNarrow: false }) === 2 ? 2 : 1;
}

export const opinions = ["6", "lab", "generous"] as const;
export type Opinion = (typeof opinions)[number];

/** The rows that are visible after these bytes, without the blanks at their ends. */
export async function shownBy(opinion: Opinion, { columns, rows }: Size, bytes: string): Promise<string[]> {
  const emulator = new Emulator({ cols: columns, rows, scrollback: 0, allowProposedApi: true });
  emulator.unicode.register(glyphWidths);
  emulator.unicode.register(generous);
  emulator.unicode.activeVersion = opinion;
  await new Promise<void>((resolve) => emulator.write(bytes, resolve));
  const buffer = emulator.buffer.active;
  const shown = Array.from({ length: rows }, (_, at) => buffer.getLine(at)?.translateToString(true).trimEnd() ?? "");
  emulator.dispose();
  return shown;
}
