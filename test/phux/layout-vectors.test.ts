import { expect, test } from "bun:test";
import type { Refusal } from "../../src/phux/errors.ts";
import {
  closePane,
  type Divider,
  insertBeside,
  moveBeside,
  seedLayout,
  splitBeside,
  swapPanes,
} from "../../src/phux/layout-edit.ts";
import { projectionSession } from "../../src/phux/projection.ts";
import { decodeLayout, encodeLayout, type LayoutDocument } from "../../src/wire/layout-document.ts";
import type { Result } from "../../src/wire/result.ts";
import { describeShared, sharedJson } from "../shared.ts";
import { items, members } from "../wire/vector.ts";
import { layoutText } from "./layout-text.ts";
import { idOf } from "./snapshot.ts";

describeShared("vectors/layouts.json", () => {
  const file = members(sharedJson("vectors/layouts.json"));
  const text = (of: unknown, name: string): string => String(members(of)[name]);
  const named = (list: unknown) => items(list).map((row) => [text(row, "name"), members(row)] as const);

  test.each(named(file["edits"]))("edit: %s", (_name, row) => {
    const after = edited(text(row, "op"), members(row["args"]), row["before_hex"]);
    if (row["error"] !== undefined) expect(after.ok ? "done" : after.error.code).toBe(text(row, "error"));
    else {
      if (!after.ok) throw new Error(after.error.message);
      expect(encodeLayout(after.value, 3).toHex()).toBe(text(row, "after_hex"));
      expect(layoutText(after.value)).toBe(text(row, "after_text"));
    }
  });

  test.each(named(file["cross_session"]))("%s", (_name, row) => {
    const { source, target, direction, ratio } = members(row["args"]);
    const pane = idOf(String(source));
    const placed = insertBeside(
      stored(row["dest_before_hex"]),
      idOf(String(target)),
      pane,
      divider(direction),
      Number(ratio),
    );
    expect(placed.ok && encodeLayout(placed.value, 3).toHex()).toBe(text(row, "dest_after_hex"));
    const left = closePane(stored(row["source_before_hex"]), pane);
    // The session went with its last pane, so that nothing is left to close: the key is deleted instead.
    if (row["source_reaped"] === true) expect(left.ok).toBe(false);
    else expect(left.ok && encodeLayout(left.value, 3).toHex()).toBe(text(row, "source_after_hex"));
  });

  test.each(items(file["projection_keys"]).map((row) => [text(row, "key"), members(row)["session"]] as const))(
    "projection key %j",
    (key, session) => expect<unknown>(projectionSession(key)).toBe(session),
  );
});

function stored(hex: unknown): LayoutDocument {
  const layout = decodeLayout(Uint8Array.fromHex(String(hex)), 3);
  if (!layout.ok) throw new Error(layout.error.message);
  return layout.value;
}

function divider(word: unknown): Divider {
  return word === "vertical" ? word : "horizontal";
}

function edited(op: string, args: Readonly<Record<string, unknown>>, before: unknown): Result<LayoutDocument, Refusal> {
  const pane = (name: string) => idOf(String(args[name]));
  const ratio = Number(args["ratio"]);
  const layout = typeof before === "string" ? stored(before) : seedLayout(pane("target"), 3);
  switch (op) {
    case "insert_pane":
      return insertBeside(layout, pane("target"), pane("new_pane"), divider(args["direction"]), ratio);
    case "spawn_place":
      return splitBeside(layout, pane("target"), pane("new_pane"), divider(args["split"]), ratio);
    case "move_pane":
      return moveBeside(layout, pane("source"), pane("target"), divider(args["direction"]), ratio);
    case "swap_pane":
      return swapPanes(layout, pane("first"), pane("second"));
    case "close":
      return closePane(layout, pane("target"));
    default:
      throw new Error(`no edit ${op}`);
  }
}
