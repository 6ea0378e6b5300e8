import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { agentConfig } from "./agent/plugin.ts";
import { isReleaseName } from "./release.ts";
import { startLab } from "./server.ts";

type PhuxInstaller = { installPhux(folder: string): Promise<string> };

/** The folder with the lab's `phux` executable, or null in a checkout that does not have it. */
async function phuxFolder(folder: string): Promise<string | null> {
  const path = join(import.meta.dir, "phux", "install.ts");
  if (!existsSync(path)) return null;
  const installer: PhuxInstaller = await import(path);
  return installer.installPhux(join(folder, "bin"));
}

/** A configuration that knows the lab's agents; what the person has configured is left alone. */
function writeConfig(folder: string, bin: string): string {
  mkdirSync(join(folder, "phux"), { recursive: true });
  writeFileSync(join(folder, "phux", "config.toml"), agentConfig(bin));
  return folder;
}

function endOfInput(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  process.stdin.on("end", resolve).on("close", resolve).resume();
  return promise;
}

/** `npm run lab [-- 0.8|0.9|1.0]`: a phux to play with, until Ctrl-C or the end of input. */
async function main(): Promise<void> {
  const version = process.argv[2] ?? "1.0";
  if (!isReleaseName(version)) {
    process.stderr.write("usage: npm run lab [-- 0.8|0.9|1.0]\n");
    process.exit(2);
  }
  const folder = mkdtempSync(join(tmpdir(), "phux-lab-"));
  const lab = await startLab({ socket: join(folder, "phux.sock"), version, session: "main" });
  const bin = await phuxFolder(folder);
  const binary = join(import.meta.dir, "..", "..", "dist", "phux-mcp");
  const config = bin === null ? null : writeConfig(join(folder, "config"), bin);
  const variables = [
    `PHUX_SOCKET=${lab.socket}`,
    ...(bin === null ? [] : [`PATH=${bin}:$PATH`]),
    ...(config === null ? [] : [`XDG_CONFIG_HOME=${config}`]),
  ];
  const forHost = variables.map((pair) => `-e "${pair}"`).join(" ");
  process.stdout.write(`a phux ${version} server listens at ${lab.socket}

in a shell:        export ${variables.map((pair) => `"${pair}"`).join(" ")}
in Claude Code:    claude mcp add phux-lab ${forHost} -- ${binary}
any other host:    run ${binary} with ${variables.join(" and ")}

Ctrl-C, or the end of input, ends the server and everything that runs in it.
`);
  const interrupted = new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => resolve());
  });
  await Promise.race([interrupted, endOfInput(), lab.server.stopped]);
  await lab.stop();
  rmSync(folder, { recursive: true, force: true });
  process.exit(0);
}

await main();
