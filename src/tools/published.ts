import { catalogJson } from "./catalog-json.ts" with { type: "macro" };

/** The `tools` of tools/list as JSON text, made from the declarations when the program is built. */
export const toolsJson: string = catalogJson();
