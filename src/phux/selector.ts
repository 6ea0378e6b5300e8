import type { ResourceId } from "../wire/frame.ts";
import { fail, ok, type Result } from "../wire/result.ts";

/** A window of a session: by its place among the tabs, from 0, or by its exact name. */
export type WindowRef = { readonly index: number } | { readonly name: string };

/** What a selector text asks for. Whether it exists is another question: see resolve.ts. */
export type Selector =
  | { readonly form: "current" }
  | { readonly form: "session"; readonly session: string }
  | { readonly form: "window"; readonly session: string; readonly window: WindowRef }
  | { readonly form: "pane"; readonly session: string; readonly window: WindowRef; readonly pane: number }
  | { readonly form: "id"; readonly id: number }
  | { readonly form: "satellite"; readonly host: string; readonly id: number }
  | { readonly form: "tag"; readonly tag: string }
  | { readonly form: "agent"; readonly name: string };

export type SelectorFaultReason =
  | "empty"
  | "last_unsupported"
  | "empty_agent_name"
  | "bad_agent_name"
  | "bad_terminal_id"
  | "empty_tag"
  | "bad_pane_index";

/** Why a text is no selector: `message` quotes the text and names the part that is wrong. */
export interface SelectorFault {
  readonly reason: SelectorFaultReason;
  readonly message: string;
}

const maxU16 = 0xffff;
const maxU32 = 0xffff_ffff;

/**
 * Parses a selector (spec/client.md 3.1). The rules are tried in the contract's order and the first that applies
 * decides. Nothing is trimmed or folded, and any length is accepted.
 */
export function parseSelector(text: string): Result<Selector, SelectorFault> {
  if (text === "") return fault("empty", "a selector cannot be empty");
  if (text === ".") return ok({ form: "current" });
  if (text === "=") {
    return fault("last_unsupported", '"=" needs a person\'s focus history, which this client has not: name the pane');
  }
  if (text.startsWith("%")) return parseAgent(text);
  const slash = text.lastIndexOf("/@");
  if (slash >= 0) return parseSatellite(text, slash);
  if (text.startsWith("@")) return parseId(text);
  if (text.startsWith("#")) {
    return text === "#"
      ? fault("empty_tag", '"#" names no tag: one must follow')
      : ok({ form: "tag", tag: text.slice(1) });
  }
  const colon = text.indexOf(":");
  return colon < 0 ? ok({ form: "session", session: text }) : parseLocus(text, colon);
}

/** The selector of one resource: `@N`, or `host/@N` for one behind a hub (spec/client.md 3.8). */
export function formatResource(resource: ResourceId): string {
  return resource.tag === "local" ? `@${resource.id}` : `${resource.host}/@${resource.id}`;
}

function parseAgent(text: string): Result<Selector, SelectorFault> {
  const name = text.slice(1);
  if (name === "") return fault("empty_agent_name", '"%" names no agent: a name must follow');
  if (/^[a-z][a-z0-9_-]{0,31}$/.test(name)) return ok({ form: "agent", name });
  return fault(
    "bad_agent_name",
    `${quote(text)}: an agent name is 1 to 32 of a-z, 0-9, _ and -, and begins with a letter; ${quote(name)} is not`,
  );
}

function parseSatellite(text: string, slash: number): Result<Selector, SelectorFault> {
  const id = parseUnsigned(text.slice(slash + 2), maxU32);
  return id === null ? badId(text, text.slice(slash + 2)) : ok({ form: "satellite", host: text.slice(0, slash), id });
}

function parseId(text: string): Result<Selector, SelectorFault> {
  const id = parseUnsigned(text.slice(1), maxU32);
  return id === null ? badId(text, text.slice(1)) : ok({ form: "id", id });
}

function parseLocus(text: string, colon: number): Result<Selector, SelectorFault> {
  const session = text.slice(0, colon);
  const locus = text.slice(colon + 1);
  const dot = locus.indexOf(".");
  if (dot < 0) return ok({ form: "window", session, window: parseWindow(locus) });
  const pane = parseUnsigned(locus.slice(dot + 1), maxU16);
  if (pane === null) {
    return fault(
      "bad_pane_index",
      `${quote(text)}: what follows the dot must be a pane number from 0 to ${maxU16}, and ${quote(locus.slice(dot + 1))} is not`,
    );
  }
  return ok({ form: "pane", session, window: parseWindow(locus.slice(0, dot)), pane });
}

/** A number too large for an index is a name, not a fault: only pane numbers and ids are refused. */
function parseWindow(text: string): WindowRef {
  const index = parseUnsigned(text, maxU16);
  return index === null ? { name: text } : { index };
}

/** The reference's integers: digits, leading zeros and one leading plus; no minus, blank or hex. */
function parseUnsigned(text: string, max: number): number | null {
  if (!/^\+?[0-9]+$/.test(text)) return null;
  const value = Number(text);
  return value <= max ? value : null;
}

function badId(text: string, part: string) {
  return fault(
    "bad_terminal_id",
    `${quote(text)}: what follows the @ must be a number from 0 to ${maxU32}, and ${quote(part)} is not`,
  );
}

function fault(reason: SelectorFaultReason, message: string) {
  return fail({ reason, message });
}

function quote(text: string): string {
  return JSON.stringify(text);
}
