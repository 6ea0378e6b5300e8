import type { Command, CommandResult } from "../../src/wire/command.ts";
import type { ResourceId } from "../../src/wire/identity.ts";
import type { HostInventory, ResourceRow, SessionSnapshot } from "../../src/wire/state.ts";
import type { ProtocolVersion } from "../../src/wire/version.ts";
import { noRoute, refuse } from "./answer.ts";
import { LabClient } from "./client.ts";
import type { Satellite } from "./options.ts";

const relayMs = 30_000;

export type FleetState = {
  readonly resources: readonly ResourceRow[];
  readonly hosts: readonly HostInventory[];
  /** One sentence for each host that did not answer. */
  readonly unreachable: readonly string[];
};

/** The satellites of a hub: other labs, to which commands about their panes are passed on (wire.md 24). */
export class Fleet {
  readonly #satellites: Readonly<Record<string, Satellite>>;
  readonly #version: ProtocolVersion;
  readonly #links = new Map<string, Promise<LabClient>>();

  constructor(satellites: Readonly<Record<string, Satellite>>, version: ProtocolVersion) {
    this.#satellites = satellites;
    this.#version = version;
  }

  knows(host: string): boolean {
    return host in this.#satellites;
  }

  reaches(host: string): boolean {
    const satellite = this.#satellites[host];
    return satellite !== undefined && "socket" in satellite;
  }

  /** Passes a command about a satellite's resource on, the id rewritten to what it is over there. */
  async relay(host: string, command: Command): Promise<CommandResult> {
    const satellite = this.#satellites[host];
    if (!satellite) return refuse("UNSUPPORTED_SATELLITE_ROUTE", noRoute(host));
    if ("unreachable" in satellite) return refuse("SATELLITE_UNREACHABLE", `${host}: ${satellite.unreachable}`);
    if (!("terminal_id" in command)) return refuse("UNSUPPORTED_SATELLITE_ROUTE", `${command.tag} is not relayed`);
    try {
      const link = await this.#link(host, satellite.socket);
      // Only the id changes, so the command keeps its tag and the rest of its body.
      const over = { ...command, terminal_id: here(command.terminal_id) } as Command;
      return await link.command(over, relayMs);
    } catch (error) {
      this.#links.delete(host);
      return refuse("SATELLITE_UNREACHABLE", `${host}: ${error instanceof Error ? error.message : error}`);
    }
  }

  #link(host: string, socket: string): Promise<LabClient> {
    const known = this.#links.get(host) ?? LabClient.open(socket, this.#version, "lab-hub/0.1.0");
    this.#links.set(host, known);
    return known;
  }

  async state(): Promise<FleetState> {
    const resources: ResourceRow[] = [];
    const hosts: HostInventory[] = [];
    const unreachable: string[] = [];
    for (const [host, satellite] of Object.entries(this.#satellites)) {
      const answer = await this.#stateOf(host, satellite);
      if (typeof answer === "string") {
        hosts.push({ host, unreachable: answer, sessions: [] });
        unreachable.push(`${host}: ${answer}`);
        continue;
      }
      // Rows of another host have no window here (draft 38).
      resources.push(...answer.resources.map((row) => ({ ...row, id: there(host, row.id), window_id: 0 })));
      hosts.push(inventory(host, answer));
    }
    return { resources, hosts, unreachable };
  }

  async #stateOf(host: string, satellite: Satellite): Promise<SessionSnapshot | string> {
    if ("unreachable" in satellite) return satellite.unreachable;
    try {
      const link = await this.#link(host, satellite.socket);
      const result = await link.command({ tag: "GET_STATE", scope: 0 }, relayMs);
      if (result.tag === "ok_with" && result.value.tag === "state") return result.value.state;
      return "the satellite refused";
    } catch (error) {
      this.#links.delete(host);
      return error instanceof Error ? error.message : String(error);
    }
  }

  async close(): Promise<void> {
    for (const link of this.#links.values()) (await link.catch(() => null))?.close();
  }
}

function here(id: ResourceId): ResourceId {
  return { tag: "local", id: id.id };
}

function there(host: string, id: ResourceId): ResourceId {
  return id.tag === "local" ? { tag: "satellite", host, id: id.id } : id;
}

function inventory(host: string, { sessions, windows, resources }: SessionSnapshot): HostInventory {
  return {
    host,
    unreachable: null,
    sessions: sessions.map((session) => {
      const own = windows.filter((window) => window.session_id === session.id);
      const active = own.find((window) => window.id === session.active_window)?.active_resource;
      return {
        id: session.id,
        name: session.name,
        created_at_unix_secs: session.created_at_unix_secs,
        window_count: session.window_count,
        pane_count: resources.filter((row) => own.some((window) => window.id === row.window_id)).length,
        attached_client_count: session.attached_client_count,
        active_resource: active ? there(host, active) : null,
      };
    }),
  };
}
