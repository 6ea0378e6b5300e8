/** Entries in JSON files: what a person who opens the file sees. */
import { describe, expect, test } from "bun:test";
import type { Entry } from "../../src/hosts/entry.ts";
import { jsonFormat } from "../../src/hosts/json-format.ts";
import { errorIn, valueIn } from "../phux/dialled.ts";

const lenient = jsonFormat("jsonc");
const place = { servers: "mcpServers", name: "phux" };
const entry: Entry = [
  { key: "command", value: "phux" },
  { key: "args", value: ["mcp"] },
];
const inline = '{"command": "phux", "args": ["mcp"]}';

describe("a new entry", () => {
  const cases: [why: string, before: string | null, after: string][] = [
    [
      "no file: one of its own, pretty, with a line end",
      null,
      '{\n  "mcpServers": {\n    "phux": {\n      "command": "phux",\n      "args": ["mcp"]\n    }\n  }\n}\n',
    ],
    [
      "an empty file stays without a line end at its end",
      "",
      '{\n  "mcpServers": {\n    "phux": {\n      "command": "phux",\n      "args": ["mcp"]\n    }\n  }\n}',
    ],
    [
      "what is on one line stays on one line",
      '{"mcpServers": {"a": 1}}',
      `{"mcpServers": {"a": 1, "phux": ${inline}}}`,
    ],
    ["an empty object too", '{ "mcpServers": {} }\n', `{ "mcpServers": {"phux": ${inline}} }\n`],
    ["white space inside the braces is on both sides", '{"mcpServers": { }}', `{"mcpServers": { "phux": ${inline} }}`],
    [
      "behind the last server, indented as it is",
      '{\n\t"mcpServers": {\n\t\t"a": {}\n\t}\n}\n',
      '{\n\t"mcpServers": {\n\t\t"a": {},\n\t\t"phux": {\n\t\t\t"command": "phux",\n\t\t\t"args": ["mcp"]\n\t\t}\n\t}\n}\n',
    ],
    [
      "line ends are the file's",
      '{\r\n  "mcpServers": {\r\n    "a": 1\r\n  }\r\n}',
      '{\r\n  "mcpServers": {\r\n    "a": 1,\r\n    "phux": {\r\n      "command": "phux",\r\n      "args": ["mcp"]\r\n    }\r\n  }\r\n}',
    ],
    [
      "comments stay beside what they are about, and a trailing comma stays a habit",
      '{\n  "mcpServers": {\n    "a": 1, // one\n    // end\n  }\n}',
      '{\n  "mcpServers": {\n    "a": 1, // one\n    // end\n    "phux": {\n      "command": "phux",\n      "args": ["mcp"]\n    },\n  }\n}',
    ],
    [
      "the comma goes before the comment",
      '{\n  "mcpServers": {\n    "a": 1 // one\n  }\n}',
      '{\n  "mcpServers": {\n    "a": 1, // one\n    "phux": {\n      "command": "phux",\n      "args": ["mcp"]\n    }\n  }\n}',
    ],
    ["a byte-order mark stays the first thing", '\ufeff{"mcpServers":{}}', `\ufeff{"mcpServers":{"phux": ${inline}}}`],
    [
      "of two objects of servers the last counts, as everywhere",
      '{"mcpServers": {"a": 1}, "mcpServers": {"b": 2}}',
      `{"mcpServers": {"a": 1}, "mcpServers": {"b": 2, "phux": ${inline}}}`,
    ],
  ];
  test.each(cases)("%s", (_, before, after) => {
    expect(valueIn(lenient.withEntry(before, place, entry))).toBe(after);
    expect(valueIn(lenient.withoutEntry(after, place))).toBe(before);
  });

  test("names and values of any kind arrive as they are", () => {
    const odd = 'q"uote \\ back\tü\u{1f600}\n $HOME {env:X} \u007f';
    const name = "__proto__";
    const text = valueIn(
      lenient.withEntry(null, { servers: "mcpServers", name }, [
        { key: "command", value: odd },
        {
          key: "env",
          variables: [
            ["__proto__", odd],
            ["a b", ""],
          ],
        },
      ]),
    );
    const servers = new Map(Object.entries(JSON.parse(text).mcpServers));
    const found = new Map(Object.entries(servers.get(name) ?? {}));
    expect(found.get("command")).toBe(odd);
    expect(Object.entries(found.get("env") ?? {})).toEqual([
      ["__proto__", odd],
      ["a b", ""],
    ]);
  });
});

describe("an entry of that name", () => {
  const newer: Entry = [
    { key: "type", value: "stdio" },
    { key: "command", value: "phux" },
    { key: "args", value: ["mcp"] },
    {
      key: "env",
      variables: [
        ["K", "new"],
        ["L", "2"],
      ],
    },
    { key: "tools", value: ["*"], once: true },
  ];
  const cases: [why: string, before: string, after: string][] = [
    [
      "only what differs changes, the rest of the entry stays",
      '{"mcpServers": {"phux": { "timeout": 5, "command":  "/old", "args": [ "mcp" ], "type": "stdio", "env": {"MINE": "1", "K": "old"} }}}',
      '{"mcpServers": {"phux": { "timeout": 5, "command":  "phux", "args": [ "mcp" ], "type": "stdio", "env": {"MINE": "1", "K": "new", "L": "2"} }}}',
    ],
    [
      "what is missing is added in the entry's own layout",
      '{\n  "mcpServers": {\n    "phux": {\n      // mine\n      "command": "/old"\n    }\n  }\n}',
      '{\n  "mcpServers": {\n    "phux": {\n      // mine\n      "command": "phux",\n      "type": "stdio",\n      "args": ["mcp"],\n      "env": {\n        "K": "new",\n        "L": "2"\n      }\n    }\n  }\n}',
    ],
    [
      "a remote server of that name is replaced as a whole",
      '{"mcpServers": {"phux": {"url": "https://x", "headers": {"A": "s3cret"}}, "z": 1}}',
      '{"mcpServers": {"phux": {"type": "stdio", "command": "phux", "args": ["mcp"], "env": {"K": "new", "L": "2"}, "tools": ["*"]}, "z": 1}}',
    ],
    [
      "so is what is no object",
      '{"mcpServers": {"phux": null}}',
      '{"mcpServers": {"phux": {"type": "stdio", "command": "phux", "args": ["mcp"], "env": {"K": "new", "L": "2"}, "tools": ["*"]}}}',
    ],
    [
      "of two with that name the last is the one in force",
      '{"mcpServers": {"phux": {"command": "/a"}, "phux": {"command": "/b", "type": "stdio", "args": ["mcp"], "env": {"K": "new", "L": "2"}}}}',
      '{"mcpServers": {"phux": {"command": "/a"}, "phux": {"command": "phux", "type": "stdio", "args": ["mcp"], "env": {"K": "new", "L": "2"}}}}',
    ],
  ];
  test.each(cases)("%s", (_, before, after) => {
    expect(valueIn(lenient.withEntry(before, place, newer))).toBe(after);
    expect(valueIn(lenient.withEntry(after, place, newer))).toBe(after);
  });
});

describe("removing", () => {
  const cases: [why: string, before: string, after: string | null][] = [
    ["nothing to remove", '{ "a": 1 }', '{ "a": 1 }'],
    ["the first of several", '{"mcpServers": { "phux": {}, "b": 2 }}', '{"mcpServers": { "b": 2 }}'],
    ["one in the middle", '{"mcpServers": {"a": 1, "phux": {}, "b": 2}}', '{"mcpServers": {"a": 1, "b": 2}}'],
    ["every one of that name", '{"mcpServers": {"phux": 1, "a": 1, "phux": 2}}', '{"mcpServers": {"a": 1}}'],
    [
      "also where another object hides it",
      '{"mcpServers": {"phux": 1, "a": 1}, "mcpServers": {}}',
      '{"mcpServers": {"a": 1}, "mcpServers": {}}',
    ],
    ["a comment behind it stays", '{"mcpServers": {"phux": {} /* mine */}}', '{"mcpServers": { /* mine */}}'],
    [
      "what stood on its line does not slip into a comment",
      '{"mcpServers": {"a": 1, // one\n"phux": {}, "b": 2}}',
      '{"mcpServers": {"a": 1, // one\n "b": 2}}',
    ],
    [
      "a server added behind ours by hand stays, and our object with it",
      '{\n  "mcpServers": {\n    "phux": {\n      "command": "phux"\n    },\n    "new": {}\n  }\n}\n',
      '{\n  "mcpServers": {\n    "new": {}\n  }\n}\n',
    ],
    [
      "a setting added to our file by hand keeps the file",
      '{\n  "mcpServers": {\n    "phux": {}\n  },\n  "theme": "dark"\n}\n',
      '{\n  "theme": "dark"\n}\n',
    ],
    ["a file with nothing but ours goes", '{\n  "mcpServers": {\n    "phux": {}\n  }\n}\n', null],
  ];
  test.each(cases)("%s", (_, before, after) => expect(valueIn(lenient.withoutEntry(before, place))).toBe(after));
});

describe("what is refused, with its place", () => {
  const cases: [why: string, text: string, line: number, column: number, says: string][] = [
    ["an end too early", '{ "theme": "dark", "broken": \n', 2, 1, "value expected"],
    ["two documents", "{}\n  {}", 2, 3, "end of file expected"],
    ["a missing comma", '{\n  "a": 1\n  "b": 2\n}', 3, 3, "comma expected"],
    ["single quotes", "{'a': 1}", 1, 2, "invalid symbol"],
    ["a control character in a string", '{"a": "\u0001"}', 1, 7, "invalid character"],
    ["a root that is no object", "\n[1]", 2, 1, "the document must be an object here, and is an array"],
    ["servers in a list", '{ "mcpServers": ["x"] }', 1, 17, "mcpServers must be an object here, and is an array"],
    ["servers that are null", '{"mcpServers":null}', 1, 15, "mcpServers must be an object here, and is null"],
  ];
  test.each(cases)("%s", (_, text, line, column, says) => {
    const error = errorIn(lenient.withEntry(text, place, entry));
    expect(error.place).toEqual({ line, column });
    expect(error.reason).toContain(says);
    expect(errorIn(lenient.withoutEntry(text, place))).toEqual(error);
  });

  test("a host that reads plain JSON has no use for comments and trailing commas", () => {
    const strict = jsonFormat("json");
    expect(errorIn(strict.withEntry('{\n  // mine\n  "a": 1\n}', place, entry)).place).toEqual({ line: 2, column: 3 });
    expect(errorIn(strict.withEntry('{"a": 1,}', place, entry)).place).toEqual({ line: 1, column: 9 });
    expect(strict.withEntry('{"a": 1}', place, entry).ok).toBe(true);
  });

  test("nesting beyond any configuration", () => {
    const deep = `{"a": ${"[".repeat(200_000)}${"]".repeat(200_000)}}`;
    expect(errorIn(lenient.withEntry(deep, place, entry))).toEqual({
      reason: "is nested too deep to be read",
      place: null,
    });
  });
});

test("an entry is read whatever its form", () => {
  const read = (value: string) => valueIn(lenient.entryIn(`{"mcpServers": {"phux": ${value}}}`, place));
  expect(read('{"command": "a", "args": ["b", 1]}')).toEqual({ command: ["a", "b"], disabled: false });
  expect(read('{"command": ["a", "b"], "enabled": false}')).toEqual({ command: ["a", "b"], disabled: true });
  expect(read('{"url": "x", "disabled": true}')).toEqual({ command: [], disabled: true });
  expect(read("[]")).toEqual({ command: [], disabled: false });
  expect(valueIn(lenient.entryIn("{}", place))).toBeNull();
  expect(valueIn(lenient.entryIn(null, place))).toBeNull();
});
