import { describe, expect, test } from "bun:test";
import { focusBytes, type InputModes, keyBytes, mouseBytes, pasteBytes } from "./key-encoding.ts";

const plain: InputModes = {
  ...{ applicationCursorKeys: false, applicationKeypad: false, bracketedPaste: false },
  ...{ focusReports: false, mouse: "none", sgrMouse: false },
};
const text = (bytes: Uint8Array | null) => bytes && Buffer.from(bytes).toString("latin1");

const press = { action: 1, key: 0, mods: 0, composing: false, text: null, unshifted_codepoint: null };
const code = (character: string) => character.charCodeAt(0);

const keys: [what: string, event: Partial<typeof press> | object, modes: Partial<InputModes>, bytes: string][] = [
  ["a letter", { key: 20, text: "a", unshifted_codepoint: code("a") }, {}, "a"],
  ["a capital", { key: 20, mods: 1, text: "A", unshifted_codepoint: code("a") }, {}, "A"],
  ["a character of no key", { text: "€" }, {}, "\xe2\x82\xac"],
  ["a release", { action: 0, key: 20, text: "a" }, {}, ""],
  ["a composition", { key: 20, text: "a", composing: true }, {}, ""],
  ["Ctrl+C", { key: 22, mods: 2, unshifted_codepoint: code("c") }, {}, "\x03"],
  ["Ctrl+C of the physical key alone", { key: 22, mods: 2 }, {}, "\x03"],
  ["Ctrl+Space", { key: 63, mods: 2, unshifted_codepoint: 32 }, {}, "\0"],
  ["Alt+x", { key: 43, mods: 4, unshifted_codepoint: code("x") }, {}, "\x1bx"],
  ["Enter", { key: 58 }, {}, "\r"],
  ["Shift+Tab", { key: 64, mods: 1 }, {}, "\x1b[Z"],
  ["Backspace", { key: 53 }, {}, "\x7f"],
  ["Up", { key: 78 }, {}, "\x1b[A"],
  ["Up, cursor keys as application", { key: 78 }, { applicationCursorKeys: true }, "\x1bOA"],
  ["Ctrl+Left", { key: 76, mods: 2 }, { applicationCursorKeys: true }, "\x1b[1;5D"],
  ["Home", { key: 71 }, {}, "\x1b[H"],
  ["PageDown", { key: 73 }, {}, "\x1b[6~"],
  ["F1", { key: 121 }, {}, "\x1bOP"],
  ["F5", { key: 125 }, {}, "\x1b[15~"],
  ["Shift+F12", { key: 132, mods: 1 }, {}, "\x1b[24;2~"],
];

test.each(keys)("%s", (_, event, modes, bytes) => {
  expect(text(keyBytes({ ...press, ...event }, { ...plain, ...modes }))).toBe(bytes);
});

const pastes: [what: string, paste: string, trusted: boolean, bracketed: boolean, bytes: string | null][] = [
  ["a newline becomes a carriage return", "a\nb", true, false, "a\rb"],
  ["markers, and the newline kept", "a\nb", true, true, "\x1b[200~a\nb\x1b[201~"],
  ["ESC and DEL become a blank, BEL passes", "a\x1bb\x07c\x7f", true, false, "a b\x07c "],
  ["safe text of a stranger", "safe", false, false, "safe"],
  ["a stranger's newline", "un\nsafe", false, true, null],
  ["a stranger's end marker", "x\x1b[201~y", false, true, null],
  ["a stranger's bad UTF-8", "\xff", false, false, null],
];

test.each(pastes)("paste: %s", (_, paste, trusted, bracketedPaste, bytes) => {
  expect(text(pasteBytes(Buffer.from(paste, "latin1"), trusted, { ...plain, bracketedPaste }))).toBe(bytes);
});

describe("reports that a program has to ask for", () => {
  const click = { action: 0, button: 1, mods: 0, x: 80, y: 32 };

  test("focus", () => {
    expect(text(focusBytes(0, plain))).toBe("");
    expect(text(focusBytes(0, { ...plain, focusReports: true }))).toBe("\x1b[I");
    expect(text(focusBytes(1, { ...plain, focusReports: true }))).toBe("\x1b[O");
  });

  test("mouse", () => {
    expect(text(mouseBytes(click, plain))).toBe("");
    expect(text(mouseBytes(click, { ...plain, mouse: "vt200", sgrMouse: true }))).toBe("\x1b[<0;11;3M");
    expect(text(mouseBytes({ ...click, action: 1 }, { ...plain, mouse: "any", sgrMouse: true }))).toBe("\x1b[<0;11;3m");
    expect(text(mouseBytes(click, { ...plain, mouse: "vt200" }))).toBe("\x1b[M +#");
  });
});
