/** A lab with one of everything that a gate stands before, and what shows there that a deed was done. */
import { until } from "../e2e/raw-host.ts";
import { LabClient } from "../lab/client.ts";
import { type Given, LabHost } from "./gh-host.ts";

const VIEWPORT = { cols: 80, rows: 24, pixel_w: null, pixel_h: null };

export class DangerousRoom implements AsyncDisposable {
  readonly lab: LabHost;
  readonly #people: LabClient[] = [];
  /** A pane to be ended, one to be signalled, one that has exited and is retained, and one whose end is held. */
  readonly panes = { victim: "", listener: "", exited: "", held: "" };
  /** The id of the hold. */
  hold = "";

  private constructor(lab: LabHost) {
    this.lab = lab;
  }

  static async open(env: Readonly<Record<string, string>> = {}): Promise<DangerousRoom> {
    const lab = await LabHost.open({ session: "main", hold: ["KILL_RESOURCES"] }, { env });
    const room = new DangerousRoom(lab);
    const spawn = async (command: string[]) =>
      `@${(await lab.call("phux_spawn", { command, retain_secs: 60 }))["terminal_id"]}`;
    room.panes.victim = await spawn(["sleep", "600"]);
    room.panes.listener = await spawn(["sleep", "600"]);
    room.panes.exited = await spawn(["true"]);
    await until(() => room.#pane(room.panes.exited)?.retained, "the retained pane", 5_000);
    await room.#watch();
    await room.#holdOne();
    return room;
  }

  /** A person looks at the session. */
  async #watch(): Promise<void> {
    const person = await this.#person("viewer");
    person.send({
      name: "ATTACH",
      value: { attach_id: 1, target: { tag: "by_name", name: "main" }, viewport: VIEWPORT },
    });
    await person.next("ATTACH_READY");
  }

  /** Another client wants to end a pane, which this server holds until somebody decides. */
  async #holdOne(): Promise<void> {
    const { terminal_id } = await this.lab.call("phux_new", { name: "held", command: ["sleep", "600"] });
    this.panes.held = `@${terminal_id}`;
    const other = await this.#person("other");
    const ids = [{ tag: "local" as const, id: Number(terminal_id) }];
    other.send({ name: "COMMAND", value: { request_id: 1, command: { tag: "KILL_RESOURCES", ids } } });
    const end = performance.now() + 5_000;
    while (this.hold === "" && performance.now() < end) {
      const { approvals } = await this.lab.call("phux_approvals");
      const [first] = Array.isArray(approvals) ? approvals : [];
      this.hold = String(first?.id ?? "");
    }
  }

  async #person(name: string): Promise<LabClient> {
    const person = await LabClient.open(this.lab.lab.socket, this.lab.lab.server.release.version, name);
    this.#people.push(person);
    return person;
  }

  #pane(pane: string) {
    return this.lab.lab.server.panes.get(Number(pane.slice(1)));
  }

  has(pane: keyof DangerousRoom["panes"]): boolean {
    return this.#pane(this.panes[pane]) !== undefined;
  }

  /** Whether a process runs in it. */
  runs(pane: keyof DangerousRoom["panes"]): boolean {
    return this.#pane(this.panes[pane])?.retained === null;
  }

  get watched(): boolean {
    return !this.#people.some((person) => person.received.some((one) => one?.frame.name === "DETACHED"));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const person of this.#people) person.close();
    await this.lab[Symbol.asyncDispose]();
  }
}

/** What each gate stands before. */
export interface Deed {
  readonly what: string;
  readonly tool: string;
  given(room: DangerousRoom): Given;
  done(room: DangerousRoom): boolean;
}

export const deeds: readonly Deed[] = [
  {
    what: "ends a pane",
    tool: "phux_kill",
    given: ({ panes }) => ({ target: panes.victim }),
    done: (room) => !room.has("victim"),
  },
  {
    what: "removes an exited pane",
    tool: "phux_rm",
    given: ({ panes }) => ({ target: panes.exited }),
    done: (room) => !room.has("exited"),
  },
  {
    what: "signals a program",
    tool: "phux_signal",
    given: ({ panes }) => ({ target: panes.listener, signal: "kill" }),
    done: (room) => !room.runs("listener"),
  },
  {
    what: "lets a held action run",
    tool: "phux_approve",
    given: ({ hold }) => ({ id: hold, decision: "approve" }),
    done: (room) => !room.has("held"),
  },
  { what: "ejects who looks on", tool: "phux_detach", given: () => ({}), done: (room) => !room.watched },
];
