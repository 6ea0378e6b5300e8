import { parseAgentRecord } from "../../src/phux/agent-record.ts";
import { keysToEvents } from "../../src/phux/keys.ts";
import { closePane, draws, insertBeside, moveBeside, swapPanes } from "../../src/phux/layout-edit.ts";
import { parseScreen, projectScreen } from "../../src/phux/screen.ts";
import { formatResource, parseSelector } from "../../src/phux/selector.ts";
import { parseTags } from "../../src/phux/tags.ts";
import { decodeFrame, encodeFrame, type ResourceId } from "../../src/wire/frame.ts";
import { decodeLayout, encodeLayout } from "../../src/wire/layout-document.ts";
import { layoutOf } from "../../test/phux/layout-text.ts";
import { broken, corpusOf, type Target, textOf } from "./target.ts";

const selector: Target = {
  name: "selector",
  corpus: corpusOf(
    ".",
    "=",
    "@1",
    "@4294967295",
    "work",
    "work:1",
    "work:code.2",
    "lab/@2",
    "#tag",
    "%name",
    "%a/b",
    "a:b:c",
  ),
  run(input, random) {
    const parsed = parseSelector(textOf(input, random));
    if (!parsed.ok) return parsed.error.reason.length > 0 ? false : broken("a fault without a reason");
    if (parsed.value.form !== "id") return true;
    const written = parseSelector(formatResource({ tag: "local", id: parsed.value.id }));
    return (written.ok && Bun.deepEquals(written.value, parsed.value)) || broken("an id is written as another one");
  },
};

const keys: Target = {
  name: "keys",
  corpus: corpusOf(
    "Enter",
    "C-x",
    "M-x",
    "ls\nEscape",
    "\u001b[200~text\u001b[201~",
    "\u001b[1;5A",
    "\u001b[97;5u",
    "\u001b[M !!",
    "\u001b[<0;1;1M",
    "é漢😀",
  ),
  run(input, random) {
    const events = keysToEvents(textOf(input, random).split("\n"));
    for (const event of events) {
      const bytes = encodeFrame({
        name: "COMMAND",
        value: { request_id: 1, command: { tag: "ROUTE_INPUT", terminal_id: { tag: "local", id: 1 }, event } },
      });
      if (!decodeFrame(bytes[4] ?? 0, bytes.subarray(5)).ok) return broken("an event that no server can read");
    }
    return events.length > 0;
  },
};

const pane = (id: number): ResourceId => ({ tag: "local", id });

const edit: Target = {
  name: "layout edits",
  corpus: [encodeLayout(layoutOf("*1: H(0.5; V(0.35; @1, @2), @3) focus @2 | 2: @4 focus @4"), 3)],
  run(input, random) {
    const decoded = decodeLayout(input, 3);
    let left = decoded.ok ? decoded.value : layoutOf("*1: H(0.5; V(0.35; @1, @2), @3) focus @2 | 2: @4 focus @4");
    for (let deeds = 0; deeds < 6; deeds += 1) {
      const [a, b] = [pane(random.below(8)), pane(random.below(8))];
      const divider = random.oneIn(2) ? "horizontal" : "vertical";
      const ratio = random.pick([0.5, 0, 1, 1e-60, 0.999_999, Number.NaN]);
      const kind = random.below(4);
      const edited =
        kind === 0
          ? insertBeside(left, a, b, divider, ratio)
          : kind === 1
            ? moveBeside(left, a, b, divider, ratio)
            : kind === 2
              ? swapPanes(left, a, b)
              : closePane(left, a);
      if (!edited.ok) continue;
      const stored = decodeLayout(encodeLayout(edited.value, 3), 3);
      if (!stored.ok) return broken(`an edit gives a layout that cannot be read: ${stored.error.message}`);
      if (draws(edited.value, a) !== (kind !== 3)) return broken("a pane is not where the edit put it");
      left = edited.value;
    }
    return decoded.ok;
  },
};

const screen: Target = {
  name: "screen",
  corpus: corpusOf(
    '{"schema_version":3,"pane":1,"cols":20,"rows":2,"cursor":{"x":0,"y":0,"visible":true},"lines":["$ ","a"],"scrollback":["x","y"],"soft_wrap":{"lines":[0],"scrollback":[1,0]},"title":"t"}',
    '{"schema_version":1,"pane":1,"cols":20,"rows":2,"rendered":{"format":"html","data":"<pre>"}}',
  ),
  run(input, random) {
    const parsed = parseScreen(textOf(input, random));
    if (!parsed.ok) return false;
    const rows = (from: typeof parsed.value) => [...(from.scrollback ?? []), ...(from.lines ?? [])].join("");
    const joined = projectScreen(parsed.value, { unwrap: true });
    if (parsed.value.rendered === undefined && rows(joined) !== rows(parsed.value))
      return broken("joining rows changes them");
    projectScreen(parsed.value, { tail: random.below(4), unwrap: random.oneIn(2) });
    return true;
  },
};

const record: Target = {
  name: "metadata values",
  corpus: corpusOf(
    '["a","b"]',
    '{"name":"reviewer","kind":"claude","state":"working","attention":"none"}',
    "[]",
    "null",
  ),
  run(input) {
    const tags = parseTags(input);
    if (!tags.every((tag) => typeof tag === "string")) return broken("a tag that is no text");
    return parseAgentRecord(input) !== null || tags.length > 0;
  },
};

export const clientTargets: readonly Target[] = [selector, keys, edit, screen, record];
