import type { Connection } from "./connection.ts";
import type { Pane } from "./pane.ts";
import { repaint } from "./screen-render.ts";

/** The output of one pane on its way to one connection (wire.md 18.1). */
export type OutputStream = {
  readonly id: bigint;
  readonly bootstrap: bigint;
  /** A connection that only spawned the pane is not told of its end on 0.8. */
  readonly attached: boolean;
  /** What came while the bootstrap was being drawn; null once it is out. */
  waiting: { seq: number; chunk: Uint8Array }[] | null;
};

/** Sends the screen as it is, then keeps the connection fed. Resolves when the bootstrap is out. */
export async function openStream(connection: Connection, pane: Pane, id: number, attached: boolean): Promise<void> {
  const { terminal, resource } = pane;
  const stream: OutputStream = { id: BigInt(id), bootstrap: 1n, attached, waiting: [] };
  connection.streams.set(pane.id, stream);
  const { payload, base } = await terminal.screen.read((screen) => ({
    payload: repaint(screen),
    base: screen.parsedChunks,
  }));
  const ids = { terminal_id: resource, stream_id: stream.id, bootstrap_id: stream.bootstrap };
  const begin = {
    ...ids,
    codec: { tag: "synthesized_vt_v1" },
    cols: terminal.cols,
    rows: terminal.rows,
    output_mode: 0,
    base_seq: BigInt(base),
  } as const;
  connection.send({ name: "BOOTSTRAP_BEGIN", value: begin });
  connection.send({ name: "BOOTSTRAP_CHUNK", value: { ...ids, chunk_seq: 0, payload } });
  connection.send({ name: "BOOTSTRAP_READY", value: ids });
  const missed = (stream.waiting ?? []).filter(({ seq }) => seq > base);
  stream.waiting = null;
  for (const { seq, chunk } of missed) sendOutput(connection, pane, stream, seq, chunk);
}

export function feedStream(connection: Connection, pane: Pane, chunk: Uint8Array): void {
  const stream = connection.streams.get(pane.id);
  if (!stream) return;
  const seq = pane.terminal.outputSeq;
  if (stream.waiting) stream.waiting.push({ seq, chunk: Uint8Array.from(chunk) });
  else sendOutput(connection, pane, stream, seq, chunk);
}

function sendOutput(connection: Connection, pane: Pane, stream: OutputStream, seq: number, bytes: Uint8Array): void {
  const ids = { terminal_id: pane.resource, stream_id: stream.id, bootstrap_id: stream.bootstrap };
  connection.send({ name: "RESOURCE_OUTPUT", value: { ...ids, seq: BigInt(seq), bytes } });
}
