/** `add-line.ts FILE TEXT`: one of many that change one file at the same time. */
import { dirname } from "node:path";
import { rewrite } from "../../src/hosts/rewrite.ts";
import { ok } from "../../src/wire/result.ts";

const [, , path = "", line = ""] = process.argv;
const done = rewrite({ path, mode: 0o600, base: dirname(path), change: (text) => ok(`${text ?? ""}${line}\n`) });
if (!done.ok) {
  console.error(done.error);
  process.exit(1);
}
