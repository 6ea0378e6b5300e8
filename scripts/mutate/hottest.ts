/** The rules whose failure costs most, and the tests that must notice: paths from the root of the project. */
export interface Rule {
  readonly source: string;
  readonly tests: readonly string[];
}

const phux = (name: string, ...tests: string[]): Rule => ({
  source: `src/phux/${name}.ts`,
  tests: tests.map((test) => `test/phux/${test}.test.ts`),
});
const tools = (name: string, ...tests: string[]): Rule => ({
  source: `src/tools/${name}.ts`,
  tests: tests.map((test) => `test/tools/${test}.test.ts`),
});

export const hottest: readonly Rule[] = [
  // Which pane is meant.
  phux("selector", "selector", "resolve"),
  phux("resolve", "resolve", "resolve-agent"),
  phux("socket-path", "socket-path"),
  // What is typed.
  phux("keys", "keys"),
  phux("key-parser", "keys"),
  phux("key-sequence", "keys"),
  phux("key-event", "keys"),
  // What needs a yes.
  tools("pane", "kill", "signal", "spawn"),
  tools("arguments", "arguments"),
  tools("argument", "arguments", "argv"),
  tools("selection", "selection"),
  // What is too much.
  tools("budget", "budget"),
  tools("cut", "cut"),
  tools("shown", "shown", "cut"),
  tools("shorten", "cut"),
  tools("squeeze", "cut"),
  { source: "src/wire/frame-reader.ts", tests: ["test/wire/frame-reader.test.ts"] },
  { source: "src/cli/capture.ts", tests: ["test/cli/run.test.ts"] },
  { source: "src/mcp/lines.ts", tests: ["test/mcp/lines.test.ts"] },
  { source: "src/mcp/line.ts", tests: ["test/mcp/line.test.ts"] },
  { source: "src/mcp/message.ts", tests: ["test/mcp/message.test.ts", "test/mcp/session.test.ts"] },
  { source: "src/text/clean.ts", tests: ["test/text/clean.test.ts"] },
];
