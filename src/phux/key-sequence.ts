import { KeyAction, ModSet } from "../wire/enums.ts";
import type { InputEvent } from "../wire/frame.ts";
import { PhysicalKey } from "../wire/physical-key.ts";
import { focusInput, keyInput, typedKey } from "./key-event.ts";
import { printingKey, sequenceKeys, tildeKeys } from "./key-table.ts";
import { mouseReport } from "./mouse-report.ts";

/**
 * The event of a finished control sequence `ESC [ parameters final` (spec/client.md 5.3), or null when it names
 * none. A paste opened by `200~` and the mouse form that goes on behind a bare `M` are the parser's business.
 */
export function sequenceEvent(parameters: string, final: string): InputEvent | null {
  if (final === "u") return kittyKey(parameters);
  if (final === "~") return tildeKey(parameters);
  if (final === "M" || final === "m") return mouseReport(parameters, final);
  if (parameters === "" && (final === "I" || final === "O")) return focusInput(final === "I");
  const key = sequenceKeys.get(final);
  const held = /^(?:1?|1;([0-9]+))$/.exec(parameters);
  return key === undefined || held === null ? null : keyInput(key, { mods: heldModifiers(held[1]) });
}

function tildeKey(parameters: string): InputEvent | null {
  const parts = /^([0-9]+)(?:;([0-9]+))?$/.exec(parameters);
  const key = tildeKeys.get(Number(parts?.[1]));
  return key === undefined ? null : keyInput(key, { mods: heldModifiers(parts?.[2]) });
}

/** One more than a set of bits: shift 1, alt 2, ctrl 4, super 8. Absent means none. */
function heldModifiers(text: string | undefined): number {
  const bits = Math.max(Number(text ?? 1) - 1, 0);
  let held = bits & 1 ? ModSet.shift : 0;
  if (bits & 2) held |= ModSet.alt;
  if (bits & 4) held |= ModSet.ctrl;
  if (bits & 8) held |= ModSet.super;
  return held;
}

const kittyActions: ReadonlyMap<string, number> = new Map([
  ["1", KeyAction.press],
  ["2", KeyAction.repeat],
  ["3", KeyAction.release],
]);

const kittyForm = /^([0-9]+)(?::[0-9:]*)?(?:;([0-9]*)(?::([0-9]+))?(?:;([0-9:]*))?)?$/;

/** The kitty form: code point, modifiers and event type, text. Only here does a named key carry its code point. */
function kittyKey(parameters: string): InputEvent | null {
  const parts = kittyForm.exec(parameters);
  const codePoint = Number(parts?.[1]);
  const action = kittyActions.get(parts?.[3] ?? "1");
  if (parts === null || action === undefined || !isScalar(codePoint) || codePoint === 0) return null;
  return keyInput(kittyPhysical(codePoint), {
    action,
    mods: kittyModifiers(parts[2]),
    text: kittyText(parts[4]),
    unshifted: codePoint,
  });
}

function kittyPhysical(codePoint: number): number {
  if (codePoint === 0x1b) return PhysicalKey.Escape;
  const us = printingKey(codePoint);
  if (us !== null) return us.key;
  // Enter, Tab and Backspace go by their control codes; other codes below 32 are no keys of this form.
  const typed = codePoint < 0x20 || codePoint === 0x7f ? typedKey(codePoint) : null;
  return typed?.tag === "key" && typed.event.mods === 0 ? typed.event.key : PhysicalKey.Unidentified;
}

function kittyModifiers(text: string | undefined): number {
  const bits = Math.max(Number(text || 1) - 1, 0);
  let held = heldModifiers(text || undefined);
  if (bits & 16) held |= ModSet.super;
  if (bits & 32) held |= ModSet.alt;
  if (bits & 64) held |= ModSet.caps_lock;
  if (bits & 128) held |= ModSet.num_lock;
  return held;
}

function kittyText(text: string | undefined): string | null {
  if (!text) return null;
  const codePoints = text.split(":").map(Number);
  // The wire carries no control characters as text.
  const printable = codePoints.every((point) => isScalar(point) && point >= 0x20 && point !== 0x7f);
  return printable ? codePoints.map((point) => String.fromCodePoint(point)).join("") : null;
}

function isScalar(point: number): boolean {
  return point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff);
}
