// A lab for the tools that arrange things: the tools on one side, a client of its own on the other, which looks at what
// they really changed.
import { formatResource } from "../../src/phux/selector.ts";
import type { Tool } from "../../src/tools/tool.ts";
import type { Scope, SessionSnapshot } from "../../src/wire/frame.ts";
import { decodeLayout, encodeLayout } from "../../src/wire/layout-document.ts";
import { dialectOf } from "../../src/wire/version.ts";
import type { LabClient } from "../lab/client.ts";
import type { LabOptions } from "../lab/options.ts";
import { type Stage, stage } from "../lab/stage.ts";
import { layoutOf, layoutText } from "../phux/layout-text.ts";
import { idOf } from "../phux/snapshot.ts";
import { Bench } from "./calls.ts";

export const releases = ["0.8", "0.9", "1.0"] as const;

const GROUP = { tag: "group", group: 1 } as const;
export const layoutKey = (session: number) => `phux.tui.layout/v1/${session}`;

export class LabRoom extends Bench {
  readonly scene: Stage;
  /** Another client of the same server. */
  readonly witness: LabClient;

  private constructor(scene: Stage, witness: LabClient, tools: readonly Tool[]) {
    super(scene.lab.socket, {}, tools);
    this.scene = scene;
    this.witness = witness;
  }

  /** A server with the session `main` (1), whose pane is @1. */
  static async open(tools: readonly Tool[], options: Partial<LabOptions> = {}): Promise<LabRoom> {
    const scene = await stage(options);
    return new LabRoom(scene, await scene.connect("witness"), tools);
  }

  /** Another caller with the same tools. */
  beside(tools: readonly Tool[]): Bench {
    return new Bench(this.scene.lab.socket, {}, tools);
  }

  async state(): Promise<SessionSnapshot> {
    const result = await this.witness.command({ tag: "GET_STATE", scope: 0 });
    if (result.tag !== "ok_with" || result.value.tag !== "state") throw new Error(Bun.inspect(result));
    return result.value.state;
  }

  /** A new pane in the window of another, drawn nowhere. Its selector. */
  async pane(owner: string): Promise<string> {
    const value = { request_id: 1, group: 1, owner_terminal: idOf(owner) };
    this.witness.send({ name: "SPAWN_RESOURCE", value });
    const { result } = await this.witness.next("RESOURCE_SPAWNED");
    if (result.tag !== "ok") throw new Error(Bun.inspect(result));
    return formatResource(result.id);
  }

  /** A new session with one pane: its id, and the pane's selector. */
  async session(name: string): Promise<{ readonly id: number; readonly pane: string }> {
    await this.write({ tag: "global" }, "phux.session.create/v1", JSON.stringify({ name }));
    const state = await this.state();
    const session = state.sessions.find((row) => row.name === name);
    const window = state.windows.find((row) => row.session_id === session?.id);
    const pane = state.resources.find((row) => row.window_id === window?.id);
    if (session === undefined || pane === undefined) throw new Error(`${name} was not made`);
    return { id: session.id, pane: formatResource(pane.id) };
  }

  /** Which session the server counts each pane to, in its own order: `@1 main, @2 main`. */
  async owners(): Promise<string> {
    const { sessions, windows, resources } = await this.state();
    const rows = resources.map(({ id, window_id }) => {
      const window = windows.find((row) => row.id === window_id);
      return `${formatResource(id)} ${sessions.find((row) => row.id === window?.session_id)?.name ?? "nowhere"}`;
    });
    return rows.join(", ");
  }

  async draw(session: number, text: string, key = layoutKey(session)): Promise<void> {
    await this.write(GROUP, key, this.layoutBytes(text));
  }

  layoutBytes(text: string): Uint8Array {
    const { layout } = dialectOf(this.scene.lab.server.release.version);
    return encodeLayout(layoutOf(text, layout), layout);
  }

  /** The stored layout as a line; null when there is none. */
  async drawn(session: number, key = layoutKey(session)): Promise<string | null> {
    const value = await this.read(GROUP, key);
    return value === null ? null : this.lineOf(value);
  }

  /** A stored layout as a line: it must be in the version of this server. */
  lineOf(value: Uint8Array): string {
    const layout = decodeLayout(value, dialectOf(this.scene.lab.server.release.version).layout);
    if (!layout.ok) throw new Error(layout.error.message);
    return layoutText(layout.value);
  }

  /** Writes a metadata value, and knows when it is stored. */
  async write(scope: Scope, key: string, value: string | Uint8Array): Promise<void> {
    const bytes = typeof value === "string" ? new TextEncoder().encode(value) : value;
    this.witness.send({ name: "SET_METADATA", value: { request_id: 2, scope, key, value: bytes } });
    await this.read(scope, key);
  }

  async read(scope: Scope, key: string): Promise<Uint8Array | null> {
    this.witness.send({ name: "GET_METADATA", value: { request_id: 3, scope, key } });
    return (await this.witness.next("METADATA_VALUE")).value ?? null;
  }

  async text(scope: Scope, key: string): Promise<string | null> {
    const value = await this.read(scope, key);
    return value === null ? null : new TextDecoder().decode(value);
  }

  end(): Promise<void> {
    return this.scene.end();
  }
}

/** The scope of one resource. */
export function on(pane: string): Scope {
  return { tag: "resource", id: idOf(pane) };
}
