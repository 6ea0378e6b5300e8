import type { Command, CommandResult } from "../../src/wire/command.ts";
import type { FrameOf } from "../../src/wire/frame.ts";
import type { InputEvent } from "../../src/wire/input.ts";
import { limits } from "../../src/wire/limits.ts";
import { okay, refuse } from "./answer.ts";
import { markAsked } from "./asked.ts";
import type { Connection } from "./connection.ts";
import { focusBytes, type InputModes, keyBytes, mouseBytes, pasteBytes } from "./key-encoding.ts";
import { fingerprint } from "./keyed-results.ts";
import { inputRefusal } from "./lease.ts";
import type { Pane } from "./pane.ts";
import type { LabServer } from "./server.ts";

const canonicalLine = 4096;

/** The bytes that one input event means for a program of these modes; null for a paste that is refused as unsafe. */
function inputBytes(input: InputEvent, modes: InputModes): Uint8Array | null {
  switch (input.tag) {
    case "key":
      return keyBytes(input.event, modes);
    case "mouse":
      return mouseBytes(input.event, modes);
    case "focus":
      return focusBytes(input.event, modes);
    case "paste":
      return pasteBytes(input.event.data, input.event.trust === 0, modes);
  }
}

/** Modes change by output, so input is encoded against a screen that has read all of it. */
function modesOf(pane: Pane): Promise<InputModes> {
  return pane.terminal.screen.read((screen) => screen.modes);
}

function type(server: LabServer, pane: Pane, by: Connection, bytes: Uint8Array): void {
  if (by.id !== pane.spawnedBy) pane.touched = true;
  if (!server.release.eight && bytes.length > 0) markAsked(server, pane, false);
  pane.terminal.write(bytes);
}

const ended = () => refuse("INPUT_NOT_WRITTEN", "the terminal's process has ended; nothing was written");

/** ROUTE_INPUT: 0.8 answers OK to an unsafe paste and drops it (recorded 0.8). */
export async function routeInput(
  server: LabServer,
  pane: Pane,
  by: Connection,
  event: InputEvent,
): Promise<CommandResult> {
  const refusal = pane.retained ? ended() : inputRefusal(pane, by);
  if (refusal) return refusal;
  const bytes = inputBytes(event, await modesOf(pane));
  if (bytes === null) {
    return server.release.eight ? okay : refuse("UNSAFE_PASTE", "an untrusted paste with a line break was refused");
  }
  type(server, pane, by, bytes);
  return okay;
}

type ApplyInput = Extract<Command, { tag: "APPLY_INPUT" }>;

/** APPLY_INPUT: one batch, written whole or not at all, its result kept under its id (wire.md 14.2). */
export async function applyInput(
  server: LabServer,
  pane: Pane,
  by: Connection,
  batch: ApplyInput,
): Promise<CommandResult> {
  if (batch.events.length === 0) {
    return refuse("INVALID_COMMAND", `APPLY_INPUT requires 1..=${limits.apply_input_events} events`);
  }
  const print = fingerprint({ name: "COMMAND", value: { request_id: 0, command: batch } });
  const kept = server.inputResults.recall(batch.operation_id, print);
  if (kept === "conflict") {
    return refuse("INVALID_COMMAND", "APPLY_INPUT operation id reused with a different payload");
  }
  if (kept) return kept;
  const refusal = inputRefusal(pane, by);
  if (refusal) return refusal;
  const result = pane.retained ? ended() : await writeBatch(server, pane, by, batch.events);
  // What was refused before the terminal was asked binds nothing.
  if (result.tag !== "error" || result.code >= 205) server.inputResults.keep(batch.operation_id, print, result);
  return result;
}

async function writeBatch(
  server: LabServer,
  pane: Pane,
  by: Connection,
  events: readonly InputEvent[],
): Promise<CommandResult> {
  const modes = await modesOf(pane);
  const pieces = events.map((event) => inputBytes(event, modes));
  const safe = pieces.filter((piece) => piece !== null);
  if (safe.length < pieces.length) return refuse("UNSAFE_PASTE", "APPLY_INPUT batch contains an unsafe paste");
  const bytes = Buffer.concat(safe);
  if (bytes.length > limits.apply_input_encoded) {
    return refuse("INVALID_COMMAND", `APPLY_INPUT encodes to more than ${limits.apply_input_encoded} bytes`);
  }
  if (pane.terminal.canonical && longestLine(bytes) > canonicalLine) {
    return refuse(
      "CANONICAL_LIMIT_EXCEEDED",
      `the terminal is in line mode, and a line of this batch is longer than ${canonicalLine} bytes`,
    );
  }
  type(server, pane, by, bytes);
  return okay;
}

function longestLine(bytes: Uint8Array): number {
  let [longest, start] = [0, 0];
  for (const [at, byte] of bytes.entries()) {
    if (byte !== 0x0a && byte !== 0x0d) continue;
    longest = Math.max(longest, at - start);
    start = at + 1;
  }
  return Math.max(longest, bytes.length - start);
}

type InputFrame = FrameOf<"INPUT_KEY" | "INPUT_PASTE" | "INPUT_MOUSE" | "INPUT_FOCUS" | "INPUT_TERMINAL_REPLY">;

/** Input of an attached client: no reply, and nothing said when it may not pass (wire.md 14.4). */
export async function attachedInput(server: LabServer, connection: Connection, frame: InputFrame): Promise<void> {
  const { terminal_id } = frame.value;
  const pane = terminal_id.tag === "local" ? server.panes.get(terminal_id.id) : undefined;
  const stream = pane && connection.streams.get(pane.id);
  if (!pane || !stream?.attached || pane.retained || inputRefusal(pane, connection)) return;
  const bytes = frameBytes(server, frame, await modesOf(pane));
  if (bytes) type(server, pane, connection, bytes);
}

function frameBytes(server: LabServer, frame: InputFrame, modes: InputModes): Uint8Array | null {
  switch (frame.name) {
    case "INPUT_KEY":
      return inputBytes({ tag: "key", event: frame.value.event }, modes);
    case "INPUT_PASTE":
      return inputBytes({ tag: "paste", event: frame.value.event }, modes);
    case "INPUT_MOUSE":
      return inputBytes({ tag: "mouse", event: frame.value.event }, modes);
    case "INPUT_FOCUS":
      return inputBytes({ tag: "focus", event: frame.value.event }, modes);
    case "INPUT_TERMINAL_REPLY":
      // Since 0.9 the server's own terminal answers a program's questions.
      return server.release.eight ? frame.value.bytes : null;
  }
}
