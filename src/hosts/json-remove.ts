/** Takes a member out of a JSON object: the way back of `json-insert.ts`, and good sense for what others wrote. Pure. */

import { applyEdits, cutOut, type Edit } from "./edit.ts";
import { commaAfter, gapAt, gapBefore, type JsonMember, type JsonObject } from "./json-tree.ts";

/**
 * The text without the member; `object` is the one that holds it. Comments around it stay.
 * When nothing is left of an object that we made, this is `"made"`: then the object goes too.
 */
export function removeMember(text: string, object: JsonObject, member: JsonMember): string | "made" {
  const before = gapBefore(text, object, member);
  if (object.members.length === 1 && before.solid === "none") return emptied(text, object, member);

  const comma = commaAfter(text, member);
  const index = object.members.indexOf(member);
  const [previous, next] = [object.members[index - 1], object.members[index + 1]];
  // The second of a row takes the place of the first.
  const tight = comma !== null && text.slice(member.end, comma) === "" && gapAt(text, comma + 1).solid === "none";
  if (previous === undefined && next !== undefined && tight)
    return applyEdits(text, [cutOut(member.start, next.start)]);
  const edits: Edit[] = [cutOut(before.solidEnd, member.end)];
  if (comma !== null) edits.push(cutOut(comma, comma + 1));
  else if (next === undefined && previous !== undefined) {
    const separator = commaAfter(text, previous);
    if (separator !== null) edits.push(cutOut(separator, separator + 1));
  }
  // What follows on the line must not become part of a comment in front.
  const rest = (comma ?? member.end - 1) + 1;
  const sameLine = text.slice(rest).match(/^[ \t]*(?=[^ \t\r\n])/) !== null;
  if (before.solid === "line" && sameLine)
    edits.push({ offset: rest, length: 0, text: lineEndAt(text, before.solidEnd) });
  return applyEdits(text, edits);
}

function lineEndAt(text: string, offset: number): string {
  return text.startsWith("\r\n", offset) ? "\r\n" : "\n";
}

/** An object that loses its only member, with nothing but white space before it. */
function emptied(text: string, object: JsonObject, member: JsonMember): string | "made" {
  const lead = text.slice(object.open + 1, member.start);
  const comma = commaAfter(text, member);
  const behind = gapAt(text, (comma ?? member.end - 1) + 1);
  const trail = text.slice(behind.start, object.close);
  const inner = (left: string) => text.slice(0, object.open + 1) + left + text.slice(object.close);

  // A comment of somebody else is reason enough to leave the object.
  const between = text.slice(member.end, behind.start);
  if (behind.solid !== "none" || between.trim().length > 1) {
    return applyEdits(text, [
      cutOut(object.open + 1, member.end),
      ...(comma === null ? [] : [cutOut(comma, comma + 1)]),
    ]);
  }
  const [leading, trailing] = [countLines(lead), countLines(trail)];
  if (leading === 0 && trailing === 0) return inner(lead);
  if (leading === 1 && trailing === 1) return "made";
  if (leading > 1 && trailing > 0) return inner(lead.replace(/\r?\n[ \t]*$/, "") + trail.replace(/^\r?\n/, ""));
  return inner("");
}

function countLines(white: string): number {
  return white.split("\n").length - 1;
}
