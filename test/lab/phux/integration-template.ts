import * as v from "valibot";
import { firstFault } from "../../../src/phux/schema-fault.ts";
import { fail, ok, type Result } from "../../../src/wire/result.ts";

/** Stand for the plugin's folder, anywhere in a word of a command line, and for the agent's own session id, alone in one. */
export const PLUGIN_ROOT = "$" + "{PHUX_PLUGIN_ROOT}";
export const SESSION_ID = "$" + "{PHUX_AGENT_SESSION_ID}";

const text = v.pipe(v.string("must be a text"), v.trim());
const word = v.pipe(text, v.nonEmpty("must be a text with a visible character"));
const words = v.array(v.string("must be a text"), "must be a list of texts");

/** Arguments that carry a session id in exactly one place: one that stood inside a word could become code. */
const identityArguments = v.pipe(
  words,
  v.maxLength(16, "must have at most 16 words"),
  v.check((args) => args.filter((arg) => arg === SESSION_ID).length === 1, `must hold ${SESSION_ID} as one word`),
);

const template = v.object({
  id: word,
  display_name: v.optional(word),
  kind: v.optional(word),
  launch: v.optional(
    v.object({
      command: v.pipe(
        words,
        v.check(([program]) => program !== undefined && program.trim() !== "", "must begin with a program"),
      ),
      required_executables: v.optional(v.array(v.pipe(word, v.regex(/^[^/\\]+$/, "must be a name, not a path"))), []),
      working_directory: v.optional(
        v.picklist(["workspace", "plugin-root"], "must be workspace or plugin-root"),
        "workspace",
      ),
    }),
  ),
  session_identity: v.optional(
    v.pipe(
      v.object({
        mode: v.picklist(["native-or-phux", "phux"], "must be native-or-phux or phux"),
        native_env: v.pipe(text, v.regex(/^PHUX_[A-Z0-9_]+_SESSION_ID$/, "must be a PHUX_..._SESSION_ID")),
        restore: v.picklist(["external-cli", "phux-session"], "must be external-cli or phux-session"),
        resume_args: v.optional(identityArguments),
        fresh_args: v.optional(identityArguments),
      }),
      v.check(
        ({ mode, restore, resume_args }) =>
          resume_args === undefined || (mode === "native-or-phux" && restore === "external-cli"),
        "has resume_args, which need native-or-phux and external-cli",
      ),
      v.check(
        ({ resume_args, fresh_args }) => fresh_args === undefined || resume_args !== undefined,
        "has fresh_args without resume_args",
      ),
    ),
  ),
  agent_identity: v.optional(v.object({ name: v.optional(word), kind: v.optional(word) })),
});

/**
 * What an `integrations/NAME.toml` of a plugin says about one agent: how it is started, how a session of its own is
 * named, and what detection calls it. Other tables of the file concern others.
 */
export type IntegrationTemplate = v.InferOutput<typeof template>;

/** Reads a template's tables; the fault is in words that follow the name of the file. */
export function parseTemplate(tables: unknown): Result<IntegrationTemplate, string> {
  const parsed = v.safeParse(template, tables);
  return parsed.success ? ok(parsed.output) : fail(firstFault(parsed.issues));
}
