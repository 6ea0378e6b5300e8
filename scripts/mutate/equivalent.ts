/**
 * Mutants that change nothing a caller could see, by file and by the text of the line, each with the reason. A mutant that
 * no test notices and that does not stand here is a test that is missing.
 */
export const equivalent: readonly { readonly source: string; readonly line: string; readonly why: string }[] = [
  {
    source: "src/phux/key-sequence.ts",
    line: "const typed = codePoint < 0x20 || codePoint === 0x7f ? typedKey(codePoint) : null;",
    why: "a blank is a printing key, which was looked for before",
  },
  {
    source: "src/phux/socket-path.ts",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a line of another file
    line: 'return path.length <= 200 ? path : `${path.slice(0, 200).replace(/[\\ud800-\\udbff]$/, "")}…`;',
    why: "the same text, with an ellipsis behind it",
  },
  {
    source: "src/tools/arguments.ts",
    line: 'if (schema.type === "optional" && "wrapped" in schema) return wantedType(schema.wrapped as v.GenericSchema);',
    why: "a schema wraps another exactly when it is optional",
  },
  {
    source: "src/tools/cut.ts",
    line: "const longest = hints.reduce((a, b) => (b.bytes > a.bytes ? b : a));",
    why: "of two hints of the same size either is the longest",
  },
  {
    source: "src/tools/cut.ts",
    line: "const group = cut.base64 === true && /^[A-Za-z0-9+/]*={0,2}$/.test(value) ? 4 : 1;",
    why: "a text that could be base64 loses up to three characters more, and fits as well",
  },
  ...(
    [
      [
        "src/tools/cut.ts",
        "const nested = Math.max(depth, ...(cut.renumber ?? []).map((at) => at.length));",
        "the depth of lists that are beside each other",
      ],
      [
        "src/tools/shown.ts",
        "if (first < 0) return size;",
        "found at the very front or not at all: the loop then finds the same",
      ],
      [
        "src/tools/shown.ts",
        "for (let at = first; at < text.length; at += 1) {",
        "behind the end there is no character to count",
      ],
      [
        "src/tools/squeeze.ts",
        "const mayFit = value.length < most.characters;",
        "a text of exactly that size is weighed and found to fit",
      ],
      [
        "src/tools/squeeze.ts",
        "for (let tries = 0, share = 1; tries < TRIES; tries += 1, share /= 2) {",
        "one try more on what is small enough already",
      ],
      [
        "src/wire/frame-reader.ts",
        "if (chunk.length > this.#buffer.length - this.#end) this.#move(chunk.length);",
        "a move too many, of the same bytes",
      ],
      [
        "src/wire/frame-reader.ts",
        "const grown = believed > held.length ? believed : 2 * held.length;",
        "a frame is never exactly what is held when more comes",
      ],
      [
        "src/mcp/lines.ts",
        "if (from < chunk.length) this.#keep(chunk.subarray(from));",
        "keeping nothing changes nothing",
      ],
      [
        "src/mcp/lines.ts",
        "} else if (this.#length === 0 && end.length <= LINE_BYTES) {",
        "the longest line goes the other way, to the same end",
      ],
      ["src/mcp/lines.ts", "if (length > this.#held.length) this.#grow(length);", "room is made a byte early"],
      [
        "src/mcp/lines.ts",
        "if (this.#held.length > 64 * 1024) this.#held = new Uint8Array(FRONT_BYTES);",
        "memory is given back a byte early",
      ],
    ] as const
  ).map(([source, line, why]) => ({ source, line, why })),
];
