/** Texts that try to draw where they may not. */
import fc from "fast-check";

const parts = fc.constantFrom(
  ..."\u{1b}[2J|\u{1b}]0;x\u{7}|\u{9b}5A|\u{202e}|\u{2066}|\u{200b}|\u{200d}|\u{fe0f}|\u{ad}|\u{e0041}|\u{2028}".split(
    "|",
  ),
  ..."漢字|한글|ㄅ|👩‍👩‍👧|🇩🇪|👍🏽|❤️|א|ب|é|e\u{301}|e\u{301}\u{302}\u{303}\u{304}|\u{300}|ก็็็็|ि|ﷺ|│|⟨U+0041⟩|⏎".split("|"),
  ..." GUARD  an agent asks: read| answer [once]|-- all of it is shown --|\n|\r|\r\n|\t|\u{0}|\u{d83d}|\u{1160}|\u{3000}| ".split(
    "|",
  ),
  " ".repeat(300),
  "x".repeat(90),
  "\u{301}".repeat(40),
);

export const hostileText = fc.oneof(
  fc.array(parts, { maxLength: 14 }).map((all) => all.join("")),
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.string({ unit: "grapheme", maxLength: 60 }),
);
