/** Compiles a program as the product is compiled, so that a test drives the same start, stdin, stdout and exit. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Compiled {
  readonly path: string;
  remove(): void;
}

/** @param source a module beside this one */
export async function compile(source: string): Promise<Compiled> {
  const folder = mkdtempSync(join(tmpdir(), "phux-mcp-test-"));
  const path = join(folder, "program");
  const flags = ["--compile", "--minify", "--bytecode", "--format=esm", "--no-compile-autoload-dotenv"];
  const build = Bun.spawn(
    [
      process.execPath,
      "build",
      ...flags,
      "--no-compile-autoload-bunfig",
      join(import.meta.dir, source),
      "--outfile",
      path,
    ],
    { stdout: "pipe", stderr: "pipe", timeout: 60_000 },
  );
  const said = await new Response(build.stderr).text();
  if ((await build.exited) !== 0) throw new Error(`the build of ${source} failed: ${said}`);
  return { path, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
