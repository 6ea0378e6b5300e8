/** What registering and removing promise for every text: nothing but the entry changes, and it comes out again. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parse } from "jsonc-parser";
import type { Entry } from "../../src/hosts/entry.ts";
import type { EntryPlace, FileText, Format } from "../../src/hosts/format.ts";
import { jsonFormat } from "../../src/hosts/json-format.ts";
import { tomlFormat } from "../../src/hosts/toml-format.ts";
import { valueIn } from "../phux/dialled.ts";
import { jsonText } from "./random-json.ts";
import { tomlText } from "./random-toml.ts";

const RUNS = 1_000;
const entry: Entry = [
  { key: "type", value: "stdio" },
  { key: "command", value: "/opt/phux tools/phux-mcp" },
  { key: "args", value: ["--tools", 'a "b" \\ ü \u007f'] },
  { key: "env", variables: [["PHUX_SOCKET", "/run/x y.sock"]] },
  { key: "enabled", value: true, once: true },
];
const wanted = {
  type: "stdio",
  command: "/opt/phux tools/phux-mcp",
  args: ["--tools", 'a "b" \\ ü \u007f'],
  env: { PHUX_SOCKET: "/run/x y.sock" },
  enabled: true,
};
const other: Entry = [
  { key: "command", value: "/other" },
  { key: "args", value: [] },
];

type Tree = Record<string, unknown>;
const treeOf = (value: unknown): Tree =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};

/** The document without the entry; without the servers when none is left. */
function others(document: unknown, { servers, name }: EntryPlace): unknown {
  const root = treeOf(document);
  const { [name]: _, ...rest } = treeOf(root[servers]);
  const { [servers]: __, ...above } = root;
  return Object.keys(rest).length === 0 ? above : { ...above, [servers]: rest };
}

const strip = (text: string) => text.replace(/^\ufeff/, "");
const languages: [
  language: string,
  format: Format,
  texts: fc.Arbitrary<string>,
  read: (text: string) => unknown,
  place: EntryPlace,
][] = [
  ["JSON", jsonFormat("jsonc"), jsonText, (text) => parse(strip(text)), { servers: "mcpServers", name: "phux" }],
  ["TOML", tomlFormat, tomlText, (text) => Bun.TOML.parse(strip(text)), { servers: "mcp_servers", name: "phux.1" }],
];

describe.each(languages)("any %s", (_, format, texts, read, place) => {
  const documents: fc.Arbitrary<FileText> = fc.oneof(
    { weight: 50, arbitrary: texts },
    { weight: 1, arbitrary: fc.constant(null) },
  );
  /** Runs the property on texts that can hold servers; enough of them can. */
  function always(property: (text: FileText, registered: string) => void) {
    let held = 0;
    fc.assert(
      fc.property(documents, (text) => {
        const registered = format.withEntry(text, place, entry);
        if (!registered.ok) return;
        held += 1;
        property(text, registered.value);
      }),
      { numRuns: RUNS },
    );
    expect(held).toBeGreaterThan(RUNS / 2);
  }

  test("registered, it is there as it should be, and everything else as it was", () => {
    always((text, registered) => {
      const document = read(registered);
      expect(treeOf(treeOf(document)[place.servers])[place.name]).toEqual(wanted);
      expect(others(document, place)).toEqual(others(text === null ? {} : read(text), place));
    });
  });

  test("removed, every byte is as before", () => {
    always((text, registered) => expect(valueIn(format.withoutEntry(registered, place))).toBe(text));
  });

  test("registered twice is registered once", () => {
    always((_text, registered) => expect(valueIn(format.withEntry(registered, place, entry))).toBe(registered));
  });

  test("brought up to date and removed, every byte is as before", () => {
    const newer: Entry = [
      { key: "type", value: "stdio" },
      { key: "command", value: "phux" },
      { key: "args", value: ["mcp"] },
      {
        key: "env",
        variables: [
          ["PHUX_SOCKET", ""],
          ["MORE", "1"],
        ],
      },
    ];
    always((text, registered) => {
      const updated = valueIn(format.withEntry(registered, place, newer));
      const found = treeOf(treeOf(treeOf(read(updated))[place.servers])[place.name]);
      expect(found).toEqual({ ...wanted, command: "phux", args: ["mcp"], env: { PHUX_SOCKET: "", MORE: "1" } });
      expect(valueIn(format.withoutEntry(updated, place))).toBe(text);
    });
  });

  test("two servers come out again in either order", () => {
    const second = { ...place, name: "second" };
    always((text, registered) => {
      const both = valueIn(format.withEntry(registered, second, other));
      const lastOut = valueIn(format.withoutEntry(valueIn(format.withoutEntry(both, second)), place));
      expect(lastOut).toBe(text);
      const firstOut = valueIn(format.withoutEntry(both, place));
      expect(others(read(firstOut ?? ""), second)).toEqual(others(text === null ? {} : read(text), second));
      const document = read(valueIn(format.withoutEntry(firstOut, second)) ?? "");
      expect(others(document, second)).toEqual(others(text === null ? {} : read(text), second));
    });
  });

  test("what is refused names a place, and reads the same for every question", () => {
    fc.assert(
      fc.property(fc.oneof(texts, fc.string({ maxLength: 40 })), (text) => {
        const answers = [
          format.withEntry(text, place, entry),
          format.withoutEntry(text, place),
          format.entryIn(text, place),
        ];
        const refused = answers.filter((answer) => !answer.ok);
        expect([0, 3]).toContain(refused.length);
        for (const answer of refused) if (!answer.ok) expect(answer.error.place).not.toBeNull();
      }),
      { numRuns: RUNS },
    );
  });
});
