import { type Refusal, sentence } from "../phux/errors.ts";
import { ok } from "../wire/result.ts";
import { flag, oneOf, optional, ratio, socket, text, texts } from "./argument.ts";
import { option, refuseDash } from "./argv.ts";
import { inFile } from "./rest.ts";
import { overCli } from "./tool.ts";

export const launch = overCli({
  name: "phux_launch",
  verb: "phux launch",
  sets: ["agents"],
  about:
    "Start a configured integration in a new pane, or list them. Give integration or list: true. `terminal_id` is bare: " +
    "address it as `@N`. split, ratio, projection need target; list goes alone.",
  touches: { methods: ["GET_STATE", "SPAWN_RESOURCE", "SET_METADATA", "GET_METADATA", "KILL_RESOURCE"] },
  input: {
    integration: optional(text("Integration id.")),
    list: optional(flag("List instead.")),
    target: optional(text("Pane to split.")),
    split: optional(
      oneOf(["horizontal", "vertical"], "Divider: horizontal (default) stacks, vertical is side by side."),
    ),
    ratio: optional(ratio("Share target keeps.")),
    projection: optional(text("Layout key, in full.")),
    cwd: optional(text("Working directory.")),
    extra: optional(texts("More arguments.")),
    socket,
  },
  exclude(given): Refusal | null {
    const wrong = (message: string) => sentence(`phux_launch: ${message}`, 2);
    const { integration, list, socket: server, ...rest } = given;
    if ((integration === undefined) === (list !== true)) return wrong("give integration or list: true, one of the two");
    if (list === true) {
      const others = Object.keys({ ...rest, ...(server !== undefined && { socket: server }) });
      return others.length === 0 ? null : wrong(`list goes alone, without ${others.join(", ")}`);
    }
    const placing = (["split", "ratio", "projection"] as const).find((name) => given[name] !== undefined);
    if (given.target === undefined && placing !== undefined) return wrong(`"${placing}" needs target`);
    return refuseDash("phux_launch", "integration", integration);
  },
  cuts: [
    {
      at: ["integrations"],
      hint: `integrations keeps the last ones: for all of them ${inFile("phux launch --list --json")}`,
    },
  ],
  argv(given) {
    if (given.integration === undefined) return ["launch", "--list", "--json"];
    const placement =
      given.target === undefined
        ? []
        : [
            ...option("--target", "--target", given.target),
            "--split",
            given.split ?? "horizontal",
            ...(given.ratio === undefined ? [] : ["--ratio", String(given.ratio)]),
            ...option("--projection", "--projection", given.projection),
          ];
    return [
      "launch",
      given.integration,
      "--json",
      ...placement,
      ...option("-c", "--cwd", given.cwd),
      ...option("--socket", "--socket", given.socket),
      ...(given.extra === undefined || given.extra.length === 0 ? [] : ["--", ...given.extra]),
    ];
  },
  deadlineMs: 30_000,
});

export const archive = overCli({
  name: "phux_archive",
  verb: "phux archive",
  sets: [],
  about:
    "save: capture the sessions as a document, or into the file `output`. import: recreate the missing ones from the file " +
    "`path`; nothing is replaced or ended, programs start afresh; read `failed`. Older releases lose layouts.",
  touches: { methods: ["GET_STATE", "GET_METADATA", "SET_METADATA"], starts: true },
  input: {
    action: oneOf(["save", "import"], "What to do."),
    path: optional(text("import: the file; no - in front.")),
    output: optional(text("save: file to write.")),
    projection: optional(text("save: layout key prefix.")),
    socket,
  },
  exclude(given): Refusal | null {
    const wrong = (message: string) => sentence(`phux_archive: ${message}`, 2);
    if (given.action === "save")
      return given.path === undefined ? null : wrong("save takes no path: the file to write is output");
    if (given.path === undefined) return wrong("import needs path");
    const extra = (["output", "projection"] as const).find((name) => given[name] !== undefined);
    if (extra !== undefined) return wrong(`import takes no ${extra}`);
    return refuseDash("phux_archive", "path", given.path);
  },
  argv: (given) =>
    given.action === "import"
      ? ["archive", "import", given.path ?? "", ...option("--socket", "--socket", given.socket)]
      : [
          "archive",
          "save",
          ...option("-o", "--output", given.output),
          ...option("--projection", "--projection", given.projection),
          ...option("--socket", "--socket", given.socket),
        ],
  deadlineMs: 30_000,
  // An import that could not do everything says so in its document, with exit 1; a save has no such answer.
  answerExits: (given) => (given.action === "import" ? [1] : []),
  read: ({ action, output }) =>
    action === "save" && output !== undefined ? () => ok({ schema_version: 1, saved: true, output }) : null,
  // A cut archive would be no archive.
  whole: ({ action }) => (action === "save" ? "pass `output` to write the archive to a file" : null),
});

export const inspect = overCli({
  name: "phux_project_inspect",
  verb: "phux project inspect",
  sets: [],
  about: "The git checkout and worktrees at a path, on the adapter's machine. Needs no server.",
  touches: { methods: [] },
  input: { path: optional(text("Folder in a checkout; no - in front. Default the adapter's.")) },
  exclude: (given) => refuseDash("phux_project_inspect", "path", given.path),
  cuts: [
    {
      at: ["worktrees"],
      hint: `worktrees keeps the last ones: for all of them ${inFile("phux project inspect PATH --json")}`,
    },
  ],
  argv: (given) => ["project", "inspect", ...(given.path === undefined ? [] : [given.path]), "--json"],
  deadlineMs: 30_000,
});
