import type { ValueOf } from "./codec.ts";
import { opt, record } from "./composite.ts";
import { FocusEvent, KeyAction, MouseAction, MouseButton, PasteTrust } from "./enums.ts";
import { PhysicalKey } from "./physical-key.ts";
import { bool, bytes, f64, oneOf, str, u8, u16, u32 } from "./primitive.ts";
import { plain, union } from "./union.ts";

/** A key as pressed, before any terminal encoding: the server makes the bytes (wire.md 13.2). */
export const keyEvent = record({
  action: oneOf(u32, "key action", KeyAction),
  key: oneOf(u32, "physical key", PhysicalKey),
  mods: u16,
  consumed_mods: u16,
  composing: bool,
  text: opt(str),
  unshifted_codepoint: opt(u32),
});
export type KeyEvent = ValueOf<typeof keyEvent>;

/** `x` and `y` in pixels of the terminal surface. Its action numbers are not those of keys (wire.md 13.3). */
export const mouseEvent = record({
  action: oneOf(u32, "mouse action", MouseAction),
  button: oneOf(u32, "mouse button", MouseButton),
  mods: u16,
  x: f64,
  y: f64,
});
export type MouseEvent = ValueOf<typeof mouseEvent>;

export const focusEvent = oneOf(u8, "focus event", FocusEvent);

export const pasteEvent = record({
  trust: oneOf(u8, "paste trust", PasteTrust),
  data: bytes,
});
export type PasteEvent = ValueOf<typeof pasteEvent>;

export const inputEvent = union({
  key: plain(0, { event: keyEvent }),
  mouse: plain(1, { event: mouseEvent }),
  focus: plain(2, { event: focusEvent }),
  paste: plain(3, { event: pasteEvent }),
});
export type InputEvent = ValueOf<typeof inputEvent>;
