import type { Foreign } from "../binary.ts";

/** A machine that a release is made for. */
export interface Platform {
  /** Part of the archive's name, and what scripts/install.sh works out from `uname` and the C library. */
  readonly name: string;
  readonly target: Foreign["target"];
  /** The npm package with the runtime for it. */
  readonly runtimePackage: string;
  /** What the finished file must say of itself. */
  readonly format: "ELF" | "Mach-O";
  readonly machine: "x64" | "arm64";
}

const linux = (machine: "x64" | "arm64", library: "glibc" | "musl"): Platform => {
  const runtime = `linux-${machine === "x64" ? "x64" : "aarch64"}${library === "musl" ? "-musl" : ""}`;
  return {
    name: `linux-${machine}-${library}`,
    target: library === "musl" ? `bun-linux-${machine}-musl` : `bun-linux-${machine}`,
    runtimePackage: `@oven/bun-${runtime}`,
    format: "ELF",
    machine,
  };
};

const macos = (machine: "x64" | "arm64"): Platform => ({
  name: `macos-${machine}`,
  target: `bun-darwin-${machine}`,
  runtimePackage: `@oven/bun-darwin-${machine === "x64" ? "x64" : "aarch64"}`,
  format: "Mach-O",
  machine,
});

export const platforms: readonly Platform[] = [
  linux("x64", "glibc"),
  linux("x64", "musl"),
  linux("arm64", "glibc"),
  linux("arm64", "musl"),
  macos("x64"),
  macos("arm64"),
];

/** The format and the machine that an executable's first bytes name; null for anything else. */
export function executableKind(head: Uint8Array): Pick<Platform, "format" | "machine"> | null {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  if (head.length < 20) return null;
  if (view.getUint32(0) === 0x7f454c46) {
    const machine = ({ 62: "x64", 183: "arm64" } as const)[view.getUint16(18, true)];
    return machine === undefined ? null : { format: "ELF", machine };
  }
  if (view.getUint32(0, true) !== 0xfeedfacf) return null;
  const machine = ({ 16777223: "x64", 16777228: "arm64" } as const)[view.getUint32(4, true)];
  return machine === undefined ? null : { format: "Mach-O", machine };
}
