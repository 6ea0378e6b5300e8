/** Reports about what a server publishes: replayed on the list of tools as a host gets it. */
import { expect } from "bun:test";
import type { Report } from "./r-report.ts";

export interface Published {
  /** The whole reply, as it came. */
  readonly text: string;
  readonly tools: readonly Descriptor[];
}

export interface Descriptor {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly outputSchema?: unknown;
  readonly annotations: Readonly<Record<string, boolean>>;
}

/** Every object within a schema, itself first. */
function* parts(value: unknown): Generator<Readonly<Record<string, unknown>>> {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) yield Object.fromEntries(Object.entries(value));
  for (const part of Object.values(value)) yield* parts(part);
}

const typing = ["phux_send_keys", "phux_paste", "phux_run", "phux_agent_send_keys", "phux_agent_prompt"];

export const catalogReports: readonly Report<Published>[] = [
  {
    of: "anthropics/claude-code#88049",
    symptom: "one schema whose root is no object costs a host all tools of the server",
    ours: "every root is an object with properties",
    async run({ tools }) {
      for (const { inputSchema } of tools) {
        expect(inputSchema).toMatchObject({ type: "object", properties: expect.any(Object) });
      }
    },
  },
  {
    of: "redhat-et/ripwire#48",
    symptom: "a choice between arguments stands in the schema, and a model's API refuses every request",
    ours: "no combinator anywhere; such rules are checked in the call",
    async run({ tools }) {
      const words = ["oneOf", "anyOf", "allOf", "not", "if", "then", "else"];
      for (const part of tools.flatMap(({ inputSchema }) => [...parts(inputSchema)])) {
        expect(Object.keys(part).filter((key) => words.includes(key) && typeof part[key] === "object")).toEqual([]);
      }
    },
  },
  {
    of: "SoftInstigate/restheart#593",
    symptom: "a list without a type for its items is refused before any call",
    ours: "every list says what it holds",
    async run({ tools }) {
      const lists = tools.flatMap(({ inputSchema }) => [...parts(inputSchema)]).filter(({ type }) => type === "array");
      expect(lists.length).toBeGreaterThan(5);
      for (const list of lists) expect(list).toMatchObject({ items: { type: expect.any(String) } });
    },
  },
  {
    of: "wonderwhy-er/DesktopCommanderMCP#79",
    symptom: "a model refuses names and keywords that others take",
    ours: "short plain names, one type each, no references, defaults or formats",
    async run({ tools }) {
      for (const { name, inputSchema } of tools) {
        expect(name).toMatch(/^[a-z][a-z_]{0,40}$/);
        for (const part of parts(inputSchema)) {
          // An argument may have such a name; then its value is a schema.
          const keywords = Object.keys(part).filter((key) => typeof part[key] !== "object" || key.startsWith("$"));
          for (const word of ["$schema", "$ref", "$defs", "format", "default"]) expect(keywords).not.toContain(word);
          expect(Array.isArray(part["type"])).toBe(false);
        }
      }
    },
  },
  {
    of: "opentokenz/mcpx#28",
    symptom: "a result schema that a client does not take hides all tools",
    ours: "there is none: a result is one text block",
    async run({ tools }) {
      expect(tools.filter(({ outputSchema }) => outputSchema !== undefined)).toEqual([]);
    },
  },
  {
    of: "getsentry/XcodeBuildMCP#153",
    symptom: "the list of 63 tools takes 42,000 tokens before the first word",
    ours: "59 tools in under 44 KiB",
    async run({ text, tools }) {
      expect(tools).toHaveLength(59);
      expect(Buffer.byteLength(text)).toBeLessThan(44 * 1_024);
    },
  },
  {
    of: "wonderwhy-er/DesktopCommanderMCP#422",
    symptom: "a list of forbidden commands is passed by a newline, and was trusted",
    ours: "no such list is promised: whatever types is declared destructive, so that a host asks",
    async run({ tools }) {
      const declared = tools.filter(({ name }) => typing.includes(name));
      expect(declared).toHaveLength(typing.length);
      for (const { annotations } of declared) {
        expect(annotations).toMatchObject({ readOnlyHint: false, destructiveHint: true, openWorldHint: true });
      }
    },
  },
];
