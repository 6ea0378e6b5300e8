import { mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { deafRuntime } from "./deaf-runtime.ts";

export const root = join(import.meta.dir, "..");

/** A machine other than this one. */
export interface Foreign {
  /** As Bun names it, for example `bun-linux-arm64-musl`. */
  readonly target: Bun.Build.CompileTarget;
  /** The runtime's executable for that machine. */
  readonly runtime: string;
}

/**
 * Compiles the program into one self-contained executable, for this machine or for a foreign one. `plain` leaves out
 * minification and bytecode, which earn their place by the bench's start row (docs/decisions.md). Gives what went wrong, or
 * null.
 */
export async function compileProgram(outfile: string, plain: boolean, foreign?: Foreign): Promise<string | null> {
  mkdirSync(dirname(outfile), { recursive: true });
  // Elsewhere first: a half-written binary must never be run, and a running one must not be written over. The name is
  // always the same, for it stands in the file.
  const folder = mkdtempSync(join(dirname(outfile), ".build-"));
  try {
    const fresh = join(folder, "phux-mcp");
    const failure = await compileInto(fresh, folder, plain, foreign);
    if (failure === null) renameSync(fresh, outfile);
    return failure;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function compileInto(fresh: string, folder: string, plain: boolean, foreign?: Foreign): Promise<string | null> {
  const runtime = deafRuntime(foreign?.runtime ?? process.execPath, folder);
  if (!runtime.ok) return runtime.error;
  const built = await Bun.build({
    entrypoints: [join(root, "src", "main.ts")],
    minify: !plain,
    bytecode: !plain,
    // Modes and the tools' code are chunks of their own, read when they are first needed: half of a start's time.
    splitting: true,
    format: "esm",
    target: "bun",
    throw: false,
    compile: {
      outfile: fresh,
      executablePath: runtime.value,
      ...(foreign && { target: foreign.target }),
      // A folder that a host starts us in must not change what we are (tested in test/e2e).
      autoloadDotenv: false,
      autoloadBunfig: false,
      autoloadTsconfig: false,
      autoloadPackageJson: false,
    },
  });
  return built.success ? null : built.logs.map(String).join("\n") || "the build failed without a word";
}
