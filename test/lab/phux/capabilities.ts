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

/** The wrapper names its own folder: this script lies elsewhere. */
export const binFolderVariable = "PHUX_LAB_BIN";

function findAdapter(): string | null {
  const beside = process.env[binFolderVariable] ?? dirname(Bun.main);
  const path = [beside, ...(process.env["PATH"] ?? "").split(delimiter)].filter((folder) => folder !== "");
  return Bun.which("phux-mcp", { PATH: path.join(delimiter) }) ?? null;
}
