// The traffic of a real 0.22 adapter (vectors/recorded-tools.json), and a server that answers with it.
import { type AnyFrame, decodeFrame } from "../../src/wire/frame.ts";
import { type Client, FakeServer, metadataValue, requestId, V08 } from "../phux/fake-server.ts";
import { scopeText } from "../phux/small-phux.ts";
import { sharedJson } from "../shared.ts";
import { items, type Members, members } from "../wire/vector.ts";

export interface RecordedCall {
  readonly tool: string;
  readonly args: Members;
  readonly note: string;
  /** What the client sent, in order over all connections, HELLO left out. */
  readonly sequence: readonly string[];
  /** Null for a call that failed. */
  readonly result: Members | null;
  readonly differs: ReadonlySet<string>;
  readonly steps: readonly Step[];
}

/** One frame of the client, and what the server sent before the next one. */
export interface Step {
  readonly sent: AnyFrame;
  readonly replies: readonly AnyFrame[];
}

/** The word of a frame in a sequence: that of the command where it carries one. */
export const wordOf = (frame: AnyFrame): string => (frame.name === "COMMAND" ? frame.value.command.tag : frame.name);

/** The calls that an adapter made by itself, for tools of these names. */
export function recordedCalls(tools: readonly string[]): RecordedCall[] {
  const document = members(sharedJson("vectors/recorded-tools.json"));
  const shared = members(document["shared"]);
  return items(document["calls"])
    .map(members)
    .map((call) => ({ call, differs: new Set(items(call["differs"] ?? []).map(String)) }))
    .filter(
      ({ call, differs }) =>
        call["client"] === "adapter" && tools.includes(String(call["tool"])) && !differs.has("cli_backed"),
    )
    .map(({ call, differs }) => ({
      tool: String(call["tool"]),
      args: members(call["arguments"]),
      note: typeof call["note"] === "string" ? call["note"] : "",
      sequence: items(call["sequence"]).map(String),
      result: call["result"] === undefined ? null : members(call["result"]),
      differs,
      steps: stepsOf(
        items(call["connections"]).flatMap((one) => items(members(one)["frames"])),
        shared,
      ),
    }));
}

function stepsOf(frames: readonly unknown[], shared: Members): Step[] {
  const steps: { sent: AnyFrame; replies: AnyFrame[] }[] = [];
  for (const one of frames.map(members)) {
    const whole = typeof one["ref"] === "string" ? { ...members(shared[one["ref"]]), ...one } : one;
    const frame = frameOf(whole);
    if (whole["dir"] === "c2s") steps.push({ sent: frame, replies: [] });
    else steps.at(-1)?.replies.push(frame);
  }
  return steps;
}

function frameOf(recorded: Members): AnyFrame {
  const bytes = Uint8Array.fromHex(String(recorded["hex"]));
  const frame = decodeFrame(bytes[4] ?? 0, bytes.subarray(5));
  if (!frame.ok || frame.value.name === "UNKNOWN") throw new Error(`unreadable: ${recorded["hex"]}`);
  return frame.value;
}

/** A frame without the id of its request, which each client chooses for itself. */
export function withoutId(frame: AnyFrame): unknown {
  const { request_id: _, ...value } = members(frame.value);
  return { name: frame.name, value };
}

/** A 0.8 server that gives the recorded answers, step by step. What was not recorded is a key without a value. */
export class RecordedServer extends FakeServer {
  readonly #steps: Step[];
  readonly #written = new Map<string, Uint8Array>();
  #screen: Step | null = null;
  /** For each frame that came, the recorded one that it stands for; null for one that 0.22 did not send. */
  readonly pairs: [came: AnyFrame, recorded: AnyFrame | null][] = [];

  constructor(steps: readonly Step[]) {
    super({ version: V08 });
    this.#steps = [...steps];
    this.hello = (value, client) => {
      const fits = value.protocol_major === 0 && value.protocol_minor === 8;
      // The feature word of the recording (its `handshake`).
      if (fits) client.send(this.helloOk({ server_caps: { layers: 7, features: 0x7f0 } }));
      else client.expel("VERSION_INCOMPATIBLE", "this is 0.8.0");
    };
    this.script = (frame, client) => this.#replay(frame, client);
  }

  #replay(frame: AnyFrame, client: Client): void {
    const step = this.#take(frame);
    this.pairs.push([frame, step?.sent ?? null]);
    if (frame.name === "SET_METADATA") this.#written.set(placeOf(frame), frame.value.value ?? new Uint8Array());
    // What we wrote is what is read back, also where 0.22 wrote something else.
    const written = frame.name === "GET_METADATA" ? this.#written.get(placeOf(frame)) : undefined;
    if (frame.name === "GET_METADATA" && (step === null || written !== undefined)) {
      client.send(metadataValue(requestId(frame), written));
    } else if (step !== null) client.send(...step.replies.map((reply) => answering(reply, step.sent, frame)));
  }

  /** The recorded step that a frame stands for. A poll that was left out of the recording gets the last screen again. */
  #take(frame: AnyFrame): Step | null {
    const next = this.#steps[0];
    if (next !== undefined && wordOf(next.sent) === wordOf(frame)) {
      this.#steps.shift();
      if (wordOf(frame) === "GET_SCREEN") this.#screen = next;
      return next;
    }
    return wordOf(frame) === "GET_SCREEN" ? this.#screen : null;
  }
}

function placeOf({ value }: Extract<AnyFrame, { name: "GET_METADATA" | "SET_METADATA" }>): string {
  return `${scopeText(value.scope)} ${value.key}`;
}

/** A recorded reply under the id of our request; what is no reply stays as it was. */
function answering(reply: AnyFrame, recorded: AnyFrame, frame: AnyFrame): AnyFrame {
  const id = "request_id" in reply.value ? reply.value.request_id : undefined;
  const asked = "request_id" in recorded.value ? recorded.value.request_id : undefined;
  if (id === undefined || id !== asked) return reply;
  // Same frame, other number.
  return { ...reply, value: { ...reply.value, request_id: requestId(frame) } } as AnyFrame;
}
