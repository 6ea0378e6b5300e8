// Layouts in a line: `*code: H(0.65; @1, @2) focus @1 | run: @3 focus @3`. H is side by side, V stacked, with the share of
// the first child; the star marks the active tab. The notation of client.md 8.6.
import { formatResource } from "../../src/phux/selector.ts";
import type { ResourceId } from "../../src/wire/frame.ts";
import type { LayoutDocument, LayoutNode, LayoutVersion, LayoutWindow } from "../../src/wire/layout-document.ts";
import { deriveWindowId } from "../../src/wire/window-id.ts";
import { idOf } from "./snapshot.ts";

/** The layout that a line stands for. In version 3 each tab has the id of its first leaf. */
export function layoutOf(text: string, version: LayoutVersion = 3): LayoutDocument {
  const tabs = text.split(" | ");
  return {
    version,
    windows: tabs.map((tab) => windowOf(tab, version)),
    focused_window_index: tabs.findIndex((tab) => tab.startsWith("*")),
  };
}

function windowOf(text: string, version: LayoutVersion): LayoutWindow {
  const [, name, tree, focus] = /^\*?([^:]*): (.*) focus (\S+)$/.exec(text) ?? [];
  if (name === undefined || tree === undefined || focus === undefined) throw new Error(`no tab: ${text}`);
  const root = nodeOf(tree);
  const window = { name, root, focused_terminal: idOf(focus) };
  return version === 2 ? window : { id: deriveWindowId(firstLeaf(root), new Set()), ...window };
}

function nodeOf(text: string): LayoutNode {
  const [, letter, share, inside] = /^([HV])\(([^;]+); (.*)\)$/.exec(text) ?? [];
  if (letter === undefined || share === undefined || inside === undefined) return { kind: "leaf", pane: idOf(text) };
  const comma = outerComma(inside);
  return {
    kind: "split",
    dir: letter === "H" ? "horizontal" : "vertical",
    ratio: Math.fround(Number(share)),
    left: nodeOf(inside.slice(0, comma)),
    right: nodeOf(inside.slice(comma + 2)),
  };
}

function outerComma(text: string): number {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === "(") depth += 1;
    else if (text[at] === ")") depth -= 1;
    else if (text[at] === "," && depth === 0) return at;
  }
  throw new Error(`one child: ${text}`);
}

function firstLeaf(node: LayoutNode): ResourceId {
  return node.kind === "leaf" ? node.pane : firstLeaf(node.left);
}

/** The line that shows a layout; shares with as many digits as the 32-bit float needs. */
export function layoutText({ windows, focused_window_index }: LayoutDocument): string {
  const tabs = windows.map(
    ({ name, root, focused_terminal }, index) =>
      `${index === focused_window_index ? "*" : ""}${name}: ${nodeText(root)} focus ${formatResource(focused_terminal)}`,
  );
  return tabs.join(" | ");
}

function nodeText(node: LayoutNode): string {
  if (node.kind === "leaf") return formatResource(node.pane);
  const letter = node.dir === "horizontal" ? "H" : "V";
  return `${letter}(${shareText(node.ratio)}; ${nodeText(node.left)}, ${nodeText(node.right)})`;
}

function shareText(ratio: number): string {
  for (let digits = 1; digits < 10; digits += 1) {
    const short = Number(ratio.toPrecision(digits));
    if (Math.fround(short) === ratio) return String(short);
  }
  return String(ratio);
}
