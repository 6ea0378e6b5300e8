/** What a figure is compared with: another program measured in turn with ours, or a bound of its own. */
interface Judged {
  readonly figure: string;
  readonly unit: string;
  readonly ours: readonly number[];
}
export interface Ratio extends Judged {
  readonly baseline: readonly number[];
  /** The most (design.md section 9) that ours may be of the baseline; for a rate, the least. Absent: for orientation. */
  readonly atMost?: number;
  readonly atLeast?: number;
}
export interface Bound extends Judged {
  /** Every sample up to this share, 0 to 1, lies under `limit`. */
  readonly share: number;
  readonly limit: number;
}
export type Row = Ratio | Bound;

export function quantile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

const median = (samples: readonly number[]) => quantile(samples, 0.5);

/** Median with the quartiles around it. */
function spread(samples: readonly number[], unit: string): string {
  if (samples.length < 3) return `${short(median(samples))} ${unit}`;
  return `${short(median(samples))} ${unit} (${short(quantile(samples, 0.25))} to ${short(quantile(samples, 0.75))})`;
}

function short(value: number): string {
  if (value >= 1_000) return value.toFixed(0);
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

/** A row as numbers: what the JSON has, and what the table shows. */
export function judged(row: Row) {
  const { figure, unit } = row;
  const ours = { median: median(row.ours), q1: quantile(row.ours, 0.25), q3: quantile(row.ours, 0.75) };
  if ("limit" in row) {
    const reached = quantile(row.ours, row.share);
    return { figure, unit, ours, samples: row.ours.length, reached, limit: row.limit, met: reached <= row.limit };
  }
  const baseline = {
    median: median(row.baseline),
    q1: quantile(row.baseline, 0.25),
    q3: quantile(row.baseline, 0.75),
  };
  const ratio = ours.median / baseline.median;
  const { atMost, atLeast } = row;
  const bounded = atMost !== undefined || atLeast !== undefined;
  const met = bounded ? ratio <= (atMost ?? Number.POSITIVE_INFINITY) && ratio >= (atLeast ?? 0) : null;
  const goal = atMost !== undefined ? { atMost } : atLeast !== undefined ? { atLeast } : {};
  return { figure, unit, ours, baseline, samples: row.ours.length, ratio, ...goal, met };
}

function cellsOf(row: Row): string[] {
  const { met } = judged(row);
  const verdict = met === null ? "" : met ? "yes" : "NO";
  if ("limit" in row) {
    const reached = `p${row.share * 100} ${short(quantile(row.ours, row.share))} ${row.unit}`;
    return [row.figure, spread(row.ours, row.unit), reached, "", `≤ ${row.limit} ${row.unit}`, verdict];
  }
  const ratio = median(row.ours) / median(row.baseline);
  const goal = row.atMost !== undefined ? `≤ ${row.atMost}` : row.atLeast !== undefined ? `≥ ${row.atLeast}` : "";
  return [row.figure, spread(row.ours, row.unit), spread(row.baseline, row.unit), ratio.toFixed(2), goal, verdict];
}

/** Rows for a person: medians and quartiles, their ratio, and whether the goal is met. */
export function printTable(title: string, rows: readonly Row[]): void {
  printCells(title, ["figure", "ours", "baseline", "ratio", "goal", "met"], rows.map(cellsOf));
}

export function printCells(title: string, head: readonly string[], cells: readonly (readonly string[])[]): void {
  const widths = head.map((name, column) => Math.max(name.length, ...cells.map((row) => row[column]?.length ?? 0)));
  console.log(`\n${title}`);
  for (const row of [head, ...cells]) {
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    );
  }
}
