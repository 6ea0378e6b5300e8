// A server whose panes move between two sessions, each with a layout, and that fails where a test wants it to.
import type { AnyFrame, MoveResult, ResourceId } from "../../src/wire/frame.ts";
import { decodeLayout, encodeLayout } from "../../src/wire/layout-document.ts";
import { type Client, requestId } from "../phux/fake-server.ts";
import { layoutOf, layoutText } from "../phux/layout-text.ts";
import { SmallPhux, scopeText } from "../phux/small-phux.ts";
import { idOf } from "../phux/snapshot.ts";
import { layoutKey } from "./lab-room.ts";

/** What a server does with a frame in place of its ordinary answer: another answer, nothing, or to hang up. */
export type Fault = (frame: AnyFrame, phux: MovingPhux) => AnyFrame | "nothing" | "hang up" | null;

/** `work` (1) draws @1 and @2, `home` (2) draws @3; panes move between them. */
export class MovingPhux extends SmallPhux {
  moves = 0;
  #fault: Fault = () => null;

  constructor() {
    super();
    this.draw(1, "*w: H(0.5; @1, @2) focus @1");
    this.draw(2, "*h: @3 focus @3");
    this.override = (frame, client) => {
      const answer = this.#fault(frame, this);
      if (answer === "hang up") client.end();
      else if (answer !== null && answer !== "nothing") client.send(answer);
      return answer !== null || this.#arranged(frame, client);
    };
  }

  failing(fault: Fault): this {
    this.#fault = fault;
    return this;
  }

  draw(session: number, text: string): void {
    this.set("group 1", layoutKey(session), encodeLayout(layoutOf(text), 3));
  }

  drawn(session: number): string | null {
    const value = this.get("group 1", layoutKey(session));
    const layout = value && decodeLayout(value, 3);
    return layout?.ok ? layoutText(layout.value) : null;
  }

  windowOf(pane: string): number | undefined {
    return this.state.resources.find(({ id }) => id.id === idOf(pane).id)?.window_id;
  }

  relocate(pane: ResourceId, window: number): void {
    const resources = this.state.resources.map((row) => (row.id.id === pane.id ? { ...row, window_id: window } : row));
    const kept = this.state.windows.filter(({ id }) => resources.some((row) => row.window_id === id));
    const sessions = this.state.sessions.filter(({ id }) => kept.some((row) => row.session_id === id));
    this.state = { ...this.state, resources, windows: kept, sessions };
  }

  #arranged(frame: AnyFrame, client: Client): boolean {
    if (frame.name === "DELETE_METADATA") this.metadata.delete(`${scopeText(frame.value.scope)} ${frame.value.key}`);
    if (frame.name !== "MOVE_RESOURCE") return false;
    this.moves += 1;
    this.relocate(frame.value.terminal, this.windowOf(`@${frame.value.owner_terminal.id}`) ?? 0);
    client.send(moved(frame, { tag: "ok", id: frame.value.terminal }));
    return true;
  }
}

export const moved = (frame: AnyFrame, result: MoveResult): AnyFrame => ({
  name: "RESOURCE_MOVED",
  value: { request_id: requestId(frame), result },
});
export const notMoved = (frame: AnyFrame, message = "no such window"): AnyFrame =>
  moved(frame, { tag: "err", error: { tag: "move_failed", message } });
