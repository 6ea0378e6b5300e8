import { ModSet, MouseAction, MouseButton } from "../wire/enums.ts";
import type { InputEvent } from "../wire/frame.ts";

/** Wire buttons of the report's low two bits: left, middle, right, and "none of them". */
const plainButtons = [MouseButton.left, MouseButton.middle, MouseButton.right, MouseButton.unknown];

/**
 * The event of a mouse report with written numbers: `ESC [ < code ; column ; row` ended by M or m, or the same
 * without `<` ended by M, its code 32 higher. Null when it is neither. The wire wants pixels and a report has
 * cells from 1; the cell from 0 is what stands in their place.
 */
export function mouseReport(parameters: string, final: string): InputEvent | null {
  const parts = /^(<?)([0-9]{1,5});([0-9]{1,5});([0-9]{1,5})$/.exec(parameters);
  if (parts === null) return null;
  const [column, row] = [Number(parts[3]) - 1, Number(parts[4]) - 1];
  if (parts[1] === "<") return mouseEvent(Number(parts[2]), column, row, final === "m");
  return final === "M" ? mouseReportOf(Number(parts[2]), column, row) : null;
}

/** The event of the oldest form: three characters behind a bare `ESC [ M`, each 32 more than what it says. */
export function mousePayload(payload: readonly number[]): InputEvent | null {
  const [code = 0, column = 0, row = 0] = payload;
  return mouseReportOf(code, column - 33, row - 33);
}

/** Forms without a letter for release say it with the button "none of them". */
function mouseReportOf(shiftedCode: number, column: number, row: number): InputEvent | null {
  const code = shiftedCode - 32;
  return mouseEvent(code, column, row, (code & 0b1110_0011) === 3);
}

function mouseEvent(code: number, column: number, row: number, released: boolean): InputEvent | null {
  if (code < 0 || code > 255 || column < 0 || row < 0) return null;
  let mods = code & 4 ? ModSet.shift : 0;
  if (code & 8) mods |= ModSet.alt;
  if (code & 16) mods |= ModSet.ctrl;
  const moved = (code & 32) !== 0;
  const action = moved ? MouseAction.motion : released ? MouseAction.release : MouseAction.press;
  return { tag: "mouse", event: { action, button: buttonOf(code), mods, x: column, y: row } };
}

function buttonOf(code: number): number {
  const low = code & 3;
  if (code & 128) return MouseButton.eight + low;
  if (code & 64) return MouseButton.four + low;
  return plainButtons[low] ?? MouseButton.unknown;
}
