/** Archives as `npm run release` makes them: the same twice, whole, and running on this machine. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { executableKind, platforms } from "../../scripts/release/platform.ts";

setDefaultTimeout(300_000);

const root = join(import.meta.dir, "..", "..");
const folder = mkdtempSync(join(tmpdir(), "phux-mcp-release-test-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function run(command: readonly string[]) {
  const child = Bun.spawn([...command], {
    stdout: "pipe",
    stderr: "pipe",
    stdin: "ignore",
  });
  const [out, error, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { out, error, code };
}

/** Makes the archives of one platform; the folder of the unpacked program, and the sums. */
async function released(name: string, round: string) {
  const out = join(folder, `${name}-${round}`);
  const script = join(root, "scripts", "release", "main.ts");
  const made = await run([process.execPath, script, "--only", name, "--out", out]);
  if (made.code !== 0) throw new Error(made.error);
  const sums = readFileSync(join(out, "SHA256SUMS"), "utf8");
  const archive = sums.trim().split("  ")[1] ?? "";
  await run(["tar", "-xzf", join(out, archive), "-C", out]);
  const manifest: unknown = JSON.parse(readFileSync(join(out, "manifest.json"), "utf8"));
  return { sums, manifest, archive, top: join(out, archive.replace(/\.tar\.gz$/, "")) };
}

const machine = process.arch === "arm64" ? "arm64" : "x64";

describe.skipIf(process.platform !== "linux")("a release for this machine", () => {
  const glibc = `linux-${machine}-glibc`;
  let first: Awaited<ReturnType<typeof released>>;
  beforeAll(async () => {
    first = await released(glibc, "first");
  });

  test("has the program, the licence and the guide, and a manifest that says so", async () => {
    for (const name of ["phux-mcp", "LICENSE", "SKILL.md"]) expect(existsSync(join(first.top, name))).toBe(true);
    expect(first.manifest).toMatchObject({
      name: "phux-mcp",
      archives: [{ platform: glibc, archive: first.archive, sha256: first.sums.slice(0, 64) }],
    });
    expect(executableKind(readFileSync(join(first.top, "phux-mcp")).subarray(0, 64))).toEqual({
      format: "ELF",
      machine,
    });
  });

  test("runs, and serves", async () => {
    const { out } = await run([join(first.top, "phux-mcp"), "--version"]);
    expect(out).toStartWith("phux-mcp ");
    expect(JSON.parse((await run([join(first.top, "phux-mcp"), "--schema"])).out)).toHaveLength(59);
  });

  test("made again it is the same to the byte", async () => {
    expect((await released(glibc, "second")).sums).toBe(first.sums);
  });

  const tools = ["musl-gcc", "patchelf"].every((name) => Bun.which(name) !== null);
  test.skipIf(!tools && process.env["PHUX_MCP_SKIP_NOTHING"] === undefined)(
    "the one for musl runs on musl",
    async () => {
      const { top } = await released(`linux-${machine}-musl`, "musl");
      const libraries = join(folder, "libraries");
      mkdirSync(libraries);
      const shim = join(libraries, "shim.so");
      expect(
        (await run(["musl-gcc", "-shared", "-fPIC", "-o", shim, join(import.meta.dir, "musl-shim.c")])).error,
      ).toBe("");
      for (const name of ["libstdc++.so.6", "libgcc_s.so.1"]) {
        const path = (await run(["gcc", `-print-file-name=${name}`])).out.trim();
        const copy = join(libraries, name);
        copyFileSync(path, copy);
        chmodSync(copy, 0o644);
        await run(["patchelf", "--remove-needed", "ld-linux-x86-64.so.2", copy]);
      }
      const env = { LD_PRELOAD: shim, LD_LIBRARY_PATH: libraries };
      const schema = await run([
        "/usr/bin/env",
        "-i",
        ...Object.entries(env).map((pair) => pair.join("=")),
        join(top, "phux-mcp"),
        "--schema",
      ]);
      expect(schema.error).toBe("");
      expect(JSON.parse(schema.out)).toHaveLength(59);
    },
  );
});

test("first bytes name format and machine", () => {
  const elf = (code: number) => Uint8Array.from([0x7f, 0x45, 0x4c, 0x46, ...new Array(14).fill(0), code, 0]);
  const macho = (code: number) => Uint8Array.from([0xcf, 0xfa, 0xed, 0xfe, code, 0, 0, 1, ...new Array(12).fill(0)]);
  expect(executableKind(elf(62))).toEqual({ format: "ELF", machine: "x64" });
  expect(executableKind(elf(183))).toEqual({ format: "ELF", machine: "arm64" });
  expect(executableKind(macho(7))).toEqual({ format: "Mach-O", machine: "x64" });
  expect(executableKind(macho(12))).toEqual({ format: "Mach-O", machine: "arm64" });
  for (const bytes of [elf(3), macho(3), new Uint8Array(4), new Uint8Array(40)])
    expect(executableKind(bytes)).toBeNull();
  expect(platforms.map(({ name }) => name)).toHaveLength(6);
});
