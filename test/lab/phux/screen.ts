import { refuse } from "../../../src/phux/errors.ts";
import { projectScreen, type ScreenState } from "../../../src/phux/screen.ts";
import { ScreenReader } from "../../../src/phux/screen-read.ts";
import { resolveOne, selectorOf } from "../../../src/phux/target.ts";
import { fail, ok } from "../../../src/wire/result.ts";
import { flag, oneOf, optionalWord, wholeNumberOr } from "./slot.ts";
import { json, socket, verb } from "./verb.ts";

export const snapshot = verb({
  name: "snapshot",
  contract: 3,
  slots: {
    json,
    scrollback: wholeNumberOr(0, "--scrollback"),
    tail: wholeNumberOr(0, "--tail"),
    cells: flag("--cells"),
    unwrap: flag("--unwrap"),
    format: oneOf(["html", "vt"], "--format"),
    socket,
    target: optionalWord("TARGET"),
  },
  exclude({ cells, unwrap, format }) {
    if (cells && unwrap) return "--cells and --unwrap exclude each other";
    return cells && format !== undefined ? "--cells and --format exclude each other" : null;
  },
  async run(given, call) {
    const selector = selectorOf(given.target ?? ".");
    if (!selector.ok) return selector;
    const connection = await call.connect(given.socket);
    if (!connection.ok) return connection;
    if (given.format !== undefined && !connection.value.dialect.screen_format) {
      return fail(refuse("format_unsupported", "a server of protocol 0.8 renders no screens"));
    }
    const pane = await resolveOne(connection.value, given.target ?? ".", call);
    if (!pane.ok) return pane;
    const { cells, unwrap, format, tail } = given;
    const history = given.scrollback ?? tail;
    const request = {
      ...{ pane: pane.value, cells, unwrap },
      ...(history !== undefined && { scrollback: history }),
      ...(format !== undefined && { format }),
    };
    const screen = await new ScreenReader(connection.value, () => call.dial(connection.value.server.socket)).read(
      request,
    );
    if (!screen.ok) return fail(screen.error.refusal);
    if (format !== undefined && screen.value.rendered === undefined) {
      return fail(
        refuse("format_unsupported", `no ${format} came back: ${screen.value.rendered_error ?? "no reason"}`),
      );
    }
    const document = projectScreen(screen.value, { unwrap, ...(tail !== undefined && { tail }) });
    return ok({ document, text: screenText(document), raw: format === "vt" });
  },
});

/** What a person would see: the rendering, else the rows. */
function screenText({ rendered, scrollback = [], lines = [] }: ScreenState): string {
  if (rendered === undefined) return [...scrollback, ...lines].map((row) => `${row}\n`).join("");
  const data: unknown = Reflect.get(rendered, "data");
  return typeof data === "string" ? `${data}\n` : "";
}
