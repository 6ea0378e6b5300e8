import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { agentConfig } from "../agent/plugin.ts";
import { local } from "../answer.ts";
import type { Connection } from "../connection.ts";
import type { LabOptions } from "../options.ts";
import { until, Workbench } from "./workbench.ts";

/** A workbench whose phux knows the lab's agents. */
export async function openAgentRoom(options: Partial<LabOptions> = {}): Promise<Workbench> {
  const bench = await Workbench.open(options);
  const folder = join(bench.folder, ".config", "phux");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "config.toml"), agentConfig(bench.bin));
  return bench;
}

/** The id of the pane of a session. */
export function paneOf(bench: Workbench, session: string): number {
  const { store } = bench.lab.server;
  const found = store.sessionNamed(session);
  const [pane] = found ? store.panesOf(found) : [];
  if (pane === undefined) throw new Error(`${session} has no pane`);
  return pane;
}

/** What the record of a session's pane says now. */
export function recordOf(bench: Workbench, session: string): Record<string, unknown> | null {
  const id = local(paneOf(bench, session));
  const value = bench.lab.server.metadata.get({ tag: "resource", id }, "phux.agent/v1");
  return value === undefined ? null : JSON.parse(new TextDecoder().decode(value));
}

/** A session whose pane is a lab agent that rests. */
export async function agentSession(bench: Workbench, session: string, ...words: string[]): Promise<void> {
  await bench.document(["new", "-s", session, "--json", "--", join(bench.bin, "lab-agent"), ...words]);
  await until(() => recordOf(bench, session)?.["state"] === "idle");
}

/** Types into the pane of a session as a keyboard would, without a client. */
export function typeInto(bench: Workbench, session: string, text: string): void {
  bench.lab.server.panes.get(paneOf(bench, session))?.terminal.write(new TextEncoder().encode(text));
}

/**
 * Begins something that follows agent records, and resolves once it has read them too: what changes from then on, it
 * will hear of. Gives back what will come of it.
 */
export async function begun<T>(bench: Workbench, begin: () => Promise<T>): Promise<{ readonly outcome: Promise<T> }> {
  const { server } = bench.lab;
  const before = new Set(server.connections);
  const reads = new Map<Connection, number>();
  const serve = server.serve.bind(server);
  server.serve = async (call, frame) => {
    await serve(call, frame);
    const { connection, name } = call;
    const follows = name === "GET_METADATA" && connection.metadataSubscriptions.size > 0;
    if (follows && !before.has(connection)) reads.set(connection, (reads.get(connection) ?? 0) + 1);
  };
  const outcome = begin();
  await until(() => [...reads].some(([connection, count]) => count >= connection.metadataSubscriptions.size));
  server.serve = serve;
  return { outcome };
}
