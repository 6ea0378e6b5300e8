/** What a host may say, and where an answer repeats it. */
import type { Given } from "./gh-host.ts";
import { all, everything } from "./h-text.ts";

const long = "😀".repeat(200);

/** Halves of characters, and characters of two units at every place where a text may be cut. */
export const words: readonly string[] = [
  ...everything.map(([, text]) => text),
  all,
  "\ud83d",
  "\udc00 x",
  long,
  `x${long}`,
];

export const slots: [where: string, tool: string, given: (word: string) => Given][] = [
  ["a name of an argument", "phux_ls", (word) => ({ [word]: 1 })],
  ["a selector that does not parse", "phux_snapshot", (word) => ({ target: `%${word}` })],
  ["a pane's number that is none", "phux_snapshot", (word) => ({ target: `${word}:0.${word}` })],
  ["a socket", "phux_ls", (word) => ({ socket: `/tmp/${word}` })],
  ["a long socket", "phux_ls", (word) => ({ socket: `/tmp/${word.repeat(60)}` })],
  ["a file", "phux_upload", (word) => ({ target: "@1", path: `/no/such/${word}` })],
  ["a session's name that cannot be one", "phux_new", (word) => ({ name: `${word}:` })],
  ["a new name", "phux_rename", (word) => ({ session: word, new_name: `@${word}` })],
  ["a layout's key", "phux_spawn", (word) => ({ target: "@1", projection: word })],
  ["a cursor", "phux_resource_wait", (word) => ({ target: "@1", timeout_secs: 1, after: word })],
  ["a plugin", "phux_plugin_action", (word) => ({ plugin_id: word, action_id: word, config: `/no/such/${word}` })],
  ["a word of a choice", "phux_signal", (word) => ({ target: "@1", signal: word, confirm: true })],
  ["a claim", "phux_claim_take", (word) => ({ name: word })],
];
