/** One measured figure: ours, what it is held against, and the most that their ratio may be (design.md section 9). */
export interface Row {
  readonly figure: string;
  readonly unit: string;
  readonly ours: readonly number[];
  readonly baseline: readonly number[];
  readonly goal: number;
}

export function median(samples: readonly number[]): number {
  return quantile(samples, 0.5);
}

export function quantile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** The rows as a table for a person: medians, their ratio, and whether the goal is met. */
export function printTable(rows: readonly Row[]): void {
  const cells = rows.map(({ figure, unit, ours, baseline, goal }) => {
    const [mine, base] = [median(ours), median(baseline)];
    const ratio = mine / base;
    return [
      figure,
      `${mine.toFixed(2)} ${unit}`,
      `${base.toFixed(2)} ${unit}`,
      ratio.toFixed(2),
      `≤ ${goal}`,
      ratio <= goal ? "yes" : "NO",
    ];
  });
  const head = ["figure", "ours", "baseline", "ratio", "goal", "met"];
  const widths = head.map((name, column) => Math.max(name.length, ...cells.map((row) => row[column]?.length ?? 0)));
  for (const row of [head, ...cells])
    console.log(row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "));
}
