import { delimiter, dirname } from "node:path";
import { versions, versionText } from "../../../src/wire/version.ts";
import type { Verb } from "./verb.ts";
import { phuxVersion } from "./version.ts";

/** `phux --capabilities --json`: what this phux can do, and whether the adapter stands beside it or on PATH. */
export function capabilities(verbs: readonly Verb[]) {
  const adapter = findAdapter();
  return {
    schema_version: 1,
    binary: { name: "phux", version: phuxVersion, wire_protocol: versionText(versions[0]) },
    commands: verbs.map(({ name }) => `phux ${name}`).sort(),
    json_contracts: verbs
      .filter(({ contract }) => contract !== undefined)
      .map(({ name, contract }) => ({
        invocation: `phux ${name} --json`,
        kind: "document",
        schema_version: contract ?? null,
      })),
    mcp: { available: adapter !== null, command: adapter, schema_args: ["--schema"], skill_args: ["--skill"] },
  };
}

function findAdapter(): string | null {
  // This script lies in a folder beside the executable (install.ts).
  const beside = dirname(dirname(Bun.main));
  const folders = [beside, ...(process.env["PATH"] ?? "").split(delimiter)].filter((folder) => folder !== "");
  return Bun.which("phux-mcp", { PATH: folders.join(delimiter) });
}
