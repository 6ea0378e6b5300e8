/** Lines for whoever reads the server's stderr; nobody has to. */
import { oneLine } from "../text/clean.ts";
import { outputTo } from "./output.ts";
import type { ByteSink } from "./writer.ts";

/** What an unread stderr may cost; lines beyond it are dropped. */
const UNREAD_CHARACTERS = 64 * 1024;

let unread = 0;
let writer: ByteSink | null = null;

/** Writes one line of at most 300 characters. Never throws and never waits, also when stderr is closed or not read. */
export function complain(text: string): void {
  if (unread > UNREAD_CHARACTERS) return;
  const line = `${oneLine(text)}\n`;
  unread += line.length;
  void write(line).finally(() => {
    unread -= line.length;
  });
}

async function write(line: string): Promise<void> {
  try {
    writer ??= outputTo(Bun.stderr, 2);
    await Promise.all([writer.write(line), writer.flush()]);
  } catch {
    // The only place to tell of it would be stderr.
  }
}
