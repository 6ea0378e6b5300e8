import type { FrameValue } from "../../src/wire/frame.ts";
import type { MoveResult } from "../../src/wire/resource.ts";
import type { Call } from "./call.ts";
import type { LabServer } from "./server.ts";

/** MOVE_RESOURCE: into the window of another pane. A session emptied by it is gone for those attached to it. */
export function movePane(server: LabServer, call: Call, move: FrameValue<"MOVE_RESOURCE">): Promise<void> {
  return call.reply({
    name: "RESOURCE_MOVED",
    value: { request_id: call.requestId, result: moved(server, move) },
  });
}

function moved(server: LabServer, { terminal, owner_terminal }: FrameValue<"MOVE_RESOURCE">): MoveResult {
  if (terminal.tag === "satellite" || owner_terminal.tag === "satellite") {
    return { tag: "err", error: { tag: "unsupported_satellite_route" } };
  }
  const missing = (name: string): MoveResult => ({
    tag: "err",
    error: { tag: "move_failed", message: `${name} was not found on this server` },
  });
  if (!server.panes.has(terminal.id)) return missing("terminal");
  if (!server.panes.has(owner_terminal.id)) return missing("owner terminal");
  const emptied = server.store.movePane(terminal.id, owner_terminal.id);
  if (emptied) {
    for (const connection of [...server.connections]) {
      if (connection.attachedSession === emptied.id) connection.end(2, "session ended");
    }
    server.sessionGone(emptied);
  }
  return { tag: "ok", id: terminal };
}

/** RESIZE_TERMINAL has no reply. 0.8 reads a zero as 1 (recorded 0.8); later a zero changes nothing. */
export function resizePane(server: LabServer, resize: FrameValue<"RESIZE_TERMINAL">): void {
  const { terminal_id: id, cols, rows } = resize;
  const pane = id.tag === "local" ? server.panes.get(id.id) : undefined;
  if (!pane || pane.retained) return;
  const { terminal } = pane;
  const axis = (wanted: number | undefined, present: number) =>
    wanted === undefined ? present : wanted > 0 ? wanted : server.release.eight ? 1 : present;
  terminal.resize(axis(cols, terminal.cols), axis(rows, terminal.rows));
}
