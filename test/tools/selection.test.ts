import { describe, expect, test } from "bun:test";
import { catalog } from "../../src/tools/catalog.ts";
import { type Offer, select, setNames } from "../../src/tools/selection.ts";
import { hintsOf } from "../../src/tools/tool.ts";

const offers: Offer[] = [
  { name: "phux_ls", sets: ["core", "panes"], readOnly: true },
  { name: "phux_kill", sets: ["panes"], readOnly: false },
  { name: "phux_perf", sets: [], readOnly: true },
];

const chosen = (tools: string | null, readOnly = false) => {
  const found = select({ tools, readOnly }, offers);
  return found.ok ? [...found.value.names] : found.error;
};

describe("a selection", () => {
  const cases: [tools: string | null, readOnly: boolean, names: string[] | RegExp][] = [
    [null, true, ["phux_ls", "phux_perf"]],
    ["all", false, ["phux_ls", "phux_kill", "phux_perf"]],
    ["panes", false, ["phux_ls", "phux_kill"]],
    ["panes", true, ["phux_ls"]],
    ["core,phux_perf", false, ["phux_ls", "phux_perf"]],
    // The catalog's order, whatever the list's; a name twice is a name.
    [" phux_perf , phux_ls,,core", false, ["phux_ls", "phux_perf"]],
    ["phux_kill", true, /none of those that were named is read-only/],
    ["", false, /no tool is named.*core, panes/],
    [",", false, /no tool is named/],
    ["pane", false, /"pane" is neither a tool nor a set; the closest are panes/],
    ["core,zzzzzzzzzzzz", false, /"zzzzzzzzzzzz" is neither.*the sets are core, panes, agents, mail, resources, all/],
  ];
  test.each(cases)("%j, read-only %p: %p", (tools, readOnly, names) => {
    const found = chosen(tools, readOnly);
    if (names instanceof RegExp) expect(found).toMatch(names);
    else expect(found).toEqual(names);
  });

  test("a tool that is switched off says how it is switched on; a strange one is unknown", () => {
    const found = select({ tools: "core", readOnly: true }, offers);
    if (!found.ok) throw new Error(found.error);
    const { refusal } = found.value;
    expect(refusal("phux_kill")).toMatch(
      /^unknown tool "phux_kill": it is switched off here; .*--read-only .*phux_kill or panes in --tools/,
    );
    expect(refusal("phux_perf")).not.toContain("--read-only");
    expect(refusal("phux_l")).toMatch(/^unknown tool "phux_l"; the closest are phux_ls/);
  });

  test("every set has tools that read and tools that act, and core is what a day needs", () => {
    for (const set of setNames) {
      const tools = catalog.filter((tool) => tool.sets.includes(set));
      expect(tools.some((tool) => hintsOf(tool).readOnlyHint)).toBe(true);
      expect(tools.some((tool) => !hintsOf(tool).readOnlyHint)).toBe(true);
      // What any call can answer with is asked for by it.
      expect(tools.map(({ name }) => name)).toContain("phux_operation_status");
    }
    const core = catalog.filter((tool) => tool.sets.includes("core")).map(({ name }) => name);
    expect(core).toEqual(
      expect.arrayContaining(["phux_ls", "phux_snapshot", "phux_run", "phux_send_keys", "phux_wait"]),
    );
    expect(core.length).toBeLessThan(20);
  });
});
