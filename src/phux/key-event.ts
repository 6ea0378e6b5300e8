import { FocusEvent, KeyAction, ModSet, PasteTrust } from "../wire/enums.ts";
import type { InputEvent } from "../wire/frame.ts";
import { PhysicalKey } from "../wire/physical-key.ts";
import { controlKeys, controlLetter, printingKey } from "./key-table.ts";

interface KeyDetail {
  readonly action?: number;
  readonly mods?: number;
  readonly consumed?: number;
  readonly text?: string | null;
  readonly unshifted?: number | null;
}

/** One key, pressed unless `detail` says otherwise. `key` is a physical number; modifiers are the wire's bits. */
export function keyInput(key: number, detail: KeyDetail = {}): InputEvent {
  const { action = KeyAction.press, mods = 0, consumed = 0, text = null, unshifted = null } = detail;
  return {
    tag: "key",
    event: { action, key, mods, consumed_mods: consumed, composing: false, text, unshifted_codepoint: unshifted },
  };
}

/** Text that arrives as one paste. An untrusted one is refused by the pane's policy when it could act on its own. */
export function pasteInput(data: Uint8Array, trusted: boolean): InputEvent {
  return { tag: "paste", event: { trust: trusted ? PasteTrust.trusted : PasteTrust.untrusted, data } };
}

/** The window that shows the pane gained the focus, or lost it. */
export function focusInput(gained: boolean): InputEvent {
  return { tag: "focus", event: gained ? FocusEvent.gained : FocusEvent.lost };
}

/**
 * The key that a code point stands for outside of any escape sequence (spec/client.md 5.3), with Alt held when
 * `alt` is set; null for the control codes that no key makes. ESC is the parser's business.
 */
export function typedKey(codePoint: number, alt = false): InputEvent | null {
  const held = alt ? ModSet.alt : 0;
  const plain = controlKeys.get(codePoint);
  if (plain !== undefined) return keyInput(plain, { mods: held });
  if (codePoint >= 1 && codePoint <= 26) {
    const { key, unshifted } = controlLetter(codePoint);
    return keyInput(key, { mods: ModSet.ctrl | held, consumed: ModSet.ctrl, unshifted });
  }
  const us = printingKey(codePoint);
  if (us !== null) {
    const shift = us.shifted ? ModSet.shift : 0;
    // Alt takes the text away, except where Shift made it.
    const text = alt && !us.shifted ? null : String.fromCodePoint(codePoint);
    return keyInput(us.key, { mods: shift | held, consumed: shift, text, unshifted: us.unshifted });
  }
  if (codePoint < 0x80 || alt) return null;
  return keyInput(PhysicalKey.Unidentified, { text: String.fromCodePoint(codePoint), unshifted: codePoint });
}
