import { writeSync } from "node:fs";
import { isGone } from "../mcp/gone.ts";

/** How long a reader that takes nothing is waited for before the next try. */
const RETRY_MS = 5;

/**
 * Writes the whole text to stdout and leaves the exit status in order: 0 also when the reader went away, 1 with one line
 * on stderr for any other failure (tools.md section 2).
 */
export async function print(text: string): Promise<void> {
  let left = new TextEncoder().encode(text);
  while (left.length > 0) {
    try {
      left = left.subarray(writeSync(1, left));
    } catch (error) {
      if (isGone(error)) return;
      const code = error instanceof Error && "code" in error ? error.code : null;
      if (code !== "EAGAIN") {
        complain(`phux-mcp: stdout cannot be written: ${error instanceof Error ? error.message : String(error)}`);
        process.exitCode = 1;
        return;
      }
      await Bun.sleep(RETRY_MS);
    }
  }
}

/** One line on stderr; a stderr that is closed is nobody's loss. */
export function complain(line: string): void {
  try {
    writeSync(2, `${line}\n`);
  } catch {}
}
