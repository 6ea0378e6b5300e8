/** What the program in a pane has asked for, as far as input depends on it. */
export type InputModes = {
  readonly applicationCursorKeys: boolean;
  readonly applicationKeypad: boolean;
  readonly bracketedPaste: boolean;
  readonly focusReports: boolean;
  readonly mouse: "none" | "x10" | "vt200" | "drag" | "any";
  readonly sgrMouse: boolean;
};

export type KeyInput = {
  readonly action: number;
  readonly key: number;
  readonly mods: number;
  readonly composing: boolean;
  readonly text: string | null;
  readonly unshifted_codepoint: number | null;
};

export type MouseInput = {
  readonly action: number;
  readonly button: number;
  readonly mods: number;
  readonly x: number;
  readonly y: number;
};

const [SHIFT, CTRL, ALT] = [1, 2, 4];
const utf8 = new TextEncoder();

/** Cursor keys and their kin: the final letter of `CSI 1 ; m X`, or of SS3 in application mode. */
const cursorKeys: ReadonlyMap<number, string> = new Map([
  ...pairs([78, 109], "A"),
  ...pairs([75, 110], "B"),
  ...pairs([77, 111], "C"),
  ...pairs([76, 112], "D"),
  ...pairs([71, 114], "H"),
  ...pairs([69, 115], "F"),
]);

/** Editing and function keys: the number of `CSI n ; m ~`. */
const tildeKeys: ReadonlyMap<number, number> = new Map([
  ...pairs([72, 116], 2),
  ...pairs([68, 117], 3),
  ...pairs([74, 118], 5),
  ...pairs([73, 119], 6),
  ...[15, 17, 18, 19, 20, 21, 23, 24, 25, 26, 28, 29, 31, 32, 33, 34].map((n, i): [number, number] => [125 + i, n]),
]);

function pairs<T>(keys: readonly number[], value: T): [number, T][] {
  return keys.map((key) => [key, value]);
}

/** The bytes of one key for the modes of the moment. A release and a composing key give none (wire.md 13.2). */
export function keyBytes(event: KeyInput, modes: InputModes): Uint8Array {
  if (event.action === 0 || event.composing) return new Uint8Array();
  return utf8.encode(namedKey(event, modes) ?? characterKey(event));
}

function namedKey({ key, mods }: KeyInput, modes: InputModes): string | null {
  const alt = mods & ALT ? "\x1b" : "";
  const held = mods & (SHIFT | CTRL | ALT);
  // xterm's parameter: 1 plus shift 1, alt 2, ctrl 4.
  const modifier = 1 + (held & SHIFT ? 1 : 0) + (held & ALT ? 2 : 0) + (held & CTRL ? 4 : 0);
  const cursor = cursorKeys.get(key);
  if (cursor) {
    if (held) return `\x1b[1;${modifier}${cursor}`;
    return `\x1b${modes.applicationCursorKeys ? "O" : "["}${cursor}`;
  }
  const tilde = tildeKeys.get(key);
  if (tilde) return held ? `\x1b[${tilde};${modifier}~` : `\x1b[${tilde}~`;
  if (key >= 121 && key <= 124) {
    const letter = "PQRS".charAt(key - 121);
    return held ? `\x1b[1;${modifier}${letter}` : `\x1bO${letter}`;
  }
  switch (key) {
    case 58:
      return `${alt}\r`;
    case 97:
      return modes.applicationKeypad ? "\x1bOM" : `${alt}\r`;
    case 64:
      return mods & SHIFT ? "\x1b[Z" : `${alt}\t`;
    case 53:
      return `${alt}${mods & CTRL ? "\b" : "\x7f"}`;
    case 120:
      return `${alt}\x1b`;
    default:
      return null;
  }
}

function characterKey(event: KeyInput): string {
  const alt = event.mods & ALT ? "\x1b" : "";
  const base = event.unshifted_codepoint === null ? keyCharacter(event.key) : codePoint(event.unshifted_codepoint);
  if (event.mods & CTRL) return alt + controlCharacter(event.text ?? base);
  if (event.text !== null) return alt + event.text;
  return alt + (event.mods & SHIFT ? base.toUpperCase() : base);
}

function codePoint(value: number): string {
  return value <= 0x10ffff ? String.fromCodePoint(value) : "";
}

function controlCharacter(character: string): string {
  const code = character.toUpperCase().charCodeAt(0);
  if (character.length !== 1) return character;
  if (code >= 0x40 && code <= 0x5f) return String.fromCharCode(code & 0x1f);
  const odd: Record<string, string> = { " ": "\0", "2": "\0", "3": "\x1b", "4": "\x1c", "5": "\x1d", "6": "\x1e" };
  const more: Record<string, string> = { "7": "\x1f", "8": "\x7f", "/": "\x1f", "-": "\x1f", "?": "\x7f", "`": "\0" };
  return odd[character] ?? more[character] ?? character;
}

/** The character that a US keyboard has on a physical key, or "" for a key that has none. */
function keyCharacter(key: number): string {
  if (key >= 20 && key <= 45) return String.fromCharCode(97 + key - 20);
  if (key >= 6 && key <= 15) return String(key - 6);
  if (key >= 80 && key <= 89) return String(key - 80);
  const rest: Record<number, string> = {
    ...{ 1: "`", 2: "\\", 3: "[", 4: "]", 5: ",", 16: "=", 17: "\\", 46: "-", 47: ".", 48: "'", 49: ";", 50: "/" },
    ...{ 63: " ", 90: "+", 94: ",", 95: ".", 96: "/", 98: "=", 104: "*", 107: "-", 113: "5" },
  };
  return rest[key] ?? "";
}

const pasteEnd = "\x1b[201~";

/** The bytes of a paste, or null for one that an untrusted source may not send (wire.md 13.4, recorded 0.8). */
export function pasteBytes(content: Uint8Array, trusted: boolean, modes: InputModes): Uint8Array | null {
  if (!trusted && unsafe(content)) return null;
  const clean = content.map((byte) => (byte === 0x1b || byte === 0x7f ? 0x20 : byte));
  if (!modes.bracketedPaste) return clean.map((byte) => (byte === 0x0a ? 0x0d : byte));
  return Buffer.concat([utf8.encode("\x1b[200~"), clean, utf8.encode(pasteEnd)]);
}

function unsafe(content: Uint8Array): boolean {
  const bytes = Buffer.from(content);
  return bytes.includes(0x0a) || bytes.includes(pasteEnd) || !isUtf8(content);
}

function isUtf8(content: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(content);
    return true;
  } catch {
    return false;
  }
}

export function focusBytes(focus: number, modes: InputModes): Uint8Array {
  return utf8.encode(modes.focusReports ? (focus === 0 ? "\x1b[I" : "\x1b[O") : "");
}

/** One cell of the lab's imaginary font; positions of mouse events are in its pixels. */
const cell = { width: 8, height: 16 };

export function mouseBytes(event: MouseInput, modes: InputModes): Uint8Array {
  const motion = event.action === 2;
  const wanted =
    modes.mouse !== "none" &&
    (!motion || modes.mouse === "any" || (modes.mouse === "drag" && event.button !== 0)) &&
    (event.action !== 1 || modes.mouse !== "x10");
  if (!wanted) return new Uint8Array();
  const [column, row] = [Math.floor(event.x / cell.width) + 1, Math.floor(event.y / cell.height) + 1];
  const held = (event.mods & SHIFT ? 4 : 0) + (event.mods & ALT ? 8 : 0) + (event.mods & CTRL ? 16 : 0);
  const code = mouseButton(event.button) + held + (motion ? 32 : 0);
  if (modes.sgrMouse) return utf8.encode(`\x1b[<${code};${column};${row}${event.action === 1 ? "m" : "M"}`);
  const released = event.action === 1 ? 3 + held : code;
  return Uint8Array.of(0x1b, 0x5b, 0x4d, released + 32, Math.min(column + 32, 255), Math.min(row + 32, 255));
}

/** xterm's numbers: left 0, middle 1, right 2, none 3, wheel and sideways wheel from 64, extra buttons from 128. */
function mouseButton(button: number): number {
  const known = [3, 0, 2, 1, 64, 65, 66, 67];
  return known[button] ?? 128 + button - 8;
}
