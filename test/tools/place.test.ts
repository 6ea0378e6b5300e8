import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { thisPlace } from "../../src/tools/place.ts";
import { errorIn, valueIn } from "../phux/dialled.ts";

const folder = mkdtempSync(join(tmpdir(), "phux-place-"));
const names = ["PHUX_SOCKET", "PHUX_PROFILE", "XDG_RUNTIME_DIR"] as const;
const before = names.map((name) => [name, process.env[name]] as const);
afterAll(() => {
  for (const [name, value] of before) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  for (const name of names) delete process.env[name];
});

/** A socket at a path, its folder made with this mode. */
function listening(name: string, mode = 0o700): string {
  const home = join(folder, name);
  mkdirSync(home, { recursive: true });
  const path = join(home, "phux.sock");
  const listener = Bun.listen({ unix: path, socket: { data() {} } });
  chmodSync(home, mode);
  afterAll(() => listener.stop(true));
  return path;
}

describe("the socket of a call", () => {
  test("is the argument, else PHUX_SOCKET, else the default", () => {
    const place = thisPlace(() => {});
    process.env["PHUX_SOCKET"] = "/named.sock";
    expect(valueIn(place.socket("/argument.sock")).path).toBe("/argument.sock");
    expect(valueIn(place.socket(undefined)).path).toBe("/named.sock");
    process.env["PHUX_SOCKET"] = "";
    process.env["XDG_RUNTIME_DIR"] = "/run/here";
    expect(valueIn(place.socket(undefined)).path).toBe("/run/here/phux/phux.sock");
    process.env["PHUX_PROFILE"] = "work";
    expect(valueIn(place.socket(undefined)).path).toBe("/run/here/phux-work/phux.sock");
  });

  const modes: [mode: number, safe: boolean][] = [
    [0o700, true],
    [0o755, true],
    [0o770, false],
    [0o777, false],
    [0o1777, true],
  ];
  test.each(modes)("in a folder of mode %o", (mode, safe) => {
    const path = listening(`mode-${mode.toString(8)}`, mode);
    const found = thisPlace(() => {}).socket(path);
    expect(found.ok).toBe(safe);
    if (!safe)
      expect(errorIn(found)).toMatchObject({ code: "transport", message: expect.stringContaining("not safe") });
  });

  // Only root can give a file away.
  test.skipIf(process.getuid?.() !== 0)("that a stranger owns", () => {
    const socket = listening("stranger");
    chownSync(socket, 12_345, 12_345);
    expect(errorIn(thisPlace(() => {}).socket(socket)).message).toContain("12345");
    const home = listening("stranger-home");
    chownSync(join(home, ".."), 12_345, 12_345);
    expect(errorIn(thisPlace(() => {}).socket(home)).message).toContain("12345");
  });

  test("that is not there is left to connect, which says why", () => {
    for (const path of [join(folder, "absent"), join(folder, "no", "such"), "/dev/null/x"]) {
      expect(valueIn(thisPlace(() => {}).socket(path)).path).toBe(path);
    }
  });
});

describe("the default socket", () => {
  const found = () => valueIn(thisPlace(() => {}).socket(undefined));

  test("is found when one stands there; one that was named is not a find", () => {
    process.env["XDG_RUNTIME_DIR"] = folder;
    expect(found()).toMatchObject({ origin: "default", found: false });
    const path = listening("phux");
    expect(found()).toEqual({ path, origin: "default", found: true });
    process.env["PHUX_SOCKET"] = "/named.sock";
    expect(found()).toMatchObject({ origin: "PHUX_SOCKET", found: false });
  });

  test("is no plain file, but the socket behind a link", () => {
    process.env["XDG_RUNTIME_DIR"] = join(folder, "linked");
    mkdirSync(join(folder, "linked", "phux"), { recursive: true });
    const at = join(folder, "linked", "phux", "phux.sock");
    writeFileSync(at, "");
    expect(found().found).toBe(false);
    rmSync(at);
    symlinkSync(listening("behind"), at);
    expect(found()).toEqual({ path: at, origin: "default", found: true });
  });
});
