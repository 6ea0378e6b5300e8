/**
 * Puts a member into a JSON object so that `json-remove.ts` can tell from the text alone how it was before. Pure.
 *
 * What was written on one line stays on one line. An object that we make is written over several lines, with one line
 * end behind its brace; an empty one that was there keeps its own white space beside ours. So no two texts lead to the
 * same one, and taking out needs no memory of what putting in found.
 */

import { applyEdits, type Edit, indentAt, insert } from "./edit.ts";
import { commaAfter, gapAt, gapBefore, type JsonObject } from "./json-tree.ts";
import { type Layout, type Member, writeMember } from "./json-write.ts";

/** Inserts a member behind the last one. The object must not hold its key. */
export function insertMember(text: string, object: JsonObject, member: Member, layout: Layout): string {
  const last = object.members.at(-1);
  if (last === undefined) return applyEdits(text, intoEmpty(text, object, member, layout));

  const comma = commaAfter(text, last);
  const tail = gapAt(text, comma === null ? last.end : comma + 1);
  const indent = indentAt(text, last.start);
  const ownLine = text.slice(gapBefore(text, object, last).start, last.start).includes("\n");
  const lead = ownLine || tail.solid === "line" ? layout.lineEnd + indent : " ";
  const written = lead + writeMember(member, { ...layout, indent, oneLine: !ownLine });
  // A trailing comma is a habit to keep.
  if (comma !== null) return applyEdits(text, [insert(tail.solidEnd, `${written},`)]);
  return applyEdits(text, [insert(last.end, ","), insert(tail.solidEnd, written)]);
}

function intoEmpty(text: string, object: JsonObject, member: Member, layout: Layout): readonly Edit[] {
  const { lineEnd, step } = layout;
  const inner = gapAt(text, object.open + 1);
  const outer = indentAt(text, object.open);
  const indent = outer + step;
  const onLines = indent + writeMember(member, { ...layout, indent, oneLine: false });
  const onOneLine = writeMember(member, { ...layout, indent: outer, oneLine: true });
  const tail = text.slice(inner.solidEnd, inner.end);

  if (inner.solid !== "none") {
    const lines = inner.solid === "line" || tail.includes("\n");
    return [insert(inner.solidEnd, lines ? lineEnd + onLines : ` ${onOneLine}`)];
  }
  if (!tail.includes("\n")) return [insert(inner.end, onOneLine + tail)];
  // An empty line in front says that the object stood here on several lines.
  const lastLine = object.open + 1 + tail.lastIndexOf("\n") + 1;
  return [insert(lastLine, lineEnd + onLines + lineEnd)];
}
