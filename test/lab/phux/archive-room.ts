import { expect } from "bun:test";
import { readFileSync } from "node:fs";
import { encodeLayout, type LayoutDocument } from "../../../src/wire/layout-document.ts";
import { local } from "../answer.ts";
import { LabClient } from "../client.ts";
import { until, type Workbench } from "./workbench.ts";

const leaf = (pane: number) => ({ kind: "leaf", pane: local(pane) }) as const;

/** A lab whose sessions are saved and made again. Between two tests it has `main` alone. */
export class ArchiveRoom {
  readonly bench: Workbench;

  constructor(bench: Workbench) {
    this.bench = bench;
  }

  /** The document that `archive save` prints. */
  async saved(...argv: string[]) {
    const ran = await this.bench.phux(["archive", "save", ...argv]);
    expect(ran).toMatchObject({ exit: 0, stderr: "" });
    return JSON.parse(ran.stdout);
  }

  /** The document that it writes. */
  async savedTo(path: string) {
    expect(await this.bench.phux(["archive", "save", "-o", path])).toEqual({ exit: 0, stdout: "", stderr: "" });
    return JSON.parse(readFileSync(path, "utf8"));
  }

  panesOf(name: string): readonly number[] {
    const { store } = this.bench.lab.server;
    const session = store.sessionNamed(name);
    return session ? store.panesOf(session) : [];
  }

  async spawnIn(owner: number, ...command: string[]): Promise<number> {
    const client = await LabClient.open(this.bench.lab.socket, this.bench.lab.server.release.version);
    const request = { request_id: 1, group: 1, command, owner_terminal: local(owner) };
    client.send({ name: "SPAWN_RESOURCE", value: request });
    const { result } = await client.next("RESOURCE_SPAWNED");
    client.close();
    return result.tag === "ok" ? result.id.id : 0;
  }

  /** A session with two tabs, of which the second is the active one and draws three panes. */
  async twoTabs(name: string, prefix = "phux.tui"): Promise<readonly number[]> {
    const { server } = this.bench.lab;
    await this.bench.session(name, "/bin/sh");
    const [first = 0] = this.panesOf(name);
    const a = await this.spawnIn(first, "sleep", "60");
    const b = await this.spawnIn(first, "sleep", "61");
    const c = await this.spawnIn(first, "sleep", "62");
    const layout: LayoutDocument = {
      version: 3,
      focused_window_index: 1,
      windows: [
        { id: "1".repeat(32), name: "code", root: leaf(first), focused_terminal: local(first) },
        {
          id: "2".repeat(32),
          name: "run",
          focused_terminal: local(c),
          root: {
            ...{ kind: "split", dir: "horizontal", ratio: 0.25, left: leaf(a) },
            right: { kind: "split", dir: "vertical", ratio: 0.5, left: leaf(b), right: leaf(c) },
          },
        },
      ],
    };
    const key = `${prefix}.layout/v1/${server.store.sessionNamed(name)?.id}`;
    server.writeMetadata({ tag: "group", group: 1 }, key, encodeLayout(layout, 3));
    return [first, a, b, c];
  }

  async end(name: string): Promise<void> {
    await this.bench.phux(["kill", name]);
    await until(() => this.panesOf(name).length === 0);
  }

  async clear(): Promise<void> {
    const { sessions } = this.bench.lab.server.store;
    for (const { name } of [...sessions]) if (name !== "main") await this.bench.phux(["kill", name]);
    await until(() => sessions.length === 1);
  }
}
