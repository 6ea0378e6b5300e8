import { sentence } from "../phux/errors.ts";
import { TAG_RULES, tagPanes } from "../phux/tag-panes.ts";
import { normalizeTags } from "../phux/tags.ts";
import { ok } from "../wire/result.ts";
import { oneOf, optional, socket, text, texts } from "./argument.ts";
import { refuseSelectorText } from "./refusal.ts";
import { inProcess } from "./tool.ts";

export const tag = inProcess({
  name: "phux_tag",
  verb: "phux tag",
  sets: ["panes"],
  about:
    "List, add or remove tags of every pane a selector names; `#tag` then selects them. ls takes no tags; add and " +
    "rm need some.",
  touches: { methods: ["GET_STATE", "GET_METADATA", "SET_METADATA"] },
  input: {
    action: oneOf(["ls", "add", "rm"], "What to do."),
    target: text("Any selector; several panes are fine."),
    tags: optional(texts("Tags; a leading # is dropped.")),
    socket,
  },
  exclude({ action, target, tags = [] }) {
    if (action === "ls" && tags.length > 0) return sentence('phux_tag: action ls takes no "tags"', 2);
    if (action !== "ls" && normalizeTags(tags).length === 0) {
      return sentence(`phux_tag: action ${action} needs "tags" with at least one that is more than # and blanks`, 2);
    }
    return refuseSelectorText(target, TAG_RULES);
  },
  cuts: [{ at: ["terminals"], hint: "terminals keeps the last panes: name fewer of them" }],
  async run({ action, target, tags = [], ...given }, call) {
    const connection = await call.connect(given.socket);
    if (!connection.ok) return connection;
    const tagged = await tagPanes(connection.value, action, target, normalizeTags(tags), call);
    return tagged.ok ? ok({ schema_version: 1, action, terminals: tagged.value }) : tagged;
  },
});
