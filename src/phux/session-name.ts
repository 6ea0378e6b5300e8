import { type Refusal, refuse } from "./errors.ts";

/**
 * Whether a session may get this name: null, or `invalid_session_name` when no selector could address it
 * afterwards (spec/client.md 4.20). Dots, slashes and blanks inside a name are fine.
 */
export function refuseSessionName(name: string): Refusal | null {
  const why = unreachableBecause(name);
  return why === null
    ? null
    : refuse("invalid_session_name", `a session cannot be named ${JSON.stringify(name)}: ${why}`);
}

function unreachableBecause(name: string): string | null {
  if (name.trim() === "") return "a name needs a visible character";
  // The rename value separates the two names by a NUL.
  if (name.includes("\0")) return "a NUL would end it early";
  if (name === "." || name === "=") return "that text has a meaning of its own in a selector";
  if (/^[@#%]/.test(name)) return `a selector that starts with ${name.charAt(0)} is not read as a session`;
  if (name.includes(":")) return "a colon ends the session part of a selector";
  if (name.includes("/@")) return "/@ separates a host from a pane";
  return null;
}
