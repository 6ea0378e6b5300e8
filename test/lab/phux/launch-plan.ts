import { limits } from "../../../src/wire/limits.ts";
import { fail, ok, type Result } from "../../../src/wire/result.ts";
import { PLUGIN_ROOT, SESSION_ID } from "./integration-template.ts";
import type { Integration } from "./integrations.ts";

/** Where an agent's own session belongs: what is stored with the pane, so that it can be resumed (wire.md 21.3). */
export interface SessionOrigin {
  readonly plugin_id: string;
  readonly integration_id: string;
  readonly native_id: string;
}

/** What to start for an integration. */
export interface LaunchPlan {
  readonly argv: readonly string[];
  /** Null leaves it to the server. */
  readonly cwd: string | null;
  readonly env: readonly { readonly name: string; readonly value: string }[];
  /** Null for an agent that cannot be resumed. */
  readonly origin: SessionOrigin | null;
}

export interface Circumstances {
  /** Where an agent runs that does not ask for its plugin's folder. */
  readonly cwd: string | null;
  readonly extra: readonly string[];
  /** A session of the agent's own that goes on: the value of the template's `native_env`. */
  readonly nativeId: string | null;
  /** A name for a new session of the agent's own. */
  freshId(): string;
}

/**
 * The command line of an integration with everything filled in, word by word and never by a shell. It resumes the
 * agent's session when it is given one, and names a new one when the agent lets itself be told. The fault is a sentence.
 */
export function planLaunch(integration: Integration, now: Circumstances): Result<LaunchPlan, string> {
  const { launch, root, session_identity: identity } = integration;
  const command = launch.command.map((word) => word.replaceAll(PLUGIN_ROOT, root));
  const cwd = launch.working_directory === "plugin-root" ? root : now.cwd;
  const plain: LaunchPlan = { argv: [...command, ...now.extra], cwd, env: [], origin: null };
  if (identity?.resume_args === undefined) return ok(plain);
  const { native_env: name, resume_args, fresh_args } = identity;
  const [native_id, args] = now.nativeId === null ? [now.freshId(), fresh_args] : [now.nativeId, resume_args];
  if (args === undefined) return ok(plain);
  const origin = { plugin_id: integration.plugin, integration_id: integration.id, native_id };
  const wrong = faultOf(origin);
  if (wrong !== null) return fail(`${name} is no session id: ${wrong}`);
  const identified = args.map((arg) => (arg === SESSION_ID ? native_id : arg));
  return ok({ ...plain, argv: [...plain.argv, ...identified], env: [{ name, value: native_id }], origin });
}

/** Most bytes of each member of an origin (wire.md 21.3). */
const most = [
  ["plugin_id", 120],
  ["integration_id", 120],
  ["native_id", 1024],
] as const satisfies readonly (readonly [keyof SessionOrigin, number])[];

/** What is wrong with an origin, as a sentence, or null. */
export function faultOf(origin: SessionOrigin): string | null {
  for (const [member, limit] of most) {
    const text = origin[member];
    const bytes = Buffer.byteLength(text);
    if (bytes < 1 || bytes > limit) return `${member} has ${bytes} bytes, and 1 to ${limit} are allowed`;
    if (text.trim() !== text || [...text].some((character) => character < " " || character === "\x7f")) {
      return `${member} has control characters, or blanks around it`;
    }
  }
  if (origin.native_id.startsWith("-")) return "native_id looks like an option";
  return encodeOrigin(origin).length > limits.agent_session_record ? "it is too long" : null;
}

/** The origin in a stored value, or null where it is none: exactly these members, as long as they may be. */
export function readOrigin(stored: Readonly<Record<string, unknown>> | null): SessionOrigin | null {
  const { plugin_id, integration_id, native_id, ...more } = stored ?? {};
  if (typeof plugin_id !== "string" || typeof integration_id !== "string" || typeof native_id !== "string") return null;
  const origin = { plugin_id, integration_id, native_id };
  return Object.keys(more).length === 0 && faultOf(origin) === null ? origin : null;
}

/** The value of `phux.agent-session/v1`. */
export function encodeOrigin({ plugin_id, integration_id, native_id }: SessionOrigin): Uint8Array {
  return new TextEncoder().encode(JSON.stringify({ plugin_id, integration_id, native_id }));
}
