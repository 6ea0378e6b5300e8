/** Arguments that several guarded tools take. */
import * as v from "valibot";
import { isPlainLine } from "../../text/clean.ts";
import { text } from "../../tools/argument.ts";
import { colors, MOST_ICON_BYTES, MOST_NAME_BYTES } from "../look.ts";

export { optional } from "valibot";
export { flag, integer, oneOf, text } from "../../tools/argument.ts";

export const terminal = text("Terminal id from list_terminals, such as @4.", 32);
export const group = (about: string) => text(`${about} Id or name from list_groups.`, 512);

const RULE = "must be one line without control, direction-turning or invisible tag characters";

/** A line that a person is shown as it is. `least` 0 lets `""` through, which clears. */
export function line(about: string, most: number, least: 0 | 1) {
  const range = `${least}..${most} bytes`;
  return v.pipe(
    v.string("must be a string"),
    v.minBytes(least, `must have ${range}`),
    v.maxBytes(most, `must have ${range}`),
    v.check(isPlainLine, RULE),
    v.description(`${about} One line, ${range}.`),
  );
}

export const nameOrNone = line('Name; "" clears it.', MOST_NAME_BYTES, 0);
export const iconOrNone = line('Icon, an emoji or a short text; "" clears it.', MOST_ICON_BYTES, 0);
export const colorOrNone = v.pipe(
  v.picklist(["", ...colors], `must be "" or one of ${colors.join(", ")}`),
  v.description('Colour from list_theme_colors; "" clears it.'),
);
