import { statSync } from "node:fs";
import { headlessCapabilities } from "../wire/capability.ts";
import { ErrorCode } from "../wire/error-code.ts";
import type { AnyFrame, FrameValue, UnknownFrame } from "../wire/frame.ts";
import { fail, ok, type Result } from "../wire/result.ts";
import { type ProtocolVersion, speaksSame, versions, versionText } from "../wire/version.ts";
import { Connection, type Server } from "./connection.ts";
import { Deadline } from "./deadline.ts";
import { type Refusal, refuse } from "./errors.ts";
import { refuseLost } from "./request-failure.ts";
import { type ConnectFailure, FrameStream, type StreamEnd } from "./socket.ts";
import { UnsettledKeys } from "./unsettled-keys.ts";

/** Milliseconds for the two steps of a dial (client.md 1.4). The whole ladder has no more than one of each. */
const CONNECT_MS = 2_000;
const HELLO_MS = 5_000;

/**
 * Milliseconds between tries when nobody accepts. The system says the same of a dead socket file, of a server that is
 * just taking it over, and of one that so many clients call at once that its queue is full.
 */
const REFUSED_STEPS_MS = [10, 30];
/** The same while every descriptor is taken: by other calls, which end. */
const CROWDED_STEP_MS = 20;

const SPOKEN = versions.map(versionText).join(", ");

/** What one HELLO led to. */
type Greeting =
  | { readonly kind: "admitted"; readonly hello: FrameValue<"HELLO_OK"> }
  | { readonly kind: "other_version"; readonly text: string }
  | { readonly kind: "refused"; readonly refusal: Refusal };

/** Connects, agrees on a version, and remembers per socket which version was accepted last while this process lives. */
export class Dialer {
  readonly #clientName: string;
  readonly #accepted = new Map<string, ProtocolVersion>();
  readonly #unsettled = new UnsettledKeys();

  /** `clientName` is shown in the server's attributions: `phux-mcp/<version>`. */
  constructor(clientName: string) {
    this.#clientName = clientName;
  }

  /**
   * One negotiated connection to `socket`, closed at the latest when `signal` aborts. `deadline` bounds the dial and
   * the requests that follow.
   */
  async dial(
    socket: string,
    signal: AbortSignal,
    deadline = new Deadline(Number.POSITIVE_INFINITY, signal),
  ): Promise<Result<Connection, Refusal>> {
    const last = this.#accepted.get(socket);
    // A server that was upgraded meanwhile refuses what its predecessor took, so the others follow.
    const offers = last === undefined ? versions : [last, ...versions.filter((offer) => offer !== last)];
    const ladder = new Deadline(Math.min(CONNECT_MS + HELLO_MS, deadline.left()), signal);
    let text = "";
    for (const offer of offers) {
      const stream = await connect(socket, ladder, signal);
      if (!stream.ok) return stream;
      const greeting = await this.#greet(stream.value, offer, { socket, ladder, signal });
      if (greeting.kind === "admitted") {
        this.#accepted.set(socket, offer);
        const server = serverOf(socket, greeting.hello);
        return ok(new Connection(stream.value, server, signal, deadline, this.#unsettled));
      }
      stream.value.close();
      if (greeting.kind === "refused") return fail(greeting.refusal);
      text = greeting.text;
    }
    const message = `this client speaks protocol ${SPOKEN}; the server at ${socket} speaks none of them: ${text}`;
    return fail(
      refuse(
        "transport",
        message,
        "nothing was changed: upgrade the older side (`phux upgrade`); `phux doctor` shows both versions",
      ),
    );
  }

  #greet(
    stream: FrameStream,
    offer: ProtocolVersion,
    { socket, ladder, signal }: { readonly socket: string; readonly ladder: Deadline; readonly signal: AbortSignal },
  ): Promise<Greeting> {
    const { promise, resolve } = Promise.withResolvers<Greeting>();
    const refusedWith = (message: string) =>
      resolve({ kind: "refused", refusal: refuseLost("transport", message, "none") });
    const limit = Math.min(HELLO_MS, ladder.left());
    const late = () => refusedWith(`${socket} gave no answer to the greeting within ${seconds(limit)} s`);
    const timer = setTimeout(late, limit);
    const abort = () => refusedWith("the call was cancelled");
    signal.addEventListener("abort", abort, { once: true });
    stream.listen({
      frame: (frame) => {
        // What follows the answer belongs to the connection that is made from it.
        stream.hold();
        resolve(judge(frame, offer));
      },
      ended: (end) => resolve({ kind: "refused", refusal: endOfGreeting(end) }),
    });
    stream.send({ name: "HELLO", value: this.#hello(offer) });
    if (signal.aborted) abort();
    return promise.finally(() => {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
    });
  }

  #hello(offer: ProtocolVersion): FrameValue<"HELLO"> {
    return {
      client_name: this.#clientName,
      protocol_major: offer.major,
      protocol_minor: offer.minor,
      protocol_patch: offer.patch,
      client_caps: headlessCapabilities,
    };
  }
}

async function connect(socket: string, ladder: Deadline, signal: AbortSignal): Promise<Result<FrameStream, Refusal>> {
  const limit = Math.min(CONNECT_MS, ladder.left());
  const step = new Deadline(limit, signal);
  const refusedSteps = REFUSED_STEPS_MS.values();
  for (;;) {
    const stream = await FrameStream.connect(socket, step.left(), signal);
    if (stream.ok) return stream;
    const pause = pauseAfter(stream.error, refusedSteps);
    if (pause === undefined || step.left() <= pause) return fail(noConnection(socket, stream.error, limit));
    await step.pause(pause);
  }
}

/** How long to wait before the next try; undefined when there is none. */
function pauseAfter({ code }: ConnectFailure, refusedSteps: Iterator<number>): number | undefined {
  if (code === "EMFILE") return CROWDED_STEP_MS;
  return code === "ECONNREFUSED" ? refusedSteps.next().value : undefined;
}

/** Reads the one frame that answers HELLO (client.md 1.1 steps 5 and 6). */
function judge(frame: AnyFrame | UnknownFrame, offer: ProtocolVersion): Greeting {
  const refused = (message: string): Greeting => ({
    kind: "refused",
    refusal: refuseLost("transport", message, "none"),
  });
  if (frame.name === "ERROR") {
    if (frame.value.code === ErrorCode.VERSION_INCOMPATIBLE)
      return { kind: "other_version", text: frame.value.message };
    return refused(`the server refused the connection: ${frame.value.message}`);
  }
  if (frame.name === "DETACHED") return refused(`the server refused the connection: ${frame.value.message ?? ""}`);
  if (frame.name !== "HELLO_OK")
    return refused(`the server answered the greeting with ${frame.name}; it may be no phux server`);
  const hello = frame.value;
  const version = versionOf(hello);
  if (!speaksSame(version, offer)) {
    const theirs = versionText(version);
    return refused(`this client speaks protocol ${SPOKEN}; the server answered ${theirs} to ${versionText(offer)}`);
  }
  const profile = hello.selected_profile.tag;
  if (profile !== "synthesized_vt_raw" && profile !== "synthesized_vt_statesync") {
    return refused(`the server chose the profile ${profile}, which was not offered`);
  }
  if (
    hello.max_chunk_bytes > headlessCapabilities.max_chunk_bytes ||
    hello.max_history_page_bytes > headlessCapabilities.max_history_page_bytes
  ) {
    return refused("the server chose limits larger than those offered");
  }
  return { kind: "admitted", hello };
}

function versionOf(hello: FrameValue<"HELLO_OK">): ProtocolVersion {
  return { major: hello.protocol_major, minor: hello.protocol_minor, patch: hello.protocol_patch };
}

function serverOf(socket: string, hello: FrameValue<"HELLO_OK">): Server {
  return {
    socket,
    version: versionOf(hello),
    capabilities: hello.server_caps,
    id: Buffer.from(hello.server_id).toString("hex"),
  };
}

function endOfGreeting(end: StreamEnd): Refusal {
  if (end.kind === "unreadable") {
    const message = `the server sent a frame that this client cannot read: ${end.error.message}`;
    return refuseLost("transport", message, "none");
  }
  return refuseLost("server_disconnected", "the server closed the connection before it answered the greeting", "none");
}

const seconds = (ms: number) => Math.round(ms / 100) / 10;

/** What a failed connect means (client.md 1.5). Linux says ECONNREFUSED for a plain file as for a stale socket. */
function noConnection(path: string, failure: ConnectFailure, limit: number): Refusal {
  switch (failure.code) {
    case "timeout":
      return refuseLost("transport", `no answer to connect at ${path} within ${seconds(limit)} s`, "none");
    case "aborted":
      return refuse("transport", "the call was cancelled");
    case "EMFILE":
      return refuse(
        "transport",
        `no connection to ${path}: phux-mcp may open no more files`,
        "make fewer calls at once, or raise the limit (`ulimit -n`) of the program that starts phux-mcp",
      );
    case "EACCES":
    case "EPERM":
      return refuse(
        "no_server",
        `${path} exists, but this user may not open it`,
        "check which user runs the server and the mode of the folder; `phux doctor` shows both",
      );
    case "ENOTSOCK":
    case "EPROTOTYPE":
      return refuse("transport", `${path} is not a socket`, "check PHUX_SOCKET and the socket argument");
    default:
      return noServer(path);
  }
}

function noServer(path: string): Refusal {
  const message = `no phux server is listening at ${path}`;
  const other = otherThanSocket(path);
  if (other === null) return refuse("no_server", message);
  const remedy =
    "check PHUX_SOCKET and the socket argument; `phux server` starts a server, `phux doctor` shows its socket";
  return refuse("no_server", `${message}: it is ${other}, not a socket`, remedy);
}

/** What stands at a path in place of a socket; null for a socket, for nothing, and for what cannot be looked at. */
function otherThanSocket(path: string): string | null {
  try {
    const found = statSync(path);
    if (found.isSocket()) return null;
    if (found.isDirectory()) return "a folder";
    if (found.isFIFO()) return "a named pipe";
    return found.isFile() ? "a plain file" : "a device";
  } catch {
    return null;
  }
}
