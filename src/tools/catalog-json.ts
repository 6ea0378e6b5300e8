import { catalog } from "./catalog.ts";
import { descriptorOf } from "./descriptor.ts";
import type { Offer } from "./selection.ts";
import { hintsOf } from "./tool.ts";

/** The tools array as JSON. Runs when the program is built, so that a start costs no schema work. */
export function catalogJson(): string {
  return JSON.stringify(catalog.map(descriptorOf));
}

/** The same as a person reads it. */
export function catalogPage(): string {
  return JSON.stringify(catalog.map(descriptorOf), null, 2);
}

/** What a choice among the tools goes by, as JSON. Made at build time like the list itself. */
export function offersJson(): string {
  const offers = catalog.map((tool): Offer => {
    return { name: tool.name, sets: tool.sets, readOnly: hintsOf(tool).readOnlyHint };
  });
  return JSON.stringify(offers);
}
