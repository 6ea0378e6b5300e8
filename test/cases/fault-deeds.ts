/** A call of every tool that uses the socket, fresh each time, and how often the world says that it happened. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { formatResource } from "../../src/phux/selector.ts";
import type { Agent } from "../e2e/agent.ts";
import { LabClient } from "../lab/client.ts";

/** What the calls act on. */
export class Scene {
  readonly agent: Agent;
  readonly #sink: string;
  #number = 10_000;
  /** Two that write a layout at the same time are told so, and one of them fails: here they take turns. */
  #turn: Promise<unknown> = Promise.resolve();

  private constructor(agent: Agent, sink: string) {
    this.agent = agent;
    this.#sink = sink;
  }

  /** A session `main` with @1, whose program writes down what is typed into it. */
  static async set(agent: Agent): Promise<Scene> {
    const sink = join(agent.folder, "typed");
    await agent.call("phux_new", {
      name: "main",
      command: ["/bin/sh", "-c", `stty -echo -icanon; exec cat > '${sink}'`],
    });
    return new Scene(agent, sink);
  }

  /** A number that no call before had; always of as many digits, for each is a key that is typed. */
  number(): number {
    this.#number += 1;
    return this.#number;
  }

  /** A pane of its own, which no other call touches and no layout draws. */
  async pane(): Promise<string> {
    const { lab } = this.agent;
    const client = await LabClient.open(lab.socket, lab.server.release.version);
    client.send({
      name: "SPAWN_RESOURCE",
      value: { request_id: 1, group: 1, owner_terminal: { tag: "local", id: 1 } },
    });
    const { result } = await client.next("RESOURCE_SPAWNED");
    client.close();
    if (result.tag !== "ok") throw new Error(Bun.inspect(result));
    return formatResource(result.id);
  }

  /** A pane of its own that the layout draws. */
  drawn(): Promise<string> {
    return this.#spawned({ command: ["/bin/sleep", "1000"] });
  }

  #spawned(args: object): Promise<string> {
    const spawn = this.#turn.then(async () => {
      const { terminal_id } = await this.agent.call("phux_spawn", { target: "@1", ...args });
      return `@${terminal_id}`;
    });
    this.#turn = spawn.catch(() => {});
    return spawn;
  }

  /** A session of its own; its name. */
  async session(): Promise<string> {
    const name = `s${this.number()}`;
    await this.agent.call("phux_new", { name, command: ["/bin/sleep", "1000"] });
    return name;
  }

  typed(text: string): number {
    return readFileSync(this.#sink, "utf8").split(text).length - 1;
  }

  /** How often a text stands in the document of a call. */
  async shows(tool: string, args: object, text: string): Promise<number> {
    const document = await this.agent.call(tool, { ...args });
    return JSON.stringify(document).split(JSON.stringify(text)).length - 1;
  }

  /** A pane that has ended and can still be read; started again, it would stay. */
  async ended(): Promise<string> {
    const again = join(this.agent.folder, `again-${this.number()}`);
    const command = ["/bin/sh", "-c", `test -e '${again}' && exec sleep 1000; exit 3`];
    const pane = await this.#spawned({ command, retain_secs: 600 });
    await this.agent.call("phux_resource_wait", { target: pane, timeout_secs: 10 });
    await Bun.write(again, "");
    return pane;
  }

  async isListed(pane: string): Promise<boolean> {
    const { terminals } = await this.agent.call("phux_ls");
    return Array.isArray(terminals) && terminals.includes(pane);
  }

  uploads(text: string): number {
    const folder = join(this.agent.folder, "data");
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    return files.filter((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8") === text).length;
  }
}

/** Tools that write a layout or ask for one while others write it, and one whose keys would mix: a call at a time. */
export const oneAtATime: ReadonlySet<string> = new Set([
  "phux_send_keys",
  "phux_spawn",
  "phux_kill",
  "phux_rm",
  "phux_insert_pane",
  "phux_move_pane",
  "phux_swap_pane",
]);

export interface Deed {
  readonly arguments: Readonly<Record<string, unknown>>;
  /** How often it happened, as the world shows it after everything has come to rest. */
  readonly happened?: () => Promise<number> | number;
  /** It carries a key by which the server knows a repeat, so asking twice is no second change. */
  readonly repeats?: true;
}

/** How many processes have this argument. */
function processesWith(argument: string): number {
  return readdirSync("/proc").filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").includes(argument);
    } catch {
      return false;
    }
  }).length;
}

const once = (is: boolean) => (is ? 1 : 0);

/** By tool. What is not here has no socket: the two of plugins, and the state of operations. */
export const deeds: Readonly<Record<string, (scene: Scene) => Promise<Deed>>> = {
  phux_ls: async () => ({ arguments: {} }),
  phux_snapshot: async () => ({ arguments: { target: "@1", scrollback: 5 } }),
  phux_wait: async () => ({ arguments: { target: "@1", idle_ms: 1, timeout_secs: 2 } }),
  phux_watch: async () => ({ arguments: { target: "@1", timeout_secs: 0 } }),
  phux_resource_show: async () => ({ arguments: { target: "@1" } }),
  phux_resource_wait: async () => ({ arguments: { target: "@1", timeout_secs: 1 } }),
  phux_resource_methods: async () => ({ arguments: { target: "@1" } }),
  phux_approvals: async () => ({ arguments: {} }),
  phux_claim_list: async () => ({ arguments: {} }),
  phux_mail_read: async () => ({ arguments: { mailbox: "@1" } }),
  async phux_send_keys(scene) {
    const text = `<key ${scene.number()}>`;
    return { arguments: { target: "@1", keys: [text] }, happened: () => scene.typed(text) };
  },
  async phux_paste(scene) {
    const text = `<paste ${scene.number()}>`;
    return { arguments: { target: "@1", text }, happened: () => scene.typed(text) };
  },
  async phux_spawn(scene) {
    const seconds = `1000.${scene.number()}`;
    const command = ["/bin/sleep", seconds];
    return { arguments: { target: "@1", command }, happened: () => processesWith(seconds) };
  },
  async phux_kill(scene) {
    const target = await scene.pane();
    return { arguments: { target, confirm: true }, happened: async () => once(!(await scene.isListed(target))) };
  },
  phux_rm: async (scene) => ({ arguments: { target: await scene.ended(), confirm: true } }),
  phux_relaunch: async (scene) => ({ arguments: { target: await scene.ended() } }),
  phux_signal: async (scene) => ({ arguments: { target: await scene.pane(), signal: "freeze" } }),
  async phux_tag(scene) {
    const tag = `t${scene.number()}`;
    const target = await scene.pane();
    const args = { action: "add", target, tags: [tag] };
    return { arguments: args, happened: () => scene.shows("phux_tag", { action: "ls", target }, tag) };
  },
  async phux_upload(scene) {
    const text = `upload ${scene.number()}`;
    const path = join(scene.agent.folder, `u${scene.number()}.txt`);
    await Bun.write(path, text);
    return { arguments: { target: "@1", path }, happened: () => scene.uploads(text), repeats: true };
  },
  phux_ask: async (scene) => ({ arguments: { target: "@1", id: `q${scene.number()}`, question: "Which?" } }),
  phux_rename: async (scene) => ({
    arguments: { session: await scene.session(), new_name: `r${scene.number()}` },
  }),
  phux_organize: async (scene) => ({ arguments: { session: "main", group: `g${scene.number()}` } }),
  phux_detach: async () => ({ arguments: { session: "main", confirm: true } }),
  phux_insert_pane: async (scene) => ({ arguments: { target: "@1", new_pane: await scene.pane() } }),
  phux_move_pane: async (scene) => ({ arguments: { source: await scene.drawn(), target: "@1" } }),
  phux_swap_pane: async (scene) => ({ arguments: { first: await scene.drawn(), second: "@1" } }),
  phux_agent_set: async (scene) => ({ arguments: { target: await scene.pane(), name: `a${scene.number()}` } }),
  phux_agent_clear: async (scene) => ({ arguments: { target: await scene.pane() } }),
  async phux_mail_send(scene) {
    const body = `letter ${scene.number()}`;
    const box = { mailbox: "@1", limit: 64 };
    return { arguments: { to: "@1", body }, happened: () => scene.shows("phux_mail_read", box, body) };
  },
  phux_mail_ack: async (scene) => {
    const mailbox = await scene.pane();
    const { id } = await scene.agent.call("phux_mail_send", { to: mailbox, body: "x" });
    return { arguments: { mailbox, ids: [id] } };
  },
  phux_claim_take: async (scene) => ({ arguments: { name: `c${scene.number()}`, ttl_secs: 60 } }),
  phux_claim_renew: async (scene) => ({ arguments: await claim(scene) }),
  phux_claim_release: async (scene) => ({ arguments: await claim(scene) }),
  phux_approve: async () => ({ arguments: { id: "a".repeat(32), decision: "deny" } }),
};

async function claim(scene: Scene): Promise<{ name: string; token: unknown }> {
  const name = `c${scene.number()}`;
  const taken = JSON.stringify(await scene.agent.call("phux_claim_take", { name, ttl_secs: 600 }));
  return { name, token: /"token":"([0-9a-f]{32})"/.exec(taken)?.[1] };
}
