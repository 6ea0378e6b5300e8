/**
 * Orders two strings by the bytes of their UTF-8, which is code point order. JavaScript's own order differs for
 * characters beyond the basic plane (spec/client.md 0.2 rule 6). Negative, zero or positive, as `sort` wants it.
 */
export function compareUtf8(left: string, right: string): number {
  const shared = Math.min(left.length, right.length);
  for (let at = 0; at < shared; at += 1) {
    const a = left.charCodeAt(at);
    const b = right.charCodeAt(at);
    if (a !== b) return rank(a) - rank(b);
  }
  return left.length - right.length;
}

/** Surrogates stand for code points above U+FFFF, so they come after every other unit. */
function rank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit >= 0xe000 ? unit - 0x800 : unit + 0x2000;
}
