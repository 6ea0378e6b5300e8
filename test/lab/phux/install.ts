import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { agentPluginIn, installAgentPlugin } from "../agent/plugin.ts";

/** How Bun runs a script without a look at the folder it is started in, whose .env and bunfig.toml are not ours. */
export function bunAlone(bun: string): [string, string, string] {
  return [bun, "--no-env-file", "--config=/dev/null"];
}

/**
 * Makes a folder that can be put on PATH: it holds an executable `phux`, the lab's, and `lab-agent`. Gives the folder
 * back.
 *
 * The programs are bundled once, here: the adapter starts `phux` for each call, and reading one file in place of seventy
 * halves its start. They run on the Bun that runs us, and need nothing of the checkout.
 */
export async function installPhux(folder: string): Promise<string> {
  const scripts = join(folder, "phux-lab");
  mkdirSync(scripts, { recursive: true });
  const built = await Bun.build({
    entrypoints: [join(import.meta.dir, "main.ts"), join(import.meta.dir, "..", "agent", "lab-agent.ts")],
    outdir: scripts,
    naming: { entry: "[name].[ext]" },
    target: "bun",
    // Keeps the server, which only one verb needs, in a file of its own.
    splitting: true,
    minify: true,
    // Read only when something throws, so that the trace names our own lines.
    sourcemap: "linked",
  });
  if (!built.success) throw new AggregateError(built.logs, "the lab's phux cannot be bundled");
  install(join(folder, "phux"), process.execPath, join(scripts, "main.js"));
  // The kernel names a process after the file that was executed, and an agent is known by its name.
  const named = join(scripts, "lab-agent");
  if (!existsSync(named)) symlinkSync(process.execPath, named);
  install(join(folder, "lab-agent"), named, join(scripts, "lab-agent.js"));
  installAgentPlugin(agentPluginIn(folder));
  return folder;
}

function install(path: string, bun: string, script: string): void {
  // Bun takes a first `--` for its own.
  const command = [...bunAlone(bun), script, "--"].map(quoted).join(" ");
  writeFileSync(path, `#!/bin/sh\nexec ${command} "$@"\n`, { mode: 0o755 });
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
