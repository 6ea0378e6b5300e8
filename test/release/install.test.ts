/** scripts/install.sh on releases of a folder and of an address, with programs that are small scripts. */
import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { create } from "tar";

setDefaultTimeout(30_000);

const script = join(import.meta.dir, "..", "..", "scripts", "install.sh");
let folder = "";
const at = (...names: string[]) => join(folder, ...names);
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "phux-mcp-install-"));
  for (const name of ["release", "bin", "fake"]) mkdirSync(at(name));
  executable(at("bin", "phux"), "#!/bin/sh\n");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function executable(path: string, text: string): void {
  writeFileSync(path, text);
  chmodSync(path, 0o755);
}

const program = (version: string) => `#!/bin/sh\necho 'phux-mcp ${version}'\n`;

/** A release for these platforms whose program is this text. */
async function release(text: string, ...platforms: string[]): Promise<void> {
  let sums = "";
  for (const platform of platforms) {
    const top = `phux-mcp-1.2.3-${platform}`;
    mkdirSync(at("work", top), { recursive: true });
    executable(at("work", top, "phux-mcp"), text);
    writeFileSync(at("work", top, "LICENSE"), "x");
    const file = at("release", `${top}.tar.gz`);
    await create({ file, cwd: at("work"), gzip: true }, [top]);
    sums += `${new Bun.CryptoHasher("sha256").update(readFileSync(file)).digest("hex")}  ${top}.tar.gz\n`;
  }
  writeFileSync(at("release", "SHA256SUMS"), sums);
}

const here = `linux-${process.arch === "arm64" ? "arm64" : "x64"}-glibc`;

async function install(args: readonly string[], path = `${at("fake")}:${at("bin")}:/usr/bin:/bin`) {
  const child = Bun.spawn(["/bin/sh", script, ...args], {
    env: { PATH: path, HOME: folder },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [said, code] = await Promise.all([new Response(child.stderr).text(), child.exited]);
  return { code, said };
}

/** Nothing but what was there, and no temp folder. */
const left = () => readdirSync(at("bin")).sort();

describe("the installer", () => {
  test("puts the program beside phux, says what it did, and replaces an older one", async () => {
    await release(program("1.2.3"), here, "linux-arm64-musl", "macos-arm64");
    const first = await install([at("release")]);
    expect(first).toMatchObject({
      code: 0,
      said: expect.stringContaining(`installed phux-mcp 1.2.3 in ${at("bin", "phux-mcp")}`),
    });
    await release(program("1.2.4"), here);
    const second = await install([`${at("release")}/`]);
    expect(second.said).toContain("installed phux-mcp 1.2.4");
    expect(second.said).toContain("in place of phux-mcp 1.2.3");
    expect(left()).toEqual(["phux", "phux-mcp"]);
  });

  test("beside the program itself when phux is a link, also a relative one", async () => {
    await release(program("1.2.3"), here);
    mkdirSync(at("links"));
    symlinkSync("../bin/phux", at("links", "one"));
    symlinkSync("one", at("links", "phux"));
    const { code } = await install([at("release")], `${at("links")}:/usr/bin:/bin`);
    expect([code, left()]).toEqual([0, ["phux", "phux-mcp"]]);
  });

  test("from an address, whole", async () => {
    await release(program("1.2.3"), here);
    using server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: (request) => new Response(Bun.file(at("release", new URL(request.url).pathname.slice(1)))),
    });
    const { code, said } = await install([`http://127.0.0.1:${server.port}`]);
    expect(`${code} ${said}`).toContain("0 install.sh: installed phux-mcp 1.2.3");
  });

  test("musl is found by what ldd says, and macOS by uname", async () => {
    await release(program("musl"), here.replace("glibc", "musl"), "macos-arm64");
    executable(at("fake", "ldd"), "#!/bin/sh\necho 'musl libc (x86_64)' >&2\nexit 1\n");
    expect((await install([at("release")])).said).toContain("installed phux-mcp musl");
    executable(at("fake", "uname"), '#!/bin/sh\n[ "$1" = -m ] && echo arm64 || echo Darwin\n');
    expect((await install([at("release")])).code).toBe(0);
  });

  const refusals: [
    why: string,
    prepare: () => void | Promise<void>,
    args: () => string[],
    code: number,
    says: RegExp,
  ][] = [
    ["nothing named", () => {}, () => [], 2, /which release/],
    ["a strange option", () => {}, () => [at("release"), "--force"], 2, /unknown option --force/],
    ["no such folder", () => {}, () => [at("none")], 1, /no SHA256SUMS in/],
    ["an address that anyone on the way can change", () => {}, () => ["http://example.org/x"], 1, /only https/],
    [
      "no archive for this machine",
      () => release(program("1"), "macos-x64"),
      () => [at("release")],
      1,
      /no archive for linux/,
    ],
    [
      "an archive that was changed",
      async () => {
        await release(program("1"), here);
        writeFileSync(at("release", `phux-mcp-1.2.3-${here}.tar.gz`), "other");
      },
      () => [at("release")],
      1,
      /is not what SHA256SUMS says: nothing was installed/,
    ],
    [
      "a program that does not run",
      () => release("#!/bin/sh\necho broken >&2\nexit 3\n", here),
      () => [at("release")],
      1,
      /does not run here: broken/,
    ],
    [
      "another system",
      () => executable(at("fake", "uname"), "#!/bin/sh\necho Plan9\n"),
      () => [at("release")],
      1,
      /no phux-mcp for a Plan9|for Linux and macOS/,
    ],
    [
      "a folder that is none",
      () => release(program("1"), here),
      () => [at("release"), "--to", at("none")],
      1,
      /is no folder/,
    ],
  ];
  test.each(refusals)("%s: a sentence, and nothing is changed", async (_, prepare, args, code, says) => {
    executable(at("bin", "phux-mcp"), program("0.9"));
    await prepare();
    const refused = await install(args());
    expect(refused.code).toBe(code);
    expect(refused.said).toMatch(says);
    expect(left()).toEqual(["phux", "phux-mcp"]);
    expect(readFileSync(at("bin", "phux-mcp"), "utf8")).toBe(program("0.9"));
  });

  test("without phux it says so, and takes --to", async () => {
    await release(program("1.2.3"), here);
    mkdirSync(at("elsewhere"));
    const none = await install([at("release")], "/usr/bin:/bin");
    expect(none).toMatchObject({ code: 1, said: expect.stringContaining("no phux on PATH") });
    expect((await install([at("release"), `--to=${at("elsewhere")}`], "/usr/bin:/bin")).code).toBe(0);
    expect(existsSync(at("elsewhere", "phux-mcp"))).toBe(true);
  });
});
