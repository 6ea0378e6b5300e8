import { version } from "../../package.json";
import { print } from "./print.ts";

/** The name and version of this program, as HELLO and `serverInfo` carry them too. */
export const programVersion: string = version;

export function printVersion(): Promise<void> {
  return print(`phux-mcp ${programVersion}\n`);
}
