/** One small lie in a source text, of the kind that a slip of the hand makes. */
export interface Mutant {
  /** From 1. */
  readonly line: number;
  readonly from: string;
  readonly to: string;
  readonly text: string;
}

/**
 * What is exchanged for what. The formatter puts a space on both sides of every operator, so a type parameter or an arrow
 * is none of these.
 */
const exchanges: readonly (readonly [from: string, to: string])[] = [
  [" < ", " <= "],
  [" <= ", " < "],
  [" > ", " >= "],
  [" >= ", " > "],
  [" === ", " !== "],
  [" !== ", " === "],
  [" && ", " || "],
  [" || ", " && "],
  [" ?? ", " && "],
  [" + ", " - "],
  [" - ", " + "],
  ["return true", "return false"],
  ["return false", "return true"],
  ["Math.min(", "Math.max("],
  ["Math.max(", "Math.min("],
  [".some(", ".every("],
  [".every(", ".some("],
];

/** Lines whose lies are of no interest: comments, imports, types, and texts for people. */
const quiet = /^\s*(\/\/|\/?\*|import |export type |type |interface |readonly )/;

/** Every mutant of a text, one exchange each. Operators within quotes stay. */
export function mutantsOf(source: string): Mutant[] {
  const lines = source.split("\n");
  return lines.flatMap((content, at) => {
    if (quiet.test(content)) return [];
    const code = withoutTexts(content);
    return exchanges.flatMap(([from, to]) =>
      placesOf(code, from).map((column) => {
        const changed = content.slice(0, column) + to + content.slice(column + from.length);
        return { line: at + 1, from: from.trim(), to: to.trim(), text: lines.with(at, changed).join("\n") };
      }),
    );
  });
}

/** The line with everything in quotes, and a comment at its end, blanked out in place. */
function withoutTexts(line: string): string {
  return line.replace(/"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`|\/\/.*$/g, (text) => "\0".repeat(text.length));
}

function placesOf(text: string, word: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) places.push(at);
  return places;
}
