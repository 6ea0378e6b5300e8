import { sentence } from "../../phux/errors.ts";
import { tagPanes } from "../../phux/tag-panes.ts";
import { fail, ok } from "../../wire/result.ts";
import { keepValue } from "../kept.ts";
import { changedLook, encodeLook, LOOK_KEY, parseLook, shownLook } from "../look.ts";
import { ATTENTION_TAG } from "../terminal/attention.ts";
import { findTerminal } from "../terminal/found-terminal.ts";
import { guardTool } from "../tool.ts";
import { colorOrNone, iconOrNone, nameOrNone, optional, terminal } from "./argument.ts";

/** Nobody reads a log of the guard while it asks, and the tags of one local pane leave nothing to remark on. */
const SILENT = { remark: () => {} };

export const focusTerminal = guardTool({
  name: "focus_terminal",
  about:
    "Ask the people to look at a terminal. In phux the focus belongs to each person who is attached, so none is moved: the " +
    "terminal gets the tag `attention`, which they see and can take away.",
  readOnly: false,
  input: { terminal },
  async run({ terminal: name }, call) {
    const connection = await call.connect();
    if (!connection.ok) return connection;
    const found = await findTerminal(connection.value, name);
    if (!found.ok) return found;
    const tagged = await tagPanes(connection.value, "add", found.value.name, [ATTENTION_TAG], SILENT);
    if (!tagged.ok) return tagged;
    const note =
      "Nobody's focus was moved: in phux it belongs to each attached person. The terminal is marked for attention.";
    return ok({ schema_version: 1, terminal: found.value.name, focused: false, tag: ATTENTION_TAG, note });
  },
});

export const updateTerminal = guardTool({
  name: "update_terminal",
  about:
    'Give a terminal a name, an icon or a colour, as list_terminals shows them; "" clears. Its title is its program\'s.',
  readOnly: false,
  input: {
    terminal,
    name: optional(nameOrNone),
    icon: optional(iconOrNone),
    color: optional(colorOrNone),
  },
  async run({ terminal: id, ...change }, call) {
    if (Object.values(change).every((text) => text === undefined)) {
      return fail(sentence("update_terminal: give name, icon or color", 2));
    }
    const connection = await call.connect();
    if (!connection.ok) return connection;
    const found = await findTerminal(connection.value, id);
    if (!found.ok) return found;
    const scope = { tag: "resource", id: found.value.id } as const;
    const stored = await connection.value.metadata(scope, LOOK_KEY);
    if (!stored.ok) return fail(stored.error.refusal);
    const look = changedLook(parseLook(stored.value), change);
    const failed = await keepValue(connection.value, scope, LOOK_KEY, encodeLook(look));
    return failed === null ? ok({ schema_version: 1, terminal: found.value.name, ...shownLook(look) }) : fail(failed);
  },
});
