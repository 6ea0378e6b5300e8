/**
 * `npm run release`: dist/release with an archive for each platform, SHA256SUMS and manifest.json. The same commit gives the
 * same bytes. `--only NAME` makes one platform.
 */
import { createHash } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { create } from "tar";
import manifest from "../../package.json" with { type: "json" };
import { compileProgram, root } from "../binary.ts";
import { executableKind, type Platform, platforms } from "./platform.ts";
import { runtimeOf } from "./runtime.ts";

interface Made {
  readonly platform: Platform;
  readonly archive: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly binaryBytes: number;
  readonly runtimeBytes: number;
}

const { values } = parseArgs({ options: { only: { type: "string" }, out: { type: "string" } } });
const out = values.out ?? join(root, "dist", "release");
const wanted = platforms.filter(({ name }) => values.only === undefined || name === values.only);
if (wanted.length === 0) {
  console.error(`--only takes one of ${platforms.map(({ name }) => name).join(", ")}`);
  process.exit(2);
}

const sha256 = (path: string) => createHash("sha256").update(readFileSync(path)).digest("hex");

async function make(platform: Platform, work: string): Promise<Made> {
  const { name, target, format, machine } = platform;
  const runtime = await runtimeOf(platform.runtimePackage);
  const top = `phux-mcp-${manifest.version}-${name}`;
  const folder = join(work, top);
  mkdirSync(folder);
  const binary = join(folder, "phux-mcp");
  const failure = await compileProgram(binary, false, { target, runtime });
  if (failure !== null) throw new Error(`${name}: ${failure}`);
  const kind = executableKind(readFileSync(binary).subarray(0, 64));
  if (kind?.format !== format || kind.machine !== machine) {
    throw new Error(`${name}: the file is ${JSON.stringify(kind)}, not ${format} for ${machine}`);
  }
  chmodSync(binary, 0o755);
  copyFileSync(join(root, "LICENSE"), join(folder, "LICENSE"));
  copyFileSync(join(root, "src", "skill", "SKILL.md"), join(folder, "SKILL.md"));
  for (const file of ["LICENSE", "SKILL.md"]) chmodSync(join(folder, file), 0o644);
  const archive = `${top}.tar.gz`;
  const file = join(out, archive);
  // Names, modes and times are fixed, so that only the contents decide the sum.
  const files = ["LICENSE", "SKILL.md", "phux-mcp"].map((entry) => `${top}/${entry}`);
  await create({ file, cwd: work, gzip: { level: 9 }, portable: true, mtime: new Date(0) }, files);
  const sizes = {
    bytes: statSync(file).size,
    binaryBytes: statSync(binary).size,
    runtimeBytes: statSync(runtime).size,
  };
  return { platform, archive, sha256: sha256(file), ...sizes };
}

const mib = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1)} MiB`;

const work = mkdtempSync(join(tmpdir(), "phux-mcp-release-"));
try {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const made: Made[] = [];
  for (const platform of wanted) made.push(await make(platform, work));
  writeFileSync(join(out, "SHA256SUMS"), made.map((one) => `${one.sha256}  ${one.archive}\n`).join(""));
  const listed = made.map(({ platform, archive, sha256, bytes, binaryBytes }) => {
    return { platform: platform.name, archive, sha256, bytes, binary_bytes: binaryBytes };
  });
  const document = { name: "phux-mcp", version: manifest.version, archives: listed };
  writeFileSync(join(out, "manifest.json"), `${JSON.stringify(document, null, 2)}\n`);
  console.log("platform            archive     binary      runtime     ours");
  for (const { platform, bytes, binaryBytes, runtimeBytes } of made) {
    const cells = [mib(bytes), mib(binaryBytes), mib(runtimeBytes), mib(binaryBytes - runtimeBytes)];
    console.log([platform.name.padEnd(18), ...cells.map((cell) => cell.padEnd(10))].join("  ").trimEnd());
  }
  console.log(out);
} finally {
  rmSync(work, { recursive: true, force: true });
}
