/** Random TOML as people leave it; what is no valid document is the test's to skip. */

import fc from "fast-check";

const end = fc.constantFrom("\n", "\n", "\n", "\r\n", "\n\n", " # why\n", "\n# below\n", "\n  \n");
const value = fc.constantFrom(
  '"x"',
  "'lit\\eral'",
  "1_000",
  "2026-01-02T03:04:05Z",
  "[1, 2]",
  "[\n  1, # one\n  2,\n]",
  '"""a\n[mcp_servers.no]\n"""',
  "{ a = 1, b.c = [] }",
  "{}",
);
const pair = fc.tuple(fc.constantFrom("", "  ", "\t"), fc.constantFrom("a", "b.c", '"d e"', "f"), value, end);
const pairs = (most: number) =>
  fc
    .uniqueArray(pair, { selector: ([, key]) => key.charAt(0), maxLength: most })
    .map((all) => all.map(([indent, key, text, tail]) => `${indent}${key} = ${text}${tail}`).join(""));

/** How the servers stand in the root, before any table. */
const rootServers = fc.constantFrom(
  "",
  "",
  "",
  "mcp_servers = {}\n",
  "mcp_servers = { }\r\n",
  'mcp_servers = { other = { command = "x" } } # all\n',
  'mcp_servers.other.command = "x"\nmcp_servers.other.args = []\n',
  'mcp_servers.other = { command = "x" }\n',
);
const tables = fc.uniqueArray(
  fc.tuple(
    fc.constantFrom(
      "[mcp_servers]",
      "[mcp_servers.other]",
      "[mcp_servers.third.env]",
      '[projects."/x y"]',
      "[z.w]",
      "[[things]]",
    ),
    end,
    pairs(3),
  ),
  { selector: ([header]) => header, maxLength: 4 },
);
const mark = fc.constantFrom("", "", "", "\ufeff");

export const tomlText = fc
  .tuple(mark, fc.constantFrom("", "# mine\n", "\n"), rootServers, pairs(3), tables, fc.boolean())
  .map(([bom, head, servers, root, all, cut]) => {
    const body = all.map(([header, tail, inner]) => `${header}${tail}${inner}`).join("");
    const text = `${head}${servers}${root}${body}`;
    return bom + (cut ? text.trimEnd() : text);
  });
