import { catalog } from "./catalog.ts";
import { descriptorOf } from "./descriptor.ts";

/** The tools array as JSON. Runs when the program is built, so that a start costs no schema work. */
export function catalogJson(): string {
  return JSON.stringify(catalog.map(descriptorOf));
}
