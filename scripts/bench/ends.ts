import { Hang } from "./hang.ts";
import { Asked, cpuTicks } from "./process.ts";
import type { Programs } from "./programs.ts";
import { timed, until } from "./sample.ts";
import type { Row } from "./table.ts";

const CANCELS = 200;
const IDLE_MS = 60_000;
/** The runtime looks at its heap once a second until half a minute after the last work. */
const SETTLE_MS = 35_000;

/** How fast work ends when it is not wanted, and what doing nothing costs. */
export async function endRows(programs: Programs, socket: string, folder: string): Promise<Row[]> {
  const hang = new Hang(folder);
  const path = `${hang.folder}:${process.env["PATH"] ?? ""}`;
  const adapter = new Asked([programs.adapter], { ...process.env, PATH: path, PHUX_SOCKET: socket });
  await adapter.ask("initialize");
  const cancels: number[] = [];
  for (let sample = 0; sample < CANCELS; sample += 1) {
    const id = adapter.post("tools/call", { name: "phux_status", arguments: {} });
    await until(() => hang.tree().length === 2, "a child with a child of its own");
    const tree = hang.tree();
    cancels.push(
      await timed(async () => {
        adapter.notify("notifications/cancelled", { requestId: id });
        while (tree.some(Hang.runs)) await Bun.sleep(1);
      }),
    );
    hang.forget();
  }
  await adapter.tool("phux_ls");
  await Bun.sleep(SETTLE_MS);
  const before = cpuTicks(adapter.pid);
  await Bun.sleep(IDLE_MS);
  const used = (cpuTicks(adapter.pid) - before) * 10;
  await adapter.end();
  return [
    { figure: "cancel to child tree gone", unit: "ms", ours: cancels, share: 0.99, limit: 100 },
    // One clock tick, the least that the system counts.
    { figure: "processor time of an idle minute", unit: "ms", ours: [used], share: 1, limit: 10 },
  ];
}
