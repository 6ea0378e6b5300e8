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
];
