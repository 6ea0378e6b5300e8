import { PhysicalKey } from "../wire/physical-key.ts";

/** A key of a US keyboard, and the character it prints with nothing held. */
export interface PrintingKey {
  readonly key: number;
  readonly unshifted: number;
  readonly shifted: boolean;
}

/** US keys: number, what they print, what they print with Shift. */
const usKeys: readonly (readonly [key: number, plain: string, shifted: string])[] = [
  [PhysicalKey.Backquote, "`", "~"],
  [PhysicalKey.Backslash, "\\", "|"],
  [PhysicalKey.BracketLeft, "[", "{"],
  [PhysicalKey.BracketRight, "]", "}"],
  [PhysicalKey.Comma, ",", "<"],
  ...[..."0123456789"].map((digit, at) => [PhysicalKey.Digit0 + at, digit, ")!@#$%^&*(".charAt(at)] as const),
  [PhysicalKey.Equal, "=", "+"],
  ...[..."abcdefghijklmnopqrstuvwxyz"].map((letter, at) => [PhysicalKey.A + at, letter, letter.toUpperCase()] as const),
  [PhysicalKey.Minus, "-", "_"],
  [PhysicalKey.Period, ".", ">"],
  [PhysicalKey.Quote, "'", '"'],
  [PhysicalKey.Semicolon, ";", ":"],
  [PhysicalKey.Slash, "/", "?"],
  [PhysicalKey.Space, " ", ""],
];

const printing: ReadonlyMap<number, PrintingKey> = new Map(
  usKeys.flatMap(([key, plain, shifted]) => {
    const unshifted = plain.charCodeAt(0);
    const rows: [number, PrintingKey][] = [[unshifted, { key, unshifted, shifted: false }]];
    if (shifted !== "") rows.push([shifted.charCodeAt(0), { key, unshifted, shifted: true }]);
    return rows;
  }),
);

/** The US key that prints this code point, or null outside the printing ASCII characters 20 to 7e. */
export function printingKey(codePoint: number): PrintingKey | null {
  return printing.get(codePoint) ?? null;
}

/** The letter key that makes control code 1 to 26, and the lower-case letter on it. */
export function controlLetter(code: number): { readonly key: number; readonly unshifted: number } {
  return { key: PhysicalKey.A + code - 1, unshifted: 0x60 + code };
}

/** Keys that print nothing, by the control code that stands for them. */
export const controlKeys: ReadonlyMap<number, number> = new Map([
  [0x08, PhysicalKey.Backspace],
  [0x09, PhysicalKey.Tab],
  [0x0d, PhysicalKey.Enter],
  [0x7f, PhysicalKey.Backspace],
]);

/** Keys by the letter that ends `ESC O`. */
export const singleShiftKeys: ReadonlyMap<string, number> = new Map([
  ["A", PhysicalKey.ArrowUp],
  ["B", PhysicalKey.ArrowDown],
  ["C", PhysicalKey.ArrowRight],
  ["D", PhysicalKey.ArrowLeft],
  ["F", PhysicalKey.End],
  ["H", PhysicalKey.Home],
  ["P", PhysicalKey.F1],
  ["Q", PhysicalKey.F2],
  ["R", PhysicalKey.F3],
  ["S", PhysicalKey.F4],
]);

/** Keys by the letter that ends a control sequence. Back-tab names the key only: Shift is not in it. */
export const sequenceKeys: ReadonlyMap<string, number> = new Map([...singleShiftKeys, ["Z", PhysicalKey.Tab]]);

/** Keys by the first parameter of a control sequence that ends with a tilde. */
export const tildeKeys: ReadonlyMap<number, number> = new Map([
  [1, PhysicalKey.Home],
  [2, PhysicalKey.Insert],
  [3, PhysicalKey.Delete],
  [4, PhysicalKey.End],
  [5, PhysicalKey.PageUp],
  [6, PhysicalKey.PageDown],
  [7, PhysicalKey.Home],
  [8, PhysicalKey.End],
  [11, PhysicalKey.F5],
  [13, PhysicalKey.F3],
  [14, PhysicalKey.F4],
  [15, PhysicalKey.F5],
  [17, PhysicalKey.F6],
  [18, PhysicalKey.F7],
  [19, PhysicalKey.F8],
  [20, PhysicalKey.F9],
  [21, PhysicalKey.F10],
  [23, PhysicalKey.F11],
  [24, PhysicalKey.F12],
  [25, PhysicalKey.F13],
  [26, PhysicalKey.F14],
  [28, PhysicalKey.F15],
  [29, PhysicalKey.F16],
  [31, PhysicalKey.F17],
  [32, PhysicalKey.F18],
  [33, PhysicalKey.F19],
  [34, PhysicalKey.F20],
]);
