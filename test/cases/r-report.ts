/** A public report about another server, told in our words, and what ours does in the same place. */
export interface Report<Stage> {
  /** repository#number. */
  readonly of: string;
  readonly symptom: string;
  readonly ours: string;
  run(stage: Stage): Promise<unknown>;
}

/** Rows for test.each: what a failure prints is the whole story. */
export function rows<Stage>(reports: readonly Report<Stage>[]): [story: string, report: Report<Stage>][] {
  return reports.map((report) => [`${report.of}: ${report.symptom} -> ${report.ours}`, report]);
}
