import { type Cbor, CborFloat, type CborMap, decodeCbor, encodeCbor } from "./cbor.ts";
import { type WireError, type WireErrorCode, wireError } from "./error.ts";
import type { ResourceId } from "./identity.ts";
import { fail, ok, type Result } from "./result.ts";
import { isWindowId } from "./window-id.ts";

/** Version 2 on a 0.8 server, 3 on newer ones: taken from HELLO_OK, never from what is stored (client.md 8.2). */
export type LayoutVersion = 2 | 3;

/** `horizontal` puts left and right side by side, `vertical` stacks them. `ratio` is the share of `left`, an f32. */
export type LayoutNode =
  | { readonly kind: "leaf"; readonly pane: ResourceId }
  | {
      readonly kind: "split";
      readonly dir: "horizontal" | "vertical";
      readonly ratio: number;
      readonly left: LayoutNode;
      readonly right: LayoutNode;
    };

export type LayoutWindow = {
  /** 32 lower-case hex digits, not all zero, unique in the document. Version 3 only. */
  readonly id?: string;
  readonly name: string;
  readonly root: LayoutNode;
  readonly focused_terminal: ResourceId;
};

/** At least one window; `focused_window_index` is an index of `windows`. */
export type LayoutDocument = {
  readonly version: LayoutVersion;
  readonly windows: readonly LayoutWindow[];
  readonly focused_window_index: number;
};

/** Largest document we look at. Ours stay under 256 KiB; a larger one that others wrote is read too. */
export const MAX_LAYOUT_BYTES = 1_048_576;

/**
 * The bytes stored under the layout key. RangeError for a document without windows, a version 3 window without an id,
 * or a ratio outside 0..1: such documents have no encoding.
 */
export function encodeLayout(document: LayoutDocument, version: LayoutVersion): Uint8Array {
  if (document.windows.length === 0) throw new RangeError("a layout without windows has no encoding");
  return encodeCbor(
    new Map<string, Cbor>([
      ["version", version],
      ["windows", document.windows.map((window) => windowToCbor(window, version))],
      ["focused_window_index", document.focused_window_index],
    ]),
  );
}

function windowToCbor({ id, name, root, focused_terminal }: LayoutWindow, version: LayoutVersion): Cbor {
  const members: [string, Cbor][] = [
    ["name", name],
    ["root", nodeToCbor(root)],
    ["focused_terminal", paneToCbor(focused_terminal)],
  ];
  if (version === 2) return new Map(members);
  if (id === undefined || !isWindowId(id)) throw new RangeError(`window ${name} has no usable id`);
  return new Map<string, Cbor>([["id", [...Uint8Array.fromHex(id)]], ...members]);
}

function nodeToCbor(node: LayoutNode): Cbor {
  if (node.kind === "leaf") {
    return new Map<string, Cbor>([
      ["kind", "leaf"],
      ["pane", paneToCbor(node.pane)],
    ]);
  }
  const ratio = Math.fround(node.ratio);
  if (!(ratio >= 0 && ratio <= 1)) throw new RangeError(`ratio ${node.ratio} is outside 0..1`);
  return new Map<string, Cbor>([
    ["kind", "split"],
    ["dir", node.dir],
    ["ratio", new CborFloat(ratio)],
    ["left", nodeToCbor(node.left)],
    ["right", nodeToCbor(node.right)],
  ]);
}

function paneToCbor(pane: ResourceId): Cbor {
  if (pane.tag === "local") {
    return new Map<string, Cbor>([
      ["kind", "local"],
      ["id", pane.id],
    ]);
  }
  return new Map<string, Cbor>([
    ["kind", "satellite"],
    ["host", pane.host],
    ["id", pane.id],
  ]);
}

/**
 * A stored layout of exactly this version (nothing is migrated). Errors: `unsupported_version`, `bad_window_id`,
 * `malformed_ratio`, `too_large`, `malformed`. A window index past the end becomes the last one, unknown members are
 * dropped, `focused_terminal` need not be in its tree (client.md 8.2).
 */
export function decodeLayout(bytes: Uint8Array, version: LayoutVersion): Result<LayoutDocument, WireError> {
  if (bytes.length > MAX_LAYOUT_BYTES) {
    return fail(wireError("too_large", `a layout of ${bytes.length} bytes is over ${MAX_LAYOUT_BYTES}`));
  }
  const cbor = decodeCbor(bytes);
  if (!cbor.ok) return cbor;
  const from = new Unpacking();
  const document = from.document(cbor.value, version);
  return from.failure === null ? ok(document) : fail(from.failure);
}

const NO_MEMBERS: CborMap = new Map();

/** The walk over a decoded item. Like the wire reader it never throws: the first refusal sticks. */
class Unpacking {
  failure: WireError | null = null;
  readonly #ids = new Set<string>();

  #refuse(code: WireErrorCode, message: string): void {
    this.failure ??= wireError(code, message);
  }

  document(value: Cbor, version: LayoutVersion): LayoutDocument {
    const members = this.#map(value, "document");
    const stored = members.get("version");
    if (stored !== version && (typeof stored === "number" || typeof stored === "bigint")) {
      this.#refuse("unsupported_version", `layout version ${stored}, this server's is ${version}`);
    } else if (stored !== version) this.#refuse("malformed", "version is not a number");
    const windows = this.#array(members, "windows").map((window) => this.#window(window, version));
    if (windows.length === 0) this.#refuse("malformed", "a layout without windows");
    const index = members.get("focused_window_index");
    const known = (typeof index === "number" || typeof index === "bigint") && index >= 0;
    if (!known) this.#refuse("malformed", "focused_window_index is not an index");
    return { version, windows, focused_window_index: known ? Math.min(Number(index), windows.length - 1) : 0 };
  }

  #window(value: Cbor, version: LayoutVersion): LayoutWindow {
    const members = this.#map(value, "window");
    const window = {
      name: this.#text(members, "name"),
      root: this.#node(members.get("root")),
      focused_terminal: this.#pane(members.get("focused_terminal")),
    };
    return version === 2 ? window : { id: this.#windowId(members), ...window };
  }

  #windowId(members: CborMap): string {
    const numbers = this.#array(members, "id");
    const octets = numbers.filter((n) => typeof n === "number" && n >= 0 && n <= 255);
    if (numbers.length !== 16 || octets.length !== 16) this.#refuse("malformed", "window id is not 16 bytes");
    const id = Uint8Array.from(octets, Number).toHex();
    if (!isWindowId(id)) this.#refuse("bad_window_id", "window id is all zero");
    if (this.#ids.has(id)) this.#refuse("bad_window_id", `window id ${id} stands twice`);
    this.#ids.add(id);
    return id;
  }

  #node(value: Cbor | undefined): LayoutNode {
    const members = this.#map(value, "node");
    const kind = this.#text(members, "kind");
    if (kind === "split") {
      return {
        kind,
        dir: this.#dir(members),
        ratio: this.#ratio(members.get("ratio")),
        left: this.#node(members.get("left")),
        right: this.#node(members.get("right")),
      };
    }
    if (kind !== "leaf") this.#refuse("malformed", `node kind ${kind}`);
    return { kind: "leaf", pane: this.#pane(members.get("pane")) };
  }

  #dir(members: CborMap): "horizontal" | "vertical" {
    const dir = this.#text(members, "dir");
    if (dir !== "horizontal" && dir !== "vertical") this.#refuse("malformed", `split dir ${dir}`);
    return dir === "vertical" ? dir : "horizontal";
  }

  #ratio(value: Cbor | undefined): number {
    // A float of any width; an integer is another type there and was never seen (wire.md 27, 12).
    if (!(value instanceof CborFloat)) {
      this.#refuse("malformed", "ratio is not a float");
      return 0;
    }
    const ratio = Math.fround(value.value);
    if (!(ratio >= 0 && ratio <= 1)) this.#refuse("malformed_ratio", `ratio ${value.value} is outside 0..1`);
    return ratio;
  }

  #pane(value: Cbor | undefined): ResourceId {
    const members = this.#map(value, "pane");
    const kind = this.#text(members, "kind");
    const id = this.#uint(members, "id");
    if (kind === "satellite") return { tag: "satellite", host: this.#text(members, "host"), id };
    if (kind !== "local") this.#refuse("malformed", `pane kind ${kind}`);
    return { tag: "local", id };
  }

  #map(value: Cbor | undefined, what: string): CborMap {
    if (value instanceof Map) return value;
    this.#refuse("malformed", `${what} is not a map`);
    return NO_MEMBERS;
  }

  #array(members: CborMap, name: string): readonly Cbor[] {
    const value = members.get(name);
    if (Array.isArray(value)) return value;
    this.#refuse("malformed", `${name} is not an array`);
    return [];
  }

  #text(members: CborMap, name: string): string {
    const value = members.get(name);
    if (typeof value === "string") return value;
    this.#refuse("malformed", `${name} is not text`);
    return "";
  }

  #uint(members: CborMap, name: string): number {
    const value = members.get(name);
    if (typeof value === "number" && value >= 0 && value <= 0xffffffff) return value;
    this.#refuse("malformed", `${name} is not a 32-bit number`);
    return 0;
  }
}
