/** Kind G: what the live tools/list promises, what the parser keeps of it, and what a host may do to an argument. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { describeShared, sharedJson } from "../shared.ts";
import {
  accepts,
  acceptsInWords,
  argumentsOf,
  callsOf,
  leastCall,
  listed,
  members,
  needs,
  type Published,
  publishedTools,
  read,
  type Schema,
  valuesOutside,
} from "./g-json-schema.ts";
import { complaint, Judge } from "./g-judge.ts";
import { bytesOf, lint } from "./g-lint.ts";
import { deep, slips, strangeNames } from "./g-names.ts";
import { ask, askText, documentOf } from "./gh-host.ts";

setDefaultTimeout(60_000);

// Read while the tests are collected, because each tool is a row.
const tools = await publishedTools();
const rows = tools.map((tool): [string, Published] => [tool.name, tool]);

let judge: Judge;
beforeAll(() => {
  judge = new Judge();
});
afterAll(() => judge[Symbol.dispose]());

/** What can start a program, type into one, or reach beyond phux. */
const OPEN =
  "upload send_keys paste run new relaunch launch spawn archive plugin_action agent_send_keys agent_prompt agent_answer agent_start agent_emit";

describe("the list", () => {
  test("comes in one reply under 44 times 1,024 bytes, whatever page is asked for", async () => {
    const pages = [undefined, {}, { cursor: "1" }, { cursor: null }, { limit: 5 }];
    for (const { result } of await Promise.all(pages.map((page) => judge.host.request("tools/list", page)))) {
      expect(bytesOf(JSON.stringify(result))).toBeLessThan(44 * 1_024);
      expect(result).toEqual({ tools: [...tools] });
    }
  });

  test.each(rows)("%s keeps every rule that some host needs", (_, tool) => expect(lint(tool)).toEqual([]));

  test("says nothing twice, and each hint as a boolean", () => {
    expect(new Set(tools.map(({ description }) => description)).size).toBe(tools.length);
    for (const { annotations } of tools) {
      expect(Object.keys(annotations)).toEqual(["readOnlyHint", "destructiveHint", "openWorldHint"]);
      expect(Object.values(annotations).filter((hint) => typeof hint !== "boolean")).toEqual([]);
      // Of two that contradict each other a host believes the one that asks nobody.
      const { readOnlyHint, destructiveHint, openWorldHint } = annotations;
      expect(readOnlyHint && (destructiveHint || openWorldHint)).toBe(false);
    }
  });

  test("calls exactly those open that a host must not run unasked", () => {
    const open = tools.filter(({ annotations }) => annotations["openWorldHint"]).map(({ name }) => name);
    expect(open.sort()).toEqual(
      OPEN.split(" ")
        .map((name) => `phux_${name}`)
        .sort(),
    );
  });
});

describeShared("the list and the contract", () => {
  test("name the same tools in the same order, with the same hints and needs", () => {
    const ours = tools.map(({ name, annotations, inputSchema }) => {
      const { readOnlyHint, destructiveHint } = annotations;
      return { name, readOnlyHint, destructiveHint, required: [...listed(inputSchema["required"])] };
    });
    const theirs = listed(sharedJson("spec/tools.json")).map((row) => {
      const { name, readOnly, destructive, args } = members(row);
      const required = Object.entries(members(args)).filter(([, one]) => members(one)["required"] === true);
      return {
        name,
        readOnlyHint: readOnly,
        destructiveHint: destructive,
        required: required.map(([argument]) => argument),
      };
    });
    expect<unknown>(ours).toEqual(theirs);
  });
});

const anything = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.json({ maxDepth: 2 }),
  fc.constantFrom(
    "30",
    "[]",
    '["a"]',
    "{}",
    "true",
    "null",
    "-0",
    "1e400",
    "0",
    "1",
    "64",
    4_294_967_295,
    "a".repeat(4_097),
  ),
  fc.string({ unit: "grapheme", maxLength: 4 }),
);

/**
 * What only phux's own rules refuse: a NUL, an option's dash, a key of zeros, no path, a number that is not exact, a share
 * too small for its 32 bits.
 */
function isOwnRule(name: string, schema: Schema, value: unknown): boolean {
  if (typeof value === "string") return /[\0-]|^0+$/.test(value) || (name === "socket" && value === "");
  if (typeof value !== "number") return name === "data";
  return schema["type"] === "number" ? [0, 1].includes(Math.fround(value)) : !Number.isSafeInteger(value);
}

describe.each(rows)("%s", (_, tool) => {
  const least = leastCall(tool);
  const all = argumentsOf(tool);

  test("takes what its schema accepts, also as JSON text, and null for what may be left out", async () => {
    const absent = Object.fromEntries(all.map(([name]) => [name, null]));
    const asText = ([name, value]: [string, unknown]) =>
      typeof value === "string" || name === "confirm" ? [name, value] : [name, ` ${JSON.stringify(value)} `];
    const calls = fc.sample(callsOf(tool), 4);
    for (const [name, schema] of all) {
      for (const call of calls) if (name in call) expect(accepts(schema, call[name])).toBe(true);
    }
    const texts = calls.map((given) => Object.fromEntries(Object.entries(given).map(asText)));
    await judge.passes(tool.name, [...calls.map((given) => ({ ...absent, ...given })), ...texts]);
  });

  test("refuses every other type and what is past a bound, by name, and touches nothing", () => {
    const calls = all.flatMap(([name, schema]) =>
      valuesOutside(schema).map((value) => [{ ...least, [name]: value }, name] as const),
    );
    return judge.refuses(tool.name, calls);
  });

  test("refuses a call without what it needs, and one with what it does not know", () => {
    const needed = Object.keys(least).filter((name) => needs(tool, name));
    const gone = needed.flatMap((name) =>
      [undefined, null].map((value) => [{ ...least, [name]: value }, name] as const),
    );
    const unknown = [
      "x-unknown",
      "_meta",
      "arguments",
      "target ",
      "TARGET",
      ...(needs(tool, "confirm") ? [] : ["Confirm"]),
    ];
    return judge.refuses(tool.name, [...gone, ...unknown.map((name) => [{ ...least, [name]: 1 }, name] as const)]);
  });

  test("says the same of any value as its schema and the words in it", async () => {
    // The bounds of a question are the server's to keep (tools.md 5.3), and consent has a gate of its own.
    const judged = all.filter(([name]) => name !== "confirm" && tool.name !== "phux_ask");
    const calls = judged.flatMap(([name, schema]) => fc.sample(anything, 12).map((value) => ({ name, schema, value })));
    const answers = await judge.answers(
      tool.name,
      calls.map(({ name, value }) => ({ ...least, [name]: value })),
    );
    for (const [at, { name, schema, value }] of calls.entries()) {
      const forms = schema["type"] === "string" ? [value] : [value, read(value)];
      const fits = (value === null && !needs(tool, name)) || forms.some((form) => acceptsInWords(schema, form));
      if (fits && forms.some((form) => isOwnRule(name, schema, form))) continue;
      const refused = complaint(answers[at] ?? { text: "", isError: false }) !== null;
      expect({ name, value, refused }).toEqual({ name, value, refused: !fits });
    }
  });

  test("knows no argument whose name means something to JavaScript, a terminal or nobody", () => {
    const least = JSON.stringify(leastCall(tool)).slice(0, -1);
    const front = least === "{" ? least : `${least},`;
    return judge.refusesTexts(
      tool.name,
      strangeNames.map((name) => [
        `${front}${JSON.stringify(name)}:{"confirm":true,"target":"@1"}}`,
        name.length > 64 ? name.slice(0, 64) : name,
      ]),
    );
  });

  test("names the argument that a slip of the finger meant", async () => {
    const names = all.map(([name]) => name);
    const meant = names.flatMap((name) => slips(name, names).map((slip) => [name, slip] as const));
    const answers = await judge.answers(
      tool.name,
      meant.map(([, slip]) => ({ ...least, [slip]: 1 })),
    );
    for (const [at, [name, slip]] of meant.entries()) {
      expect(answers[at]?.text).toStartWith(
        `${tool.name} has no argument "${slip}"; did you mean "${name}"? It takes `,
      );
    }
  });
});

describe("tools that nobody offers", () => {
  test.each(rows)("%s is named when it was meant", async (name) => {
    const meant = [
      ...slips(
        name,
        tools.map((tool) => tool.name),
      ),
      name.replace("phux_", ""),
      `mcp__phux__${name}`,
      `phux.${name.slice(5)}`,
    ];
    for (const slip of meant) {
      const { text, isError } = await ask(judge.host, slip);
      expect([slip, isError, text.split("; ")[1]?.includes(name)]).toEqual([slip, true, true]);
    }
  });

  test("nothing that JavaScript, a terminal or nobody means by a name is one", async () => {
    for (const { text, isError } of await Promise.all(strangeNames.map((name) => ask(judge.host, name)))) {
      expect([isError, text.length < 300, /^unknown tool "/.test(text)]).toEqual([true, true, true]);
    }
  });
});

describe("arguments that are no object of values", () => {
  const wrong: [given: string, kind: string][] = [
    ["[]", "an array"],
    ['[{"target":"@1"}]', "an array"],
    ['"{}"', "a string"],
    ["7", "a number"],
    ["true", "a boolean"],
    ["1e400", "a number"],
  ];
  test.each(wrong)("%s", async (given, kind) => {
    const { text, isError } = await askText(judge.host, "phux_ls", given);
    expect([isError, text]).toEqual([
      true,
      `arguments is ${kind}; it must be an object with one member for each argument`,
    ]);
  });

  test("absent and null are none", async () => {
    for (const given of ["null", "{}"]) expect(complaint(await askText(judge.host, "phux_ls", given))).toBe(null);
    judge.host.send({ id: "no params.arguments", method: "tools/call", params: { name: "phux_ls" } });
    expect((await judge.host.reply("no params.arguments")).result?.content?.[0]?.text).toContain("server_disconnected");
  });
});

describe("numbers and texts at the edge of JSON", () => {
  const refused: [tool: string, given: string, name: string][] = [
    ["phux_wait", '{"timeout_secs":1e400}', "timeout_secs"],
    ["phux_wait", '{"timeout_secs":-1e400}', "timeout_secs"],
    ["phux_wait", '{"timeout_secs":9007199254740993}', "timeout_secs"],
    ["phux_wait", '{"timeout_secs":"9007199254740993"}', "timeout_secs"],
    ["phux_wait", '{"timeout_secs":5,"timeout_secs":"x"}', "timeout_secs"],
    ["phux_wait", `{"target":${deep(100_000)}}`, "target"],
    ["phux_wait", `{"target":${deep(4_000_000)}}`, "target"],
    ["phux_send_keys", `{"target":"@1","keys":${JSON.stringify(deep(1_000_000))}}`, "keys"],
    ["phux_agent_emit", `{"target":"@1","type":"stop","data":{"a":${deep(100_000)}}}`, "data"],
    ["phux_agent_emit", `{"target":"@1","type":"stop","data":${JSON.stringify(`{"a":${deep(100_000)}}`)}}`, "data"],
    ["phux_agent_emit", '{"target":"@1","type":"stop","data":{"n":[1e400]}}', "data"],
    ["phux_agent_emit", '{"target":"@1","type":"stop","data":{"n":9007199254740993}}', "data"],
    ["phux_agent_emit", '{"target":"@1","type":"stop","data":{"\\ud800":1}}', "data"],
    ["phux_ask", '{"target":"@1","id":"i","question":"\\udfff"}', "question"],
    ["phux_ask", '{"target":"@1","id":"i","question":"q","suggestions":["a","\\ud800"]}', "suggestions"],
    ["phux_tag", '{"target":"@1","action":"add","tags":["\\ud800"]}', "tags"],
    ["phux_snapshot", '{"target":"\\ud800"}', "target"],
    ["phux_ls", '{"socket":"/tmp/\\ud800"}', "socket"],
  ];
  test.each(refused.map((row) => [`${row[0]} ${row[1].slice(0, 60)}`, ...row] as const))("%s", (_, tool, given, name) =>
    judge.refusesTexts(tool, [[given, name]]),
  );

  const taken: [tool: string, given: string][] = [
    ["phux_wait", '{"timeout_secs":-0}'],
    ["phux_wait", '{"timeout_secs":5.0,"idle_ms":1E2}'],
    ["phux_wait", '{"timeout_secs":9007199254740991}'],
    ["phux_wait", '{"timeout_secs":"x","timeout_secs":5}'],
    ["phux_agent_emit", '{"target":"@1","type":"stop","data":{"__proto__":{"a":1},"n":0.1}}'],
  ];
  test.each(taken)("%s %s is taken", async (tool, given) =>
    expect(complaint(await askText(judge.host, tool, given))).toBe(null),
  );

  test("a hundred thousand names cost an answer and no second", async () => {
    const names = Array.from({ length: 100_000 }, (_, at) => `"k${at}":1`);
    const began = performance.now();
    expect((await askText(judge.host, "phux_ls", `{${names}}`)).text).toStartWith('phux_ls has no argument "k0"; ');
    expect(performance.now() - began).toBeLessThan(2_000);
  });
});

describe("wait_for_previous, which one host adds to every schema", () => {
  test.each(rows)("is dropped from %s as a boolean, and unknown as anything else", async (name, tool) => {
    const least = leastCall(tool);
    await judge.passes(
      name,
      [true, false].map((value) => ({ ...least, wait_for_previous: value })),
    );
    const others = ["true", "", 1, null, [], [true], {}].map((value) => ({ ...least, wait_for_previous: value }));
    await judge.refuses(
      name,
      others.map((given) => [given, "wait_for_previous"] as const),
    );
  });
});

test("a document after all of this is one", async () => {
  expect(documentOf(await ask(judge.host, "phux_status"))).toEqual({ schema_version: 1 });
  expect(judge.host.stderr).toBe("");
});
