/** Random JSON with comments, as people and programs leave it: any white space, comments anywhere, trailing commas. */

import fc from "fast-check";

const white = fc.constantFrom(" ", "  ", "\t", "\n", "\r\n", "\r", "\n    ", "\n\n");
const comment = fc.constantFrom("// line\n", "//\r\n", "/* block */", "/* two\n lines */", "/**/", '// "quoted": {\n');
/** White space and comments; mostly none. */
const gap = fc.oneof(
  { weight: 3, arbitrary: fc.constant("") },
  { weight: 2, arbitrary: white },
  { weight: 1, arbitrary: fc.array(fc.oneof(white, comment), { maxLength: 4 }).map((parts) => parts.join("")) },
);
const plain = fc.constantFrom("1", "-0.5e3", "true", "null", '"x"', '"\\u00e9\\/\\""', "12345678901234567890", '""');
const key = fc.constantFrom('"a"', '"b c"', '"other"', '"mcpServers"', '"mcp\\u0053ervers"', '"//"', '""');

const { value, object } = fc.letrec<{ value: string; object: string; list: string }>((tie) => ({
  value: fc.oneof({ maxDepth: 4 }, plain, tie("object"), tie("list")),
  object: fc
    .tuple(gap, fc.array(fc.tuple(gap, key, gap, gap, tie("value"), gap), { maxLength: 4 }), fc.boolean(), gap)
    .map(([empty, members, trailing, end]) => {
      const written = members.map(([a, name, b, c, inner, d]) => `${a}${name}${b}:${c}${inner}${d}`);
      if (written.length === 0) return `{${empty}}`;
      return `{${written.join(",")}${trailing ? `,${end}` : ""}}`;
    }),
  list: fc.array(tie("value"), { maxLength: 3 }).map((items) => `[${items.join(", ")}]`),
}));

/** A root that has an object of servers, written in some way. */
const withServers = fc
  .tuple(gap, gap, gap, object, gap, fc.option(fc.tuple(value, gap)))
  .map(([a, b, c, servers, d, more]) => {
    const rest = more === null ? "" : `,${b}"more":${c}${more[0]}${more[1]}`;
    return `{${a}"mcpServers"${b}:${c}${servers}${d}${rest}}`;
  });

const mark = fc.constantFrom("", "", "", "\ufeff");

/** Whole texts; some hold no value at all, and some a wrong one. */
export const jsonText = fc
  .tuple(mark, gap, fc.oneof(object, withServers, withServers, fc.constant(""), value), gap)
  .map((parts) => parts.join(""));
