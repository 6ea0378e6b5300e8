import { catalogJson, offersJson } from "./catalog-json.ts" with { type: "macro" };

/** The `tools` of tools/list as JSON text, made from the declarations when the program is built. */
export const toolsJson: string = catalogJson();

/** Name, sets and read-only hint of every tool, as JSON text. */
export const offeredJson: string = offersJson();
