import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { CborFloat, decodeCbor, encodeCbor, MAX_CBOR_DEPTH } from "../../src/wire/cbor.ts";
import type { ResourceId } from "../../src/wire/identity.ts";
import {
  decodeLayout,
  encodeLayout,
  type LayoutDocument,
  type LayoutNode,
  MAX_LAYOUT_BYTES,
} from "../../src/wire/layout-document.ts";
import { deriveWindowId } from "../../src/wire/window-id.ts";
import { describeShared, sharedJson } from "../shared.ts";
import { documentValue } from "./layout-vector.ts";
import { items, members } from "./vector.ts";
import { hex } from "./wire.ts";

const local = (id: number): ResourceId => ({ tag: "local", id });
const leaf = (id: number): LayoutNode => ({ kind: "leaf", pane: local(id) });

describe("window ids", () => {
  const cases: [pane: ResourceId, id: string][] = [
    [local(1), "35fe1302d6cbe89a26b6a6a84bc3e704"],
    [local(2), "3030fdda2df16117ccceb59da65c75dd"],
    [local(300), "b0926a184852b3f2167e9e776b37d2cd"],
    [{ tag: "satellite", host: "devbox", id: 4 }, "b31d4a989df9f7f4d7e276579c3bb1ba"],
    [{ tag: "satellite", host: "devbox", id: 7 }, "115f3e098114d4f4cea85bc6fbfe7c04"],
    [{ tag: "satellite", host: "", id: 5 }, "aa63128b47e728a79b7730c212f861d4"],
  ];
  test.each(cases)("%j", (pane, id) => expect(deriveWindowId(pane, new Set())).toBe(id));

  test("a taken id is stepped on", () => {
    expect(deriveWindowId(local(1), new Set(["35fe1302d6cbe89a26b6a6a84bc3e704"]))).toBe(
      "641155837afbbeb9bce83aa5b4a6f560",
    );
  });
});

const ratios: [ratio: number, cbor: string][] = [
  [0.5, "f93800"],
  [0.25, "f93400"],
  [0, "f90000"],
  [1, "f93c00"],
  [0.3, "fa3e99999a"],
  [0.65, "fa3f266666"],
];
describe("ratios are 32-bit floats in the shortest form", () => {
  test.each(ratios)("%d is %s", (ratio, cbor) => {
    const root: LayoutNode = { kind: "split", dir: "vertical", ratio, left: leaf(1), right: leaf(2) };
    const window = { name: "1", root, focused_terminal: local(1) };
    const bytes = encodeLayout({ version: 2, windows: [window], focused_window_index: 0 }, 2).toHex();
    expect(bytes).toContain(`65726174696f${cbor}`);
  });
});

const pane = fc.oneof(
  fc.record({ tag: fc.constant("local" as const), id: fc.integer({ min: 0, max: 0xffffffff }) }),
  fc.record({
    tag: fc.constant("satellite" as const),
    host: fc.string({ unit: "binary", maxLength: 8 }),
    id: fc.nat(),
  }),
);
const { node } = fc.letrec<{ node: LayoutNode; leaf: LayoutNode; split: LayoutNode }>((tie) => ({
  node: fc.oneof({ maxDepth: 5 }, tie("leaf"), tie("split")),
  leaf: fc.record({ kind: fc.constant("leaf" as const), pane }),
  split: fc.record({
    kind: fc.constant("split" as const),
    dir: fc.constantFrom("horizontal" as const, "vertical" as const),
    ratio: fc.float({ min: 0, max: 1, noNaN: true, noDefaultInfinity: true }),
    left: tie("node"),
    right: tie("node"),
  }),
}));
const windowId = fc
  .uint8Array({ minLength: 16, maxLength: 16 })
  .filter((id) => id.some((byte) => byte !== 0))
  .map((id) => id.toHex());
const layoutWindow = fc.record({
  id: windowId,
  name: fc.string({ unit: "binary" }),
  root: node,
  focused_terminal: pane,
});
const document = fc
  .uniqueArray(layoutWindow, { selector: ({ id }) => id, minLength: 1, maxLength: 4 })
  .map((windows): LayoutDocument => ({ version: 3, windows, focused_window_index: windows.length - 1 }));

describe("layout documents", () => {
  test("round trip in version 3", () => {
    const holds = fc.property(document, (layout) => {
      expect(decodeLayout(encodeLayout(layout, 3), 3)).toEqual({ ok: true, value: layout });
    });
    fc.assert(holds);
  });

  test("version 2 has no window ids, and neither version reads the other", () => {
    const holds = fc.property(document, (layout) => {
      const windows = layout.windows.map(({ id: _, ...rest }) => rest);
      const bytes = encodeLayout(layout, 2);
      expect(decodeLayout(bytes, 2)).toEqual({ ok: true, value: { ...layout, version: 2, windows } });
      expect(decodeLayout(bytes, 3)).toMatchObject({ error: { code: "unsupported_version" } });
      expect(decodeLayout(encodeLayout(layout, 3), 2)).toMatchObject({ error: { code: "unsupported_version" } });
    });
    fc.assert(holds, { numRuns: 50 });
  });

  test("any bytes give a document or a typed error", () => {
    const holds = fc.property(document, fc.nat(), fc.integer({ min: 0, max: 255 }), (layout, at, byte) => {
      const bytes = encodeLayout(layout, 3);
      bytes[at % bytes.length] = byte;
      for (const input of [bytes, bytes.subarray(0, at % bytes.length)]) {
        const decoded = decodeLayout(input, 3);
        if (decoded.ok) expect(decodeLayout(encodeLayout(decoded.value, 3), 3)).toEqual(decoded);
      }
    });
    fc.assert(holds, { numRuns: 500 });
  });

  test("what has no encoding is a bug of the caller", () => {
    const seed = { name: "1", root: leaf(1), focused_terminal: local(1) };
    const one = (window: typeof seed & { id?: string }): LayoutDocument => ({
      version: 3,
      windows: [window],
      focused_window_index: 0,
    });
    const tilted: LayoutNode = { kind: "split", dir: "vertical", ratio: 1.5, left: leaf(1), right: leaf(2) };
    expect(() => encodeLayout({ version: 2, windows: [], focused_window_index: 0 }, 2)).toThrow(RangeError);
    expect(() => encodeLayout(one(seed), 3)).toThrow(RangeError);
    expect(() => encodeLayout(one({ ...seed, id: "0".repeat(32) }), 3)).toThrow(RangeError);
    expect(() => encodeLayout(one({ ...seed, root: tilted }), 2)).toThrow(RangeError);
  });

  test("size and depth are bounded", () => {
    expect(decodeLayout(new Uint8Array(MAX_LAYOUT_BYTES + 1), 3)).toMatchObject({ error: { code: "too_large" } });
    const deep = new Uint8Array(MAX_LAYOUT_BYTES).fill(0x81);
    expect(decodeLayout(deep, 3)).toMatchObject({ error: { code: "malformed" } });
    const wide = hex("9a ffffffff");
    expect(decodeLayout(wide, 3)).toMatchObject({ error: { code: "malformed" } });
    expect(MAX_CBOR_DEPTH).toBeGreaterThan(256);
  });
});

describe("CBOR (RFC 8949, appendix A)", () => {
  const values: [bytes: string, value: Parameters<typeof encodeCbor>[0]][] = [
    ["00", 0],
    ["17", 23],
    ["1818", 24],
    ["1903e8", 1_000],
    ["1a000f4240", 1_000_000],
    ["1b000000e8d4a51000", 1_000_000_000_000],
    ["1bffffffffffffffff", 18_446_744_073_709_551_615n],
    ["20", -1],
    ["3903e7", -1_000],
    ["f90000", new CborFloat(0)],
    ["f98000", new CborFloat(-0)],
    ["f93e00", new CborFloat(1.5)],
    ["fa47c35000", new CborFloat(100_000)],
    ["fb3ff199999999999a", new CborFloat(1.1)],
    ["f97c00", new CborFloat(Number.POSITIVE_INFINITY)],
    ["f97e00", new CborFloat(Number.NaN)],
    ["f5", true],
    ["f6", null],
    ["4401020304", hex("01020304")],
    ["62c3bc", "ü"],
    ["83010203", [1, 2, 3]],
    [
      "a2616101616282 0203",
      new Map<string, number | number[]>([
        ["a", 1],
        ["b", [2, 3]],
      ]),
    ],
  ];
  test.each(values)("%s", (bytes, value) => {
    expect(encodeCbor(value).toHex()).toBe(hex(bytes).toHex());
    expect(decodeCbor(hex(bytes))).toEqual({ ok: true, value });
  });

  const refused: [rule: string, bytes: string][] = [
    ["nothing", ""],
    ["two items", "0000"],
    ["a cut text", "6261"],
    ["text that is not UTF-8", "62fffe"],
    ["an indefinite array", "9f01ff"],
    ["a reserved head", "1c"],
    ["a number as a map key", "a10102"],
    ["a key twice", "a2616101616102"],
    ["more items than bytes", "9b00ffffffffffffff"],
  ];
  test.each(refused)("%s is malformed", (_, bytes) => {
    expect(decodeCbor(hex(bytes))).toMatchObject({ ok: false, error: { code: "malformed" } });
  });
});

describeShared("vectors/layouts.json and the documents of wire.json", () => {
  const file = members(sharedJson("vectors/layouts.json"));
  const decode = items(file["decode"]).map(members);
  test.each(decode.map((row) => [String(row["name"]), row] as const))("%s", (_, row) => {
    const decoded = decodeLayout(hex(String(row["hex"])), 3);
    if (row["ok"] !== true) {
      expect(decoded).toMatchObject({ ok: false, error: { code: row["error"] } });
      return;
    }
    expect(decoded.ok).toBe(true);
    if (decoded.ok && "focused_window_index" in row) {
      expect<unknown>(decoded.value.focused_window_index).toBe(row["focused_window_index"]);
    }
  });

  test("every document of the edits encodes to its bytes", () => {
    const rows = [...items(file["edits"]), ...items(file["cross_session"])].map(members);
    const all = rows.flatMap((row) =>
      Object.entries(row).filter(([key, value]) => key.endsWith("_hex") && value !== null),
    );
    expect(all.length).toBeGreaterThan(40);
    for (const [, bytes] of all) {
      const decoded = decodeLayout(hex(String(bytes)), 3);
      if (!decoded.ok) throw new Error(`${String(bytes)}: ${decoded.error.message}`);
      expect(encodeLayout(decoded.value, 3).toHex()).toBe(String(bytes));
    }
  });

  test("ratios", () => {
    for (const { input, f32, cbor } of items(file["ratios"]).map(members)) {
      expect(Math.fround(Number(input))).toBe(Number(f32));
      expect(encodeCbor(new CborFloat(Math.fround(Number(input)))).toHex()).toBe(String(cbor));
    }
  });

  const documents = items(sharedJson("vectors/wire.json"))
    .map(members)
    .filter(({ frame }) => String(frame).startsWith("(document)"));
  test.each(documents.map((row) => [String(row["name"]), row] as const))("%s", (_, { value, hex: bytes }) => {
    const version = members(value)["version"] === 2 ? 2 : 3;
    const decoded = decodeLayout(hex(String(bytes)), version);
    if (!decoded.ok) throw new Error(decoded.error.message);
    expect(documentValue(decoded.value)).toEqual(value);
    expect(encodeLayout(decoded.value, version).toHex()).toBe(String(bytes));
  });
});
