// Tools run in this process against a lab: a real shell in every pane.

import type { Tool } from "../../src/tools/tool.ts";
import type { LabOptions } from "../lab/options.ts";
import { type Stage, stage } from "../lab/stage.ts";
import { Bench } from "./calls.ts";

/** A lab for one test, with a runner of these tools on its socket; all of it is gone afterwards. */
export async function onLab(
  tools: readonly Tool[],
  options: Partial<LabOptions>,
  body: (bench: Bench, stage: Stage) => Promise<void>,
): Promise<void> {
  await using lab = await stage(options);
  await body(new Bench(lab.lab.socket, {}, tools), lab);
}

/** The members of a document, to be looked at one by one. */
export function membersOf(document: unknown): Readonly<Record<string, unknown>> {
  if (typeof document !== "object" || document === null) throw new Error(`no document: ${JSON.stringify(document)}`);
  return { ...document };
}
