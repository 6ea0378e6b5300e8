import { mkdirSync, rmSync } from "node:fs";
import type { Command } from "../../src/wire/command.ts";
import { DetachReason } from "../../src/wire/enums.ts";
import type { AnyFrame } from "../../src/wire/frame.ts";
import { PhysicalKey } from "../../src/wire/physical-key.ts";
import { LabClient, type Received } from "./client.ts";
import { comparable, comparableRace, type Dialogue, decodeWhole, moved, type Step } from "./recording.ts";
import type { LifeScript } from "./replay-lives.ts";
import { type Lab, startLab } from "./server.ts";
import { until } from "./until.ts";

/** The folder of the recording. The replay's own path is as long, so that frames and screens keep their shape. */
const recordedRoot = "/srv/lab";
const patienceMs = 4_000;
/** A program has begun to react to what was sent by then; the end of its answer shows in the output itself. */
const reactionMs = 60;

/** One life of a lab server that speaks 0.8, in which recorded dialogues are played one after another. */
export class ReplayLife {
  readonly lab: Lab;
  readonly root: string;
  readonly #clients = new Map<string, LabClient>();
  /** The screen request that a connection sent last: a screen may be asked for again. */
  readonly #asked = new Map<LabClient, Buffer | null>();
  #director: LabClient | null = null;
  #sentAt = 0;
  readonly #lastError = new Map<string, string>();

  private constructor(lab: Lab, root: string) {
    this.lab = lab;
    this.root = root;
  }

  /** Starts the server as the recorded one was: with a session, or (none) empty. */
  static async begin(session: string | undefined): Promise<ReplayLife> {
    const root = freshRoot();
    for (const folder of ["home", "data"]) mkdirSync(`${root}/${folder}`);
    const lab = await startLab({
      socket: `${root}/real.sock`,
      version: "0.8",
      ...(session === undefined ? {} : { session }),
      ...{ shell: "/bin/sh", home: `${root}/home`, cwd: root, dataFolder: `${root}/data`, idleMs: 50 },
      // Longer than the recorded 22 ms: a dialogue that looks within the window must do so on a busy machine too.
      killWindowMs: 150,
      env: recordedEnvironment(root),
    });
    return new ReplayLife(lab, root);
  }

  async end(): Promise<void> {
    for (const client of this.#clients.values()) client.close();
    this.#director?.close();
    await this.lab.stop();
    rmSync(this.root, { recursive: true, force: true });
  }

  /** A connection beside the dialogues, which brings a life into the state that a recording began with. */
  async director(): Promise<LabClient> {
    this.#director ??= await LabClient.open(this.lab.socket, this.lab.server.release.version);
    return this.#director;
  }

  async command(command: Command): Promise<void> {
    const result = await (await this.director()).command(command);
    if (result.tag === "error") throw new Error(`${command.tag}: ${result.message}`);
  }

  /** Waits until every pane's output has settled, as the people at the recording did between two steps. */
  async settle(): Promise<void> {
    const panes = () => [...this.lab.server.panes.values()];
    const quiet = () => Date.now() - this.#sentAt > reactionMs && panes().every(({ activity }) => activity.resting);
    await until("the panes settle", quiet);
  }

  /** Plays the client's half and compares the server's. Connections in `lasting` live on for later dialogues. */
  async play(dialogue: Dialogue, { lasting, late = {}, raced = [] }: LifeScript): Promise<void> {
    const comparison = raced.includes(dialogue.name) ? comparableRace : comparable;
    let awaited: Step[] = [];
    let written: Buffer[] = [];
    for (const [i, step] of dialogue.steps.entries()) {
      if (!step.fromClient) {
        if (!awaited.some((other) => isBurst(step) && sameBytes(step, other))) awaited.push(step);
        continue;
      }
      const goesOn = step.sameWrite && dialogue.steps[i - 1]?.sameWrite === true;
      if (!goesOn) {
        for (const one of awaited) await this.#expect(one, comparison);
        awaited = [];
      }
      if (!this.#clients.has(step.conn)) await late[step.conn]?.(this);
      const client = await this.client(step.conn, dialogue.raw.has(step.conn));
      const bytes = moved(step.bytes ?? Buffer.alloc(0), recordedRoot, this.root);
      await this.#pace(client, bytes);
      written.push(bytes);
      if (step.sameWrite && dialogue.steps[i + 1]?.sameWrite && dialogue.steps[i + 1]?.fromClient) continue;
      client.sendBytes(Buffer.concat(written));
      written = [];
    }
    for (const one of awaited) await this.#expect(one, comparison);
    await this.#leave(dialogue, new Set(lasting));
  }

  /** A connection of the dialogues by its name, opened with the handshake unless it is to be a bare one. */
  async client(name: string, bare = false): Promise<LabClient> {
    const known = this.#clients.get(name);
    if (known) return known;
    const { socket, server } = this.lab;
    const client = await (bare ? LabClient.connect(socket) : LabClient.open(socket, server.release.version));
    this.#clients.set(name, client);
    return client;
  }

  async #pace(client: LabClient, bytes: Buffer): Promise<void> {
    const frame = decodeWhole(bytes);
    const tag = frame?.name === "COMMAND" ? frame.value.command.tag : null;
    // A line is typed when the one before has done its work, since modes and echo depend on it; its Enter at once.
    const typed = tag === "ROUTE_INPUT" || tag === "APPLY_INPUT";
    if ((typed && !isEnter(frame)) || tag === "SIGNAL_TERMINAL") await this.settle();
    this.#sentAt = Date.now();
    this.#asked.set(client, tag === "GET_SCREEN" || tag === "GET_TERMINAL_STATE" ? bytes : null);
  }

  async #expect(step: Step, comparison: (received: Received) => unknown): Promise<void> {
    const client = this.#clients.get(step.conn);
    if (!client) throw new Error(`no connection ${step.conn}`);
    const frame = step.bytes && decodeWhole(moved(step.bytes, recordedRoot, this.root));
    const recorded = frame ? { frame, bytes: new Uint8Array() } : null;
    if (step.name === "RESOURCE_OUTPUT") return this.#expectOutput(client, frame);
    const deadline = Date.now() + patienceMs;
    let last: Received | undefined;
    for (;;) {
      const found = await client.take((one) => isNext(one, step, recorded), Math.max(deadline - Date.now(), 1));
      if (found === undefined) throw mismatch(step, recorded, last, client);
      last = found;
      this.#sameLastWords(step.conn, found);
      const known = step.bytes !== null || step.end;
      if (known ? Bun.deepEquals(comparison(found), comparison(recorded)) : found?.frame.name === step.name) return;
      const again = this.#asked.get(client);
      if (!again || Date.now() > deadline) throw mismatch(step, recorded, found, client);
      await Bun.sleep(10);
      client.sendBytes(again);
    }
  }

  /** A fatal end says the same in its ERROR and in its DETACHED. */
  #sameLastWords(conn: string, received: Received): void {
    const frame = received?.frame;
    if (frame?.name === "ERROR") this.#lastError.set(conn, frame.value.message);
    if (frame?.name !== "DETACHED" || frame.value.reason !== DetachReason.protocol_error) return;
    const { message } = frame.value;
    if (message !== this.#lastError.get(conn)) throw new Error(`${conn}: DETACHED says ${message}, its ERROR did not`);
  }

  /** Output comes in pieces of any size, and what was early is in the bootstrap: only the text must have come. */
  async #expectOutput(client: LabClient, frame: AnyFrame | null): Promise<void> {
    if (frame?.name !== "RESOURCE_OUTPUT") return;
    const text = Buffer.from(frame.value.bytes).toString().trim();
    await until(`the output has ${JSON.stringify(text)}`, () => client.streamed.includes(text));
  }

  async #leave(dialogue: Dialogue, lasting: ReadonlySet<string>): Promise<void> {
    // Whatever a finished connection still holds is something that the recorded server did not send.
    await Bun.sleep(30);
    for (const [name, client] of this.#clients) {
      if (lasting.has(name)) continue;
      const more = client.received.filter((one) => one !== null && !varies(one.frame));
      if (more.length > 0) throw new Error(`${dialogue.name}: ${name} also got ${more.map(describe)}`);
      client.close();
      this.#clients.delete(name);
    }
  }

  /** What these connections hold at the end of a life and the recording does not have. */
  leftOver(names: readonly string[]): string[] {
    const held = names.flatMap((name) => this.#clients.get(name)?.received ?? []);
    return held.filter((one) => one?.frame.name === "EVENT" && !varies(one.frame)).map(describe);
  }
}

/** Bursts of output come in pieces that depend on the machine: fewer or more of them is no difference, none is. */
function varies(frame: AnyFrame): boolean {
  if (frame.name === "RESOURCE_OUTPUT") return true;
  return frame.name === "EVENT" && ["dirty", "idle", "bell"].includes(frame.value.event.tag);
}

function isBurst({ bytes }: Step): boolean {
  const frame = bytes && decodeWhole(bytes);
  return frame !== null && varies(frame);
}

function sameBytes(a: Step, b: Step): boolean {
  return a.conn === b.conn && a.bytes !== null && b.bytes !== null && a.bytes.equals(b.bytes);
}

/**
 * Replies are compared in the order they come, events in the order of their pane. What varies, and a directory that is
 * polled, is compared with the next equal one.
 */
function isNext(received: Received, step: Step, recorded: Received): boolean {
  if (received === null) return true;
  if (step.name !== "EVENT") return received.frame.name !== "EVENT" && received.frame.name !== "RESOURCE_OUTPUT";
  const [got, wanted] = [received.frame, recorded?.frame];
  if (got.name !== "EVENT" || wanted?.name !== "EVENT") return false;
  if (!Bun.deepEquals(got.value.terminal, wanted.value.terminal)) return false;
  const loose = (frame: AnyFrame) =>
    varies(frame) || (frame.name === "EVENT" && frame.value.event.tag === "cwd_changed");
  return loose(wanted) ? Bun.deepEquals(comparable(received), comparable(recorded)) : !loose(got);
}

function isEnter(frame: AnyFrame | null): boolean {
  const command = frame?.name === "COMMAND" ? frame.value.command : null;
  return command?.tag === "ROUTE_INPUT" && command.event.tag === "key" && command.event.event.key === PhysicalKey.Enter;
}

function describe(received: Received): string {
  return Bun.inspect(comparable(received), { depth: 12, compact: true }).slice(0, 3_000);
}

function mismatch(step: Step, recorded: Received, found: Received | undefined, client: LabClient): Error {
  const wanted = step.bytes || step.end ? describe(recorded) : step.name;
  const got = found === undefined ? "nothing" : describe(found);
  return new Error(`${step.conn}\nrecorded ${wanted}\nthe lab sent ${got}\nit holds ${client.received.map(describe)}`);
}

function freshRoot(): string {
  for (;;) {
    const root = `/tmp/${Math.random().toString(36).slice(2, 5)}`;
    try {
      if (root.length !== recordedRoot.length) continue;
      mkdirSync(root, { mode: 0o700 });
      return root;
    } catch {
      // Taken: another three letters.
    }
  }
}

/** The environment of the recorded server's panes, in this life's folder. */
function recordedEnvironment(root: string): Record<string, string> {
  return {
    ...{ ENV: "", HOME: `${root}/home`, LANG: "C.UTF-8", LC_ALL: "C.UTF-8", LOGNAME: "lab", USER: "lab" },
    ...{ OLDPWD: "/opt/phux/tools", PATH: "/opt/phux/bin:/usr/bin:/bin", PS1: "$ ", SHELL: "/bin/sh", SHLVL: "0" },
    ...{ XDG_CACHE_HOME: `${root}/cache`, XDG_CONFIG_HOME: `${root}/config`, XDG_DATA_HOME: `${root}/data` },
    ...{ XDG_RUNTIME_DIR: `${root}/run`, XDG_STATE_HOME: `${root}/state` },
  };
}
