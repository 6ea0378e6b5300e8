/** Names as somebody mistypes them, and names that are none. */

/** Lists in a list, so many levels. */
export const deep = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);

/** What has a meaning of its own somewhere else. */
export const strangeNames: readonly string[] = [
  ...["__proto__", "constructor", "toString", "valueOf", "hasOwnProperty", "prototype", "then", "length", "toJSON"],
  ...[
    "",
    " ",
    "null",
    "undefined",
    "0",
    "\0",
    "a\nb",
    "\u001b[2J",
    "\u202eteg",
    "\ud800",
    "ſocket",
    "x".repeat(100_000),
  ],
];

/** A name as a hasty hand or another convention writes it; none that is another name. */
export function slips(name: string, names: readonly string[]): string[] {
  const words = name.split("_");
  const camel = words.map((word, at) => (at === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1))).join("");
  const middle = Math.floor(name.length / 2);
  const slipped = [
    name.toUpperCase(),
    name.replaceAll("_", "-"),
    camel,
    `${name}s`,
    name.slice(0, -1),
    name.slice(0, middle) + name.slice(middle + 1),
    name.slice(0, middle - 1) + name.charAt(middle) + name.charAt(middle - 1) + name.slice(middle + 1),
  ];
  // With less than four letters left, nobody can tell what was meant.
  return [...new Set(slipped)].filter((slip) => !names.includes(slip) && slip.length >= 4);
}
