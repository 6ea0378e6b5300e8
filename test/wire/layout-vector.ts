import type { ResourceId } from "../../src/wire/identity.ts";
import type { LayoutDocument, LayoutNode } from "../../src/wire/layout-document.ts";

function paneValue({ tag, ...pane }: ResourceId): unknown {
  return { kind: tag, ...pane };
}

function nodeValue(node: LayoutNode): unknown {
  if (node.kind === "leaf") return { kind: "leaf", pane: paneValue(node.pane) };
  return { ...node, left: nodeValue(node.left), right: nodeValue(node.right) };
}

/** A document as the CBOR says it: panes by kind, window ids as numbers. */
export function documentValue({ version, windows, focused_window_index }: LayoutDocument): unknown {
  return {
    version,
    windows: windows.map(({ id, name, root, focused_terminal }) => ({
      ...(id === undefined ? {} : { id: [...Uint8Array.fromHex(id)] }),
      name,
      root: nodeValue(root),
      focused_terminal: paneValue(focused_terminal),
    })),
    focused_window_index,
  };
}
