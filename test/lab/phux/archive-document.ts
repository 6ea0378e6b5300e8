import * as v from "valibot";
import { firstFault } from "../../../src/phux/schema-fault.ts";
import { fail, ok, type Result } from "../../../src/wire/result.ts";
import { faultOf } from "./launch-plan.ts";

/** What `archive save` writes. Version 1 has no agent sessions. */
export const ARCHIVE_VERSION = 2;

/** The tree of a window: `pane` is an index of its panes, `dir` the axis of the children, `ratio` the share of `left`. */
export type ArchivedNode =
  | { readonly kind: "pane"; readonly pane: number }
  | {
      readonly kind: "split";
      readonly dir: "horizontal" | "vertical";
      readonly ratio: number;
      readonly left: ArchivedNode;
      readonly right: ArchivedNode;
    };

const index = v.pipe(v.number("must be a number"), v.safeInteger("must be a whole number"), v.minValue(0));
const size = v.optional(v.pipe(index, v.maxValue(0xffff)), 0);
const active = v.optional(v.boolean("must be true or false"), false);
const text = v.string("must be a text");
const argv = v.pipe(
  v.array(text),
  v.check(([program]) => program !== undefined && program !== "", "must begin with a program"),
);

const node: v.GenericSchema<unknown, ArchivedNode> = v.variant("kind", [
  v.object({ kind: v.literal("pane"), pane: index }),
  v.object({
    kind: v.literal("split"),
    dir: v.picklist(["horizontal", "vertical"]),
    ratio: v.pipe(v.number(), v.gtValue(0), v.ltValue(1)),
    left: v.lazy(() => node),
    right: v.lazy(() => node),
  }),
]);

/** Exactly these members: nothing in an archive may say what is to be run for an agent. */
const origin = v.pipe(
  v.strictObject({ plugin_id: text, integration_id: text, native_id: text }),
  v.rawCheck(({ dataset, addIssue }) => {
    const wrong = dataset.typed ? faultOf(dataset.value) : null;
    if (wrong !== null) addIssue({ message: `is no agent session: ${wrong}` });
  }),
);

const pane = v.object({
  active,
  title: v.optional(text),
  cwd: v.optional(text),
  command: v.optional(argv),
  agent_session: v.optional(origin),
  cols: size,
  rows: size,
});

const archivedWindow = v.pipe(
  v.object({ name: text, active, layout: v.optional(node), panes: v.optional(v.array(pane), []) }),
  v.check(
    ({ layout, panes }) => layout === undefined || drawsEachOnce(layout, panes.length),
    "draws a pane twice, or one that it has not",
  ),
);

const session = v.object({
  name: v.pipe(
    text,
    v.check((name) => name.trim() !== "", "must be a name with a visible character"),
  ),
  active,
  cwd: v.optional(text),
  command: v.optional(argv),
  windows: v.optional(v.array(archivedWindow), []),
});

const archive = v.pipe(
  v.object({
    schema_version: v.picklist([1, ARCHIVE_VERSION], `must be 1 or ${ARCHIVE_VERSION}`),
    sessions: v.array(session),
  }),
  v.check(
    ({ sessions }) => new Set(sessions.map(({ name }) => name)).size === sessions.length,
    "names a session twice",
  ),
  v.check(
    ({ schema_version, sessions }) => schema_version === ARCHIVE_VERSION || !sessions.some(hasAgents),
    "has agent sessions, which version 1 does not know",
  ),
);

export type ArchivedSession = v.InferOutput<typeof session>;
export type ArchivedWindow = v.InferOutput<typeof archivedWindow>;
export type ArchivedPane = v.InferOutput<typeof pane>;
export type Archive = v.InferOutput<typeof archive>;

/** Reads an archive as a whole: one thing wrong in it, and nothing of it counts. The fault follows the name of the file. */
export function parseArchive(json: string): Result<Archive, string> {
  const value = parseJson(json);
  if (!value.ok) return value;
  const deep = depthOf(value.value) > MOST_DEPTH;
  if (deep) return fail(`is nested more than ${MOST_DEPTH} levels deep`);
  const parsed = v.safeParse(archive, value.value);
  return parsed.success ? ok(parsed.output) : fail(firstFault(parsed.issues));
}

/** Deeper than any layout that a person can see, and shallow enough to walk. */
const MOST_DEPTH = 200;

function parseJson(json: string): Result<unknown, string> {
  try {
    return ok(JSON.parse(json));
  } catch (error) {
    return fail(`is no JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function depthOf(root: unknown): number {
  let depth = 0;
  for (let level = [root]; level.length > 0 && depth <= MOST_DEPTH; depth += 1) {
    level = level.flatMap((value) => (typeof value === "object" && value !== null ? Object.values(value) : []));
  }
  return depth;
}

function hasAgents({ windows }: ArchivedSession): boolean {
  return windows.some(({ panes }) => panes.some(({ agent_session }) => agent_session !== undefined));
}

function drawsEachOnce(layout: ArchivedNode, panes: number): boolean {
  const drawn = indexesOf(layout);
  return new Set(drawn).size === drawn.length && drawn.every((at) => at < panes);
}

/** The panes that a tree draws, left before right. */
export function indexesOf(node: ArchivedNode): readonly number[] {
  return node.kind === "pane" ? [node.pane] : [...indexesOf(node.left), ...indexesOf(node.right)];
}
