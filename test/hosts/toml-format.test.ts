/** Entries in TOML files, in every form that TOML has for them. */
import { describe, expect, test } from "bun:test";
import type { Entry } from "../../src/hosts/entry.ts";
import { tomlFormat } from "../../src/hosts/toml-format.ts";
import { errorIn, valueIn } from "../phux/dialled.ts";

const place = { servers: "mcp_servers", name: "phux" };
const entry: Entry = [
  { key: "command", value: "phux" },
  { key: "args", value: ["mcp"] },
];
const block = '[mcp_servers.phux]\ncommand = "phux"\nargs = ["mcp"]';

describe("a new entry", () => {
  const cases: [why: string, before: string | null, after: string][] = [
    ["no file: one of its own", null, `${block}\n`],
    ["an empty file stays without a line end", "", block],
    ["a table at the end, behind an empty line", 'model = "x" # good\n', `model = "x" # good\n\n${block}\n`],
    ["no line end at the end stays none", "a = 1", `a = 1\n\n${block}`],
    ["line ends are the file's", "a = 1\r\n", `a = 1\r\n\r\n${block.replaceAll("\n", "\r\n")}\r\n`],
    ["only a comment", "# mine\n", `# mine\n\n${block}\n`],
    [
      "inside an inline table of servers, which cannot be added to from outside",
      'mcp_servers = { a = { command = "x" } } # all\n',
      'mcp_servers = { a = { command = "x" }, phux = { command = "phux", args = ["mcp"] } } # all\n',
    ],
    ["an empty inline table", "mcp_servers = { }\n", 'mcp_servers = { phux = { command = "phux", args = ["mcp"] } }\n'],
    [
      "beside dotted keys, where a table may still follow",
      'mcp_servers.a.command = "x"\n',
      `mcp_servers.a.command = "x"\n\n${block}\n`,
    ],
    ["a byte-order mark stays the first thing", "\ufeffa = 1\n", `\ufeffa = 1\n\n${block}\n`],
  ];
  test.each(cases)("%s", (_, before, after) => {
    expect(valueIn(tomlFormat.withEntry(before, place, entry))).toBe(after);
    Bun.TOML.parse(after.replace("\ufeff", ""));
    expect(valueIn(tomlFormat.withoutEntry(after, place))).toBe(before);
  });

  test("names and values of any kind arrive as they are", () => {
    const odd = 'q"uote \\ back\tü\u{1f600}\n $HOME \u007f\u0001';
    const name = "a.b/c:d@e";
    const text = valueIn(
      tomlFormat.withEntry(null, { servers: "mcp_servers", name }, [
        { key: "command", value: odd },
        {
          key: "env",
          variables: [
            ["K", odd],
            ["a.b", ""],
          ],
        },
      ]),
    );
    expect(Bun.TOML.parse(text)).toEqual({
      mcp_servers: { [name]: { command: odd, env: { K: odd, "a.b": "" } } },
    });
  });
});

describe("an entry of that name is brought up to date where it stands", () => {
  const newer: Entry = [
    ...entry,
    {
      key: "env",
      variables: [
        ["K", "new"],
        ["L", "2"],
      ],
    },
  ];
  const cases: [why: string, before: string, after: string][] = [
    [
      "a table: keys of a person and comments stay",
      '[mcp_servers.phux] # mine\n  command = "/old" # where\nstartup_timeout_sec = 5\n# end\n\n[z]\n',
      '[mcp_servers.phux] # mine\n  command = "phux" # where\n  args = ["mcp"]\n  env = { K = "new", L = "2" }\nstartup_timeout_sec = 5\n# end\n\n[z]\n',
    ],
    [
      "variables in a table of their own",
      '[mcp_servers.phux]\ncommand = "phux"\nargs = [ "mcp" ]\n[mcp_servers.phux.env]\nMINE = "1"\nK = "old"\n',
      '[mcp_servers.phux]\ncommand = "phux"\nargs = [ "mcp" ]\n[mcp_servers.phux.env]\nMINE = "1"\nK = "new"\nL = "2"\n',
    ],
    [
      "in an empty table of their own",
      '[mcp_servers.phux]\ncommand = "phux"\nargs = ["mcp"]\n[mcp_servers.phux.env] # none\n[z]\n',
      '[mcp_servers.phux]\ncommand = "phux"\nargs = ["mcp"]\n[mcp_servers.phux.env] # none\nK = "new"\nL = "2"\n[z]\n',
    ],
    [
      "an inline table",
      '[mcp_servers]\nphux = { command = "/old", env = {} }\n',
      '[mcp_servers]\nphux = { command = "phux", args = ["mcp"], env = {K = "new", L = "2"} }\n',
    ],
    [
      "dotted lines",
      '[mcp_servers]\n"phux".command = "/old"\n"phux".env.K = "old"\n[z]',
      '[mcp_servers]\n"phux".command = "phux"\n"phux".args = ["mcp"]\n"phux".env.K = "new"\n"phux".env.L = "2"\n[z]',
    ],
    [
      "a remote server of that name is replaced as a whole",
      '[mcp_servers.phux]\nurl = "https://x"\n\n[mcp_servers.phux.http_headers]\nA = "s3cret"\n\n[z]\na = 1\n',
      `[z]\na = 1\n\n${block}\nenv = { K = "new", L = "2" }\n`,
    ],
    [
      "also when it was all of the file",
      '[mcp_servers.phux]\nurl = "https://x"\n',
      `${block}\nenv = { K = "new", L = "2" }\n`,
    ],
  ];
  test.each(cases)("%s", (_, before, after) => {
    const updated = valueIn(tomlFormat.withEntry(before, place, newer));
    expect(updated).toBe(after);
    Bun.TOML.parse(updated);
    expect(valueIn(tomlFormat.withEntry(updated, place, newer))).toBe(updated);
  });
});

describe("removing", () => {
  const cases: [why: string, before: string, after: string | null][] = [
    ["nothing to remove", "a = 1\n", "a = 1\n"],
    [
      "a table with its own tables, wherever they stand; comments around it stay",
      '# top\n[mcp_servers.phux]\ncommand = "x" # c\n# tail\n[z]\na = 1\n[mcp_servers.phux.env]\nA = "1"\n',
      "# top\n# tail\n[z]\na = 1\n",
    ],
    ["what was added below by hand stays", `a = 1\n\n${block}\n\n# new\n[z]\n`, "a = 1\n\n\n# new\n[z]\n"],
    ["the first table takes the empty line below along", `${block}\n\n[z]\n`, "[z]\n"],
    ["a line", '[mcp_servers]\nphux = { command = "x" } # c\nb = {}\n', "[mcp_servers]\nb = {}\n"],
    [
      "dotted lines",
      'mcp_servers.phux.command = "x"\nmcp_servers.phux.args = [\n  "a",\n]\nmcp_servers.b.command = "y"\n',
      'mcp_servers.b.command = "y"\n',
    ],
    ["the first of an inline table", "mcp_servers = { phux = {}, b = {} }\n", "mcp_servers = { b = {} }\n"],
    ["the last of an inline table", "mcp_servers = { a = {} , phux = {} }\n", "mcp_servers = { a = {} }\n"],
    ["dotted keys of an inline table", 'mcp_servers = { phux.command = "x", phux.args = [] }\n', "mcp_servers = { }\n"],
    ["an array of tables", "[[mcp_servers.phux]]\na = 1\n[[mcp_servers.phux]]\n[z]\n", "[z]\n"],
    ["a file with nothing but ours goes", `${block}\n`, null],
    ["a text in a string is no table", 'a = """\n[mcp_servers.phux]\n"""\n', 'a = """\n[mcp_servers.phux]\n"""\n'],
  ];
  test.each(cases)("%s", (_, before, after) => expect(valueIn(tomlFormat.withoutEntry(before, place))).toBe(after));
});

describe("what is refused, with its place", () => {
  const cases: [why: string, text: string, line: number, column: number, says: string][] = [
    ["a header without an end", '[mcp_servers.other\ncommand = "x"\n', 2, 1, "no valid TOML"],
    ["a key twice", "a = 1\nb = 2\na = 3\n", 3, 1, "defining a key multiple times"],
    ["a table twice", "[a]\n[a]\n", 2, 2, "defining a key multiple times"],
    ["what only TOML 1.1 allows", "a = { b = 1, }\n", 1, 14, "no valid TOML"],
    ["servers that are a number", "mcp_servers = 5\n", 1, 15, "mcp_servers must be a table here"],
    ["servers in an array of tables", '[[mcp_servers]]\nname = "x"\n', 1, 1, "is an array of tables"],
  ];
  test.each(cases)("%s", (_, text, line, column, says) => {
    const error = errorIn(tomlFormat.withEntry(text, place, entry));
    expect(error.place).toEqual({ line, column });
    expect(error.reason).toContain(says);
    expect(errorIn(tomlFormat.withoutEntry(text, place))).toEqual(error);
  });

  test("nesting beyond any configuration", () => {
    const deep = `a = ${"[".repeat(100_000)}${"]".repeat(100_000)}\n`;
    expect(errorIn(tomlFormat.withEntry(deep, place, entry)).reason).toBe("is nested too deep to be read");
  });
});

test("an entry is read whatever its form", () => {
  const read = (text: string) => valueIn(tomlFormat.entryIn(text, place));
  expect(read('[mcp_servers.phux]\ncommand = "a"\nargs = ["b"]\nenabled = false\n')).toEqual({
    command: ["a", "b"],
    disabled: true,
  });
  expect(read('mcp_servers = { phux.command = "a" }\n')).toEqual({ command: ["a"], disabled: false });
  expect(read('[mcp_servers.phux]\nurl = "x"\n')).toEqual({ command: [], disabled: false });
  expect(read("[mcp_servers.other]\n")).toBeNull();
});
