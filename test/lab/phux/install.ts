import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** How Bun runs a script without a look at the folder it is started in, whose .env and bunfig.toml are not ours. */
export function bunAlone(bun: string): [string, string, string] {
  return [bun, "--no-env-file", "--config=/dev/null"];
}

/**
 * Makes a folder that can be put on PATH: it holds an executable `phux`, the lab's. Gives the folder back.
 *
 * The program is bundled once, here: the adapter starts it for each call, and reading one file in place of seventy
 * halves its start. It runs on the Bun that runs us, and needs nothing of the checkout.
 */
export async function installPhux(folder: string): Promise<string> {
  const scripts = join(folder, "phux-lab");
  mkdirSync(scripts, { recursive: true });
  const built = await Bun.build({
    entrypoints: [join(import.meta.dir, "main.ts")],
    outdir: scripts,
    target: "bun",
    // Keeps the server, which only one verb needs, in a file of its own.
    splitting: true,
    minify: true,
    // Read only when something throws, so that the trace names our own lines.
    sourcemap: "linked",
  });
  if (!built.success) throw new AggregateError(built.logs, "the lab's phux cannot be bundled");
  // Bun takes a first `--` for its own.
  const command = [...bunAlone(process.execPath), join(scripts, "main.js"), "--"].map(quoted).join(" ");
  writeFileSync(join(folder, "phux"), `#!/bin/sh\nexec ${command} "$@"\n`, { mode: 0o755 });
  return folder;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
