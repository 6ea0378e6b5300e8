import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { extract } from "tar";
import { root } from "../binary.ts";

/** Runtimes that were fetched and verified stay here: they are 40 MB each. */
const cache = join(root, "node_modules", ".cache", "phux-mcp-runtimes");

interface Pin {
  readonly version: string;
  readonly integrity: string;
}

/** The version and the sum that package-lock.json pins for a package. */
function pinOf(name: string): Pin {
  // Parse boundary: npm writes this file, and the two members are checked.
  const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
    readonly packages: Readonly<Record<string, Partial<Pin>>>;
  };
  const { version, integrity } = lock.packages[`node_modules/${name}`] ?? {};
  if (version === undefined || !integrity?.startsWith("sha512-")) throw new Error(`package-lock.json pins no ${name}`);
  return { version, integrity };
}

/** The executable of a runtime package, fetched from npm's registry when it is not here yet, and verified each time. */
export async function runtimeOf(name: string): Promise<string> {
  const pin = pinOf(name);
  mkdirSync(cache, { recursive: true });
  const tarball = join(cache, `${name.replace(/[@/]/g, "_")}-${pin.version}.tgz`);
  if (!existsSync(tarball)) await fetchTarball(`${name}@${pin.version}`, tarball);
  const sum = `sha512-${createHash("sha512").update(readFileSync(tarball)).digest("base64")}`;
  if (sum !== pin.integrity) {
    rmSync(tarball);
    throw new Error(`${name}@${pin.version} is not what package-lock.json pins: ${sum}`);
  }
  const folder = tarball.replace(/\.tgz$/, "");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  await extract({ file: tarball, cwd: folder, strip: 1 });
  return join(folder, "bin", "bun");
}

async function fetchTarball(spec: string, tarball: string): Promise<void> {
  const folder = `${tarball}.${process.pid}.tmp`;
  mkdirSync(folder);
  const packed = Bun.spawnSync(["npm", "pack", spec, "--silent", "--pack-destination", folder], { cwd: cache });
  const name = packed.stdout.toString().trim().split("\n").at(-1) ?? "";
  if (packed.exitCode !== 0 || name === "") throw new Error(`npm pack ${spec}: ${packed.stderr.toString().trim()}`);
  renameSync(join(folder, name), tarball);
  rmSync(folder, { recursive: true });
}
