// Runs a script of ours under the pinned Bun, on a machine that has only Node and npm: installs the packages first when
// the lock file says so. `node scripts/bun.mjs scripts/demo.ts ARGS…`. Plain Node, because nothing else is there yet.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const stamp = join(root, "node_modules", ".installed-from");

/** The packages on disk are those of this lock file. */
function install() {
  const lock = createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === lock) return;
  console.error("installing packages (once)…");
  const npm = spawnSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: root,
    stdio: ["ignore", 2, 2],
  });
  if (npm.status !== 0) {
    console.error("npm ci failed: the packages of package-lock.json could not be installed");
    process.exit(npm.status ?? 1);
  }
  writeFileSync(stamp, lock);
}

/** The executable out of the packages. npm may be told to run no install scripts; then the package's own copy serves. */
function bunExecutable() {
  const linked = join(root, "node_modules", "bun", "bin", "bun.exe");
  const works = existsSync(linked) && spawnSync(linked, ["--version"]).status === 0;
  if (works) return linked;
  const variants = [`bun-${process.platform}-${process.arch}`, `bun-${process.platform}-${process.arch}-baseline`];
  const names = variants.flatMap((name) => [name.replace("-arm64", "-aarch64"), `${name}-musl`]);
  for (const name of names) {
    const own = join(root, "node_modules", "@oven", name, "bin", "bun");
    if (existsSync(own)) return own;
  }
  console.error(`no Bun for ${process.platform} ${process.arch} among the installed packages`);
  process.exit(1);
}

install();
const bun = spawn(bunExecutable(), process.argv.slice(2), { cwd: root, stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => bun.kill(signal));
bun.on("error", (error) => {
  console.error(`Bun could not be started: ${error.message}`);
  process.exit(1);
});
bun.on("exit", (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));
