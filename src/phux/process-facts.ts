import { type JsonMembers, membersOf, parseJsonObject } from "./json-object.ts";

/** What a server knows of a pane's processes, in the shape of its document; null is "not known" (wire.md section 12). */
export interface ProcessFacts {
  readonly child: { readonly pid: unknown; readonly start_ms: unknown } | null;
  readonly foreground: { readonly pgid: unknown; readonly start_ms: unknown; readonly name: unknown } | null;
  readonly cwd: unknown;
  readonly prompt: { readonly state: unknown; readonly last_exit_code: unknown };
  readonly exit: JsonMembers | null;
}

/** The `process` part of the JSON that GET_TERMINAL_STATE answers; null where there is none, as on 0.8. */
export function parseProcessFacts(json: string): ProcessFacts | null {
  const process = membersOf(parseJsonObject(json)?.["process"]);
  if (process === null) return null;
  const prompt = membersOf(process["prompt"]);
  return {
    child: picked(process["child"], ["pid", "start_ms"]),
    foreground: picked(process["foreground"], ["pgid", "start_ms", "name"]),
    cwd: process["cwd"] ?? null,
    prompt: { state: prompt?.["state"] ?? "unknown", last_exit_code: prompt?.["last_exit_code"] ?? null },
    exit: picked(process["exit"], ["status", "signal", "reason", "exited_at_ms"]),
  };
}

/** Only these members of an object, in this order, the missing ones null; null when it is no object. */
function picked<const Name extends string>(value: unknown, names: readonly Name[]): Record<Name, unknown> | null {
  const members = membersOf(value);
  if (members === null) return null;
  // fromEntries forgets the names that it was given.
  return Object.fromEntries(names.map((name) => [name, members[name] ?? null])) as Record<Name, unknown>;
}
