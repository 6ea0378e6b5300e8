import { type AnyFrame, decodeFrame } from "../../src/wire/frame.ts";
import type { Received } from "./client.ts";

/** One step of a recorded dialogue (the conventions stand in recorded-0.8.json itself). */
export type Step = {
  readonly conn: string;
  readonly fromClient: boolean;
  /** The whole frame, or null where a screen bootstrap was left out of the recording or the stream ended. */
  readonly bytes: Buffer | null;
  readonly name: string | null;
  readonly end: boolean;
  readonly sameWrite: boolean;
};

export type Dialogue = {
  readonly name: string;
  /** Connections that the dialogue opens from their first byte; on the others the handshake comes before it. */
  readonly raw: ReadonlySet<string>;
  readonly steps: readonly Step[];
};

type RawStep = {
  conn: string;
  dir: "c2s" | "s2c";
  frame?: string;
  hex?: string;
  hex_runs?: ({ hex: string } | { byte: string; times: number } | string)[];
  end?: boolean;
  same_write?: boolean;
};
type RawDialogue = { name: string; handshake: Record<string, string>; frames: RawStep[] };

export function readDialogues(document: unknown): Dialogue[] {
  // The contract's own file: its shape is stated in it.
  const { dialogues } = document as { dialogues: RawDialogue[] };
  return dialogues.map(({ name, handshake, frames }) => ({
    name,
    raw: new Set(Object.keys(handshake).filter((conn) => handshake[conn] === "in frames")),
    steps: frames.map(readStep),
  }));
}

function readStep(step: RawStep): Step {
  return {
    conn: step.conn,
    fromClient: step.dir === "c2s",
    bytes: stepBytes(step),
    name: step.frame ?? null,
    end: step.end === true,
    sameWrite: step.same_write === true,
  };
}

function stepBytes({ hex, hex_runs }: RawStep): Buffer | null {
  if (hex !== undefined) return Buffer.from(hex, "hex");
  if (!hex_runs) return null;
  const pieces = hex_runs.map((run) => {
    if (typeof run === "string") return Buffer.from(run, "hex");
    return "times" in run ? Buffer.alloc(run.times, run.byte, "hex") : Buffer.from(run.hex, "hex");
  });
  return Buffer.concat(pieces);
}

/** The same bytes with the recording's folder replaced by one whose path is as long. */
export function moved(bytes: Buffer, from: string, to: string): Buffer {
  // Latin 1 keeps every byte as it is.
  return Buffer.from(bytes.toString("latin1").replaceAll(from, to), "latin1");
}

export function decodeWhole(bytes: Uint8Array): AnyFrame | null {
  const decoded = decodeFrame(bytes[4] ?? 0, bytes.subarray(5));
  return decoded.ok && decoded.value.name !== "UNKNOWN" ? decoded.value : null;
}

/** What is compared: everything but ids of one server life, times, positions in a stream and texts for people. */
const masked: ReadonlySet<string> = new Set([
  ...["server_id", "created_at_unix_secs", "initial_client_id", "stream_id", "base_seq", "payload", "message"],
  ...["input_holder", "actor"],
]);

export function comparable(received: Received): unknown {
  if (received === null) return "end of stream";
  const { name, value } = received.frame;
  return { name, value: mask(value) };
}

/**
 * A screen on which the echo of what was typed and the answer of the program ran a race: the text without its line
 * breaks, which is the same whoever wins.
 */
export function comparableRace(received: Received): unknown {
  const frame = received?.frame;
  const json = /"json":"(.*)"/.exec(JSON.stringify(comparable(received)))?.[1];
  if (frame?.name !== "COMMAND_RESULT" || json === undefined) return comparable(received);
  // A ScreenState, made by the lab or recorded.
  const screen = JSON.parse(JSON.parse(`"${json}"`)) as { lines: string[]; cursor: unknown };
  return { request_id: frame.value.request_id, ...screen, cursor: null, lines: screen.lines.join("") };
}

function mask(value: unknown, key = ""): unknown {
  if (masked.has(key) && value !== null) return `<${key}>`;
  if (key === "json" && typeof value === "string") return value.replace(/"timestamp_secs":\d+/, '"timestamp_secs":0');
  if (value instanceof Uint8Array) return readableBytes(value);
  if (Array.isArray(value)) return value.map((one) => mask(one));
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, held]) => [name, mask(held, name)]));
}

function readableBytes(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("latin1");
}
