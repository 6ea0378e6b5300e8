import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { processRow } from "../process-table.ts";

const WAIT_MS = 5_000;
const POLL_MS = 10;

/**
 * Does something while no other process does it under the same lock. A lock whose holder was killed is taken over.
 * Throws when the lock cannot be written, or is held too long.
 */
export async function whileAlone<T>(lock: string, work: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + WAIT_MS;
  while (!take(lock)) {
    if (Date.now() > deadline) throw new Error(`process ${holderOf(lock)} holds ${lock}`);
    await Bun.sleep(POLL_MS);
  }
  try {
    return await work();
  } finally {
    rmSync(lock, { force: true });
  }
}

function take(lock: string): boolean {
  // A link appears at once with its content, which a new file does not.
  const own = `${lock}.${process.pid}`;
  writeFileSync(own, String(process.pid));
  try {
    linkSync(own, lock);
    return true;
  } catch {
    const holder = holderOf(lock);
    if (holder !== null && processRow(holder) === null) rmSync(lock, { force: true });
    return false;
  } finally {
    rmSync(own, { force: true });
  }
}

function holderOf(lock: string): number | null {
  try {
    return Number(readFileSync(lock, "utf8"));
  } catch {
    return null;
  }
}
