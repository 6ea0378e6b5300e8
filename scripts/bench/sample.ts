/** Milliseconds that `work` takes. */
export async function timed(work: () => unknown): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** The two in turn, so that a machine whose speed drifts does not favour one. The first of each is thrown away. */
export async function paired(
  samples: number,
  ours: () => number | Promise<number>,
  baseline: () => number | Promise<number>,
): Promise<{ ours: number[]; baseline: number[] }> {
  const measured: { ours: number[]; baseline: number[] } = { ours: [], baseline: [] };
  await ours();
  await baseline();
  for (let sample = 0; sample < samples; sample += 1) {
    measured.ours.push(await ours());
    measured.baseline.push(await baseline());
  }
  return measured;
}

/** Polls until a condition holds, at most 10 s. */
export async function until(holds: () => boolean, what: string): Promise<void> {
  const last = performance.now() + 10_000;
  while (!holds()) {
    if (performance.now() > last) throw new Error(`${what} did not happen within 10 s`);
    await Bun.sleep(5);
  }
}
