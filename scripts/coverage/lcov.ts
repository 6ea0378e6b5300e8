/** What a coverage report says of one file: lines that can run, and the numbers of those that did not. */
export interface Covered {
  readonly file: string;
  readonly lines: number;
  readonly missed: readonly number[];
}

/** Reads an lcov report. A file that several reports tell of is covered where any of them ran. */
export function readLcov(text: string): Covered[] {
  const files = new Map<string, Map<number, number>>();
  let lines = new Map<number, number>();
  for (const row of text.split("\n")) {
    if (row.startsWith("SF:")) {
      const file = row.slice(3);
      lines = files.get(file) ?? new Map();
      files.set(file, lines);
    } else if (row.startsWith("DA:")) {
      const [line = 0, hits = 0] = row.slice(3).split(",").map(Number);
      lines.set(line, (lines.get(line) ?? 0) + hits);
    }
  }
  return [...files].map(([file, hits]) => ({
    file,
    lines: hits.size,
    missed: [...hits].flatMap(([line, count]) => (count === 0 ? [line] : [])).sort((a, b) => a - b),
  }));
}
