import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LabClient } from "./client.ts";
import type { LabOptions } from "./options.ts";
import { type Lab, startLab } from "./server.ts";

export type Stage = AsyncDisposable & {
  readonly lab: Lab;
  readonly folder: string;
  /** Another connection, its handshake done. */
  connect(name?: string): Promise<LabClient>;
  end(): Promise<void>;
};

/** A lab for a test, in a folder that goes away with it: one session, `main`, with a plain shell in pane 1. */
export async function stage(options: Partial<LabOptions> = {}): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), "lab-"));
  const lab = await startLab({
    socket: join(folder, "phux.sock"),
    session: "main",
    shell: "/bin/sh",
    home: folder,
    cwd: folder,
    env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin", PS1: "$ ", HOME: folder, LANG: "C.UTF-8" },
    idleMs: 50,
    ...options,
  });
  const clients: LabClient[] = [];
  async function end(): Promise<void> {
    for (const client of clients) client.close();
    await lab.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  return {
    ...{ lab, folder, end },
    async connect(name) {
      const client = await LabClient.open(lab.socket, lab.server.release.version, name);
      clients.push(client);
      return client;
    },
    [Symbol.asyncDispose]: end,
  };
}
