import type { ResourceId } from "../wire/frame.ts";
import type { LayoutDocument } from "../wire/layout-document.ts";
import { fail, ok, type Result } from "../wire/result.ts";
import { AGENT_KEY, type AgentRecord, parseAgentRecord } from "./agent-record.ts";
import type { Connection, StateView } from "./connection.ts";
import { type AnyFeature, advertises } from "./designed-features.ts";
import { type Refusal, refuse } from "./errors.ts";
import { Inventory } from "./inventory.ts";
import { layoutKey, readLayout } from "./layouts.ts";
import { pickOne, type Reads, type ResolutionView, readsFor, resolveSet } from "./resolve.ts";
import { refuseAgent, refuseMiss, refuseSelector } from "./selection-refusal.ts";
import { formatResource, parseSelector, type Selector } from "./selector.ts";
import { parseTags, TAGS_KEY } from "./tags.ts";

/** What a verb changes about finding its target. */
export interface TargetRules {
  /** It types into the pane or signals it: an agent's withdrawn claim is then not good enough. */
  readonly forInput?: boolean;
  /** Exit code of a selector that does not parse, and of a miss on a partial view, where the verb has its own. */
  readonly invalidExit?: number;
  readonly partialViewExit?: number;
}

/** Where a remark for the person who runs the adapter goes. */
export interface Remarks {
  remark(message: string): void;
}

/** A selector's panes, with the state they were found in. Never empty. */
export interface FoundPanes {
  readonly selector: Selector;
  readonly panes: readonly [ResourceId, ...ResourceId[]];
  readonly inventory: Inventory;
}

/** Parses a selector as a refusal of the call, before anything is opened (client.md 3.1). */
export function selectorOf(text: string, rules: TargetRules = {}): Result<Selector, Refusal> {
  const selector = parseSelector(text);
  return selector.ok ? selector : fail(refuseSelector(selector.error, rules.invalidExit));
}

/** The id of an explicit `@N` or `host/@N`, or null for any other form: keyed calls send it without looking it up. */
export function explicitId(selector: Selector): ResourceId | null {
  if (selector.form === "id") return { tag: "local", id: selector.id };
  return selector.form === "satellite" ? { tag: "satellite", host: selector.host, id: selector.id } : null;
}

/** A refusal when the server does not advertise what the call needs; nothing was sent (tools.md 10.2). */
export function requireFeature(connection: Connection, feature: AnyFeature): Refusal | null {
  if (advertises(connection.server.capabilities, feature)) return null;
  return refuse("unsupported_server", `the server at ${connection.server.socket} lacks the feature ${feature}`);
}

/** Layouts by session id as one call has read them: null where none decodes. */
export type ReadLayouts = Map<number, LayoutDocument | null>;

/**
 * The panes that a selector names in the server's state, none when nothing matches. A call with several selectors
 * passes the same `layouts` for each, so that no layout is read twice (client.md 3.3).
 */
export async function matchPanes(
  connection: Connection,
  selector: Selector,
  inventory: Inventory,
  rules: TargetRules = {},
  layouts: ReadLayouts = new Map(),
): Promise<Result<readonly ResourceId[], Refusal>> {
  const view = await readView(connection, inventory, readsFor(selector, inventory), layouts);
  if (!view.ok) return view;
  const purpose = { forInput: rules.forInput === true, wants: "terminal" } as const;
  const found = resolveSet(selector, view.value, purpose);
  return found.ok ? found : fail(refuseAgent(found.error, rules.partialViewExit));
}

/** Every pane that a selector names in a view of the server's state; a miss is a refusal. */
export async function findPanes(
  connection: Connection,
  text: string,
  state: StateView,
  remarks: Remarks,
  rules: TargetRules = {},
): Promise<Result<FoundPanes, Refusal>> {
  const selector = selectorOf(text, rules);
  if (!selector.ok) return selector;
  const inventory = new Inventory(state.snapshot);
  const found = await matchPanes(connection, selector.value, inventory, rules);
  if (!found.ok) return found;
  const [first, ...rest] = found.value;
  if (first === undefined) return fail(refuseMiss(text, state.notices, rules.partialViewExit));
  for (const notice of state.notices) remarks.remark(`part of the fleet did not answer: ${notice}`);
  return ok({ selector: selector.value, panes: [first, ...rest], inventory });
}

/** The one pane that a single-pane tool acts on: the focused one of the set, else the first (client.md 3.4). */
export async function resolveOne(
  connection: Connection,
  text: string,
  remarks: Remarks,
  rules: TargetRules = {},
): Promise<Result<ResourceId, Refusal>> {
  const state = await connection.state();
  if (!state.ok) return fail(state.error.refusal);
  const found = await findPanes(connection, text, state.value, remarks, rules);
  if (!found.ok) return found;
  return ok(pickOne(found.value.panes, state.value.snapshot) ?? found.value.panes[0]);
}

/** Reads what a selector needs beyond the snapshot. Only a lost connection fails; refused reads leave gaps. */
async function readView(
  connection: Connection,
  inventory: Inventory,
  reads: Reads,
  layouts: ReadLayouts,
): Promise<Result<ResolutionView, Refusal>> {
  const tags = new Map<string, readonly string[]>();
  const records = new Map<string, AgentRecord>();
  let complete = true;
  if (reads.read === "layout" && !layouts.has(reads.session)) {
    const stored = await readLayout(connection, layoutKey(reads.session));
    if (!stored.ok) return stored;
    layouts.set(reads.session, stored.value.kind === "layout" ? stored.value.layout : null);
  }
  if (reads.read === "tags" || reads.read === "agents") {
    const key = reads.read === "tags" ? TAGS_KEY : AGENT_KEY;
    for (const id of reads.terminals) {
      const value = await connection.metadata({ tag: "resource", id }, key);
      if (!value.ok && value.error.wireCode === null) return fail(value.error.refusal);
      if (!value.ok) complete = false;
      else if (reads.read === "tags") tags.set(formatResource(id), parseTags(value.value));
      else {
        const record = parseAgentRecord(value.value);
        if (record !== null) records.set(formatResource(id), record);
      }
    }
  }
  return ok({ inventory, layouts, tags, agents: { records, complete } });
}
