import type { ResourceId } from "../wire/frame.ts";
import { fail, ok, type Result } from "../wire/result.ts";
import type { Connection } from "./connection.ts";
import { type Refusal, refuse, refuseInPart, sentence } from "./errors.ts";
import { formatResource } from "./selector.ts";
import { encodeTags, parseTags, TAGS_KEY, withoutTags, withTags } from "./tags.ts";
import { findPanes, type Remarks } from "./target.ts";

export type TagAction = "ls" | "add" | "rm";

/** A pane by its selector, and all its tags as they are stored. */
export interface TaggedPane {
  readonly terminal: string;
  readonly tags: readonly string[];
}

/** tag's own exit code for a selector that does not parse (client.md 3.1). */
export const TAG_RULES = { invalidExit: 1 } as const;

/**
 * Reads or changes the tags of every pane that a selector names, one after the other (client.md 4.15). `tags` are
 * normalized, and not empty for `add` and `rm`. What is reported was read back after the write.
 */
export async function tagPanes(
  connection: Connection,
  action: TagAction,
  target: string,
  tags: readonly string[],
  remarks: Remarks,
): Promise<Result<readonly TaggedPane[], Refusal>> {
  const state = await connection.state();
  if (!state.ok) return fail(state.error.refusal);
  const found = await findPanes(connection, target, state.value, remarks, TAG_RULES);
  if (!found.ok) return found;
  const { panes } = found.value;
  const remote = action === "ls" ? undefined : panes.find((pane) => pane.tag === "satellite");
  if (remote !== undefined) {
    const name = formatResource(remote);
    return fail(
      refuse("satellite_target", `tags do not cross a hub: ${name} is tagged on its own host; nothing changed`),
    );
  }
  const tagged: TaggedPane[] = [];
  for (const pane of panes) {
    const now = await retag(connection, pane, action, tags);
    if (!now.ok) {
      const name = formatResource(pane);
      const refusal = { ...now.error, message: `${name}: ${now.error.message}` };
      const others = action === "ls" ? [] : tagged.map(({ terminal }) => terminal);
      return fail(refuseInPart([refusal], "changed before that", others));
    }
    tagged.push({ terminal: formatResource(pane), tags: now.value });
  }
  return ok(tagged);
}

/** One pane's tags after the action. A satellite's are none of this server's, which keeps none for it. */
async function retag(
  connection: Connection,
  pane: ResourceId,
  action: TagAction,
  tags: readonly string[],
): Promise<Result<readonly string[], Refusal>> {
  if (pane.tag === "satellite") return ok([]);
  const scope = { tag: "resource", id: pane } as const;
  const read = await connection.metadata(scope, TAGS_KEY);
  if (!read.ok) return fail(read.error.refusal);
  const stored = parseTags(read.value);
  if (action === "ls") return ok(stored);
  const wanted = action === "add" ? withTags(stored, tags) : withoutTags(stored, tags);
  const written = await connection.writeMetadata(scope, TAGS_KEY, encodeTags(wanted));
  if (!written.ok) return fail(written.error.refusal);
  const kept = parseTags(written.value);
  if (JSON.stringify(kept) === JSON.stringify(wanted)) return ok(kept);
  const name = formatResource(pane);
  return fail(
    sentence(`the tags of ${name} are not those written: somebody else wrote them meanwhile, or ${name} ended`),
  );
}
