import type { IUnicodeVersionProvider } from "@xterm/headless";

/**
 * Character widths as a present-day terminal has them: xterm's own table is Unicode 6, where an emoji is narrow.
 * Marks, variation selectors and whatever follows a zero-width joiner stay in the cell before them.
 */
export const glyphWidths: IUnicodeVersionProvider = {
  version: "lab",
  wcwidth,
  charProperties(codepoint, preceding) {
    const joins = preceding !== 0 && (wcwidth(codepoint) === 0 || (preceding & joinerSeen) !== 0);
    const width = joins ? (preceding >> 1) & 3 : wcwidth(codepoint);
    // xterm's packing: bit 0 joins the cell before, bits 1 and 2 are the width, the rest is ours to remember.
    return (codepoint === 0x200d ? joinerSeen : 0) | (width << 1) | (joins ? 1 : 0);
  },
};

const joinerSeen = 1 << 3;

function wcwidth(codepoint: number): 0 | 1 | 2 {
  if (codepoint < 0x20 || (codepoint >= 0x7f && codepoint < 0xa0)) return 0;
  if (codepoint < 0x7f) return 1;
  const width = Bun.stringWidth(String.fromCodePoint(codepoint));
  return width <= 0 ? 0 : width === 1 ? 1 : 2;
}
