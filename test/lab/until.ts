const patienceMs = 15_000;

/** Polls for a condition of a test, every few milliseconds, and throws when it does not come true in time. */
export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + patienceMs;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`waited in vain until ${what}`);
    await Bun.sleep(5);
  }
}
