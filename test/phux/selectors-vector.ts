import type { LayoutDocument, LayoutNode } from "../../src/wire/layout-document.ts";
import { sharedJson } from "../shared.ts";
import { idOf, type Sketch } from "./snapshot.ts";

type Tree =
  | { kind: "leaf"; pane: string }
  | { kind: "split"; dir: "horizontal" | "vertical"; ratio: number; left: Tree; right: Tree };

interface StoredLayout {
  state: "present" | "absent" | "undecodable";
  windows?: { name: string; root: Tree; focused_terminal: string }[];
  focused_window_index?: number;
}

interface SelectorCase {
  selector: string;
  parse: { error?: string; form?: string };
  ids?: string[];
  registry_ids?: string[];
  pick?: string | null;
}

interface AgentCase {
  selector: string;
  index_complete: boolean;
  for_input: boolean;
  wants: "terminal" | "session";
  expect: {
    ids?: string[];
    agent_session?: string | null;
    refusal?: string;
    exit_code?: number;
    candidates?: string[];
    terminal?: string;
  };
}

export interface SelectorVectors {
  fixture: {
    snapshot: Sketch;
    layouts: Record<string, StoredLayout>;
    tags: Record<string, string[]>;
    agents: Record<string, { name: string; kind?: string; state: string }>;
  };
  cases: SelectorCase[];
  agent_cases: AgentCase[];
  format: { id: { kind: "local" | "satellite"; host?: string; id: number }; text: string }[];
}

/** The contract's selector cases. */
export function selectorVectors(): SelectorVectors {
  // A file of the contract: its own schema word says this shape.
  return sharedJson("vectors/selectors.json") as SelectorVectors;
}

function nodeOf(tree: Tree): LayoutNode {
  if (tree.kind === "leaf") return { kind: "leaf", pane: idOf(tree.pane) };
  const { kind, dir, ratio, left, right } = tree;
  return { kind, dir, ratio, left: nodeOf(left), right: nodeOf(right) };
}

/** A stored layout as a reader of the key gets it: null unless it is there and decodes. */
export function layoutOf({ state, windows = [], focused_window_index = 0 }: StoredLayout): LayoutDocument | null {
  if (state !== "present") return null;
  return {
    version: 2,
    windows: windows.map(({ name, root, focused_terminal }) => ({
      name,
      root: nodeOf(root),
      focused_terminal: idOf(focused_terminal),
    })),
    focused_window_index,
  };
}
