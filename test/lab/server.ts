import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { dirname } from "node:path";
import type { CommandResult } from "../../src/wire/command.ts";
import type { AnyFrame } from "../../src/wire/frame.ts";
import type { ActorRef, Scope } from "../../src/wire/identity.ts";
import type { AgentSession } from "./agent-session.ts";
import { local } from "./answer.ts";
import { Approvals } from "./approvals.ts";
import type { Call } from "./call.ts";
import { Connection } from "./connection.ts";
import { DesignedKeys } from "./designed-keys.ts";
import { Detector } from "./detector.ts";
import { EventHub, type EventValue } from "./events.ts";
import { type Faults, noFaults } from "./faults.ts";
import { Fleet } from "./fleet.ts";
import { KeyedResults } from "./keyed-results.ts";
import { endLease } from "./lease.ts";
import { MetadataMap, scopeText } from "./metadata-map.ts";
import { Meter } from "./meter.ts";
import { type LabOptions, type LabSettings, settings } from "./options.ts";
import { type Pane, plainSpec, startPane } from "./pane.ts";
import { allEnded, killSame, type ProcessRow, sessionMembers } from "./process-table.ts";
import type { Launch } from "./relaunch.ts";
import { type Release, release } from "./release.ts";
import { serve } from "./serve.ts";
import { type Session, Store } from "./store.ts";
import { Uploads } from "./upload.ts";

/** One phux server: everything it knows and everyone it talks to. What a request does to it is in the other files. */
export class LabServer {
  readonly options: LabSettings;
  readonly release: Release;
  readonly faults: Faults;
  readonly store = new Store();
  readonly panes = new Map<number, Pane>();
  /** Background jobs of panes that ended by themselves. They may run on, but not longer than the server. */
  readonly leftBehind: ProcessRow[] = [];
  readonly agents = new Map<number, AgentSession>();
  readonly metadata = new MetadataMap();
  readonly hub: EventHub;
  readonly connections = new Set<Connection>();
  readonly inputResults = new KeyedResults<CommandResult>();
  readonly killResults = new KeyedResults<CommandResult>();
  readonly spawnResults = new KeyedResults<number>();
  readonly relaunchResults = new KeyedResults<Launch>();
  /** What each pane was started with, those that are gone included. */
  readonly launches = new Map<number, Launch>();
  /** Results of session creates by token, for a repeat of the same request. */
  readonly createdSessions = new Map<string, Readonly<Record<string, unknown>>>();
  readonly fleet: Fleet;
  readonly uploads: Uploads;
  readonly meter = new Meter();
  readonly approvals: Approvals;
  readonly designedKeys: DesignedKeys;
  readonly detector = new Detector(this);
  /** Identifies this run of the server; an upgrade changes it. */
  serverId = new Uint8Array(randomBytes(16));
  /** Identifies this space of ids; an upgrade keeps it. */
  readonly instance = new Uint8Array(randomBytes(16));
  /** Resolves when the server has stopped, for whatever reason. */
  readonly stopped: Promise<void>;
  readonly startedAt = Date.now();
  readonly #resolveStopped: () => void;
  readonly #listener: Server;
  readonly #timers = new Set<ReturnType<typeof setTimeout>>();
  #nextConnection = 1;
  /** Since when the last pane's end is the server's end too (wire.md 10.1). */
  #everAttached = false;
  #stopping: Promise<void> | null = null;

  constructor(options: LabOptions) {
    this.options = settings(options);
    this.release = release(options.version ?? "1.0", options.without);
    this.faults = { ...noFaults(), ...options.faults };
    const journal = this.release.features.includes("event_journal") ? { events: this.options.journalEvents } : null;
    this.hub = new EventHub({ eight: this.release.eight, journal, now: Date.now });
    this.uploads = new Uploads(this.options.dataFolder);
    this.approvals = new Approvals(this);
    this.designedKeys = new DesignedKeys(this);
    this.fleet = new Fleet(this.options.satellites, this.release.version);
    const stopped = Promise.withResolvers<void>();
    this.stopped = stopped.promise;
    this.#resolveStopped = stopped.resolve;
    this.#listener = createServer((socket) => {
      this.connections.add(new Connection(this, this.#nextConnection++, socket));
    });
    if (options.session === undefined) return;
    const started = startPane(this, plainSpec);
    if (!started.ok) throw new Error(started.error);
    this.openSession(options.session, started.value);
  }

  /** A new session with one window that holds this pane. */
  openSession(name: string, pane: Pane): Session {
    const session = this.store.createSession(name, this.nowSeconds);
    this.store.createWindow(session).panes.push(pane.id);
    this.announce(pane);
    return session;
  }

  async listen(): Promise<void> {
    const { socket } = this.options;
    mkdirSync(dirname(socket), { recursive: true, mode: 0o700 });
    if (existsSync(socket) && !(await answers(socket))) rmSync(socket);
    const listening = Promise.withResolvers<void>();
    this.#listener.once("error", listening.reject);
    this.#listener.listen(socket, listening.resolve);
    await listening.promise;
    chmodSync(socket, 0o600);
  }

  get nowSeconds(): number {
    return Math.floor(Date.now() / 1000);
  }

  serve(call: Call, frame: AnyFrame): Promise<void> {
    return serve(this, call, frame);
  }

  /** Runs something later, unless the server has stopped by then. */
  after(ms: number, run: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      run();
    }, ms);
    this.#timers.add(timer);
  }

  hasResource(id: number): boolean {
    return this.panes.has(id) || this.agents.has(id);
  }

  announce(pane: Pane): void {
    this.hub.publish({ terminal: pane.resource, event: { tag: "pane_spawned" } });
  }

  markAttached(): void {
    this.#everAttached = true;
  }

  writeMetadata(scope: Scope, key: string, value: Uint8Array, actor?: ActorRef): void {
    if (this.metadata.set(scope, key, value)) this.tellMetadata(scope, key, value, actor);
  }

  deleteMetadata(scope: Scope, key: string, actor?: ActorRef): void {
    if (this.metadata.delete(scope, key)) this.tellMetadata(scope, key, undefined, actor);
  }

  /** METADATA_CHANGED to those who follow this key; no value means deleted. */
  tellMetadata(scope: Scope, key: string, value: Uint8Array | undefined, actor: ActorRef | undefined): void {
    const name = `${scopeText(scope)} ${key}`;
    const changed = {
      ...{ scope, key },
      ...(value ? { value } : {}),
      ...(actor && !this.release.eight ? { actor } : {}),
    };
    for (const connection of this.connections) {
      if (connection.metadataSubscriptions.has(name)) connection.send({ name: "METADATA_CHANGED", value: changed });
    }
  }

  /** The layouts of a session end with it (wire.md 21). */
  sessionGone(session: Session): void {
    const group = { tag: "group", group: 1 } as const;
    for (const key of this.metadata.keys(group)) {
      if (key.endsWith(`.layout/v1/${session.id}`)) this.deleteMetadata(group, key);
    }
  }

  forget(connection: Connection): void {
    if (!this.connections.delete(connection)) return;
    this.hub.unsubscribe(connection);
    this.approvals.withdraw(connection);
    for (const pane of this.panes.values()) if (pane.lease?.holder === connection) endLease(this, pane, connection);
  }

  /** Some true event, for a fault that wants one at an odd moment. */
  someEvent(): EventValue {
    const [id] = this.panes.keys();
    return { ...(id === undefined ? {} : { terminal: local(id) }), event: { tag: "bell" } };
  }

  stopIfEmpty(): void {
    if (this.panes.size === 0 && this.store.sessions.length === 0 && this.#everAttached) void this.stop();
  }

  /** What a server does that re-executes itself: the panes stay, everyone is cut off, the server id is another. */
  upgrade(): void {
    this.serverId = new Uint8Array(randomBytes(16));
    for (const connection of [...this.connections]) connection.drop();
  }

  /** Says goodbye to everyone, ends every program, and leaves no socket behind. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    for (const connection of [...this.connections]) connection.end(1, "server is shutting down");
    for (const timer of this.#timers) clearTimeout(timer);
    const terminals = [...this.panes.values()].map(({ terminal, activity }) => {
      activity.stop();
      terminal.hangUp();
      return terminal;
    });
    this.panes.clear();
    // Programs get a moment to write their files before what is left of them is killed.
    const gone = Promise.all(terminals.map(({ ended }) => ended));
    await Promise.race([gone, Bun.sleep(150)]);
    const members = [...terminals.flatMap(({ pid }) => sessionMembers(pid)), ...this.leftBehind];
    for (const terminal of terminals) terminal.destroy();
    killSame(this.leftBehind);
    await allEnded(members);
    await gone;
    await this.fleet.close();
    await new Promise<void>((resolve) => this.#listener.close(() => resolve()));
    rmSync(this.options.socket, { force: true });
    this.#resolveStopped();
  }
}

/** Whether somebody listens at a socket; the file alone may be what a crash has left. */
function answers(path: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(path);
  socket.once("connect", () => resolve(true));
  socket.once("error", () => resolve(false));
  return promise.finally(() => socket.destroy());
}

export type Lab = {
  /** Where clients connect: what PHUX_SOCKET must say. */
  readonly socket: string;
  /** May be changed while the lab runs. */
  readonly faults: Faults;
  readonly server: LabServer;
  /** Ends everything the lab started. */
  stop(): Promise<void>;
};

/** Starts a lab in this process, listening when the promise resolves. */
export async function startLab(options: LabOptions): Promise<Lab> {
  const server = new LabServer(options);
  await server.listen();
  return { socket: options.socket, faults: server.faults, server, stop: () => server.stop() };
}
