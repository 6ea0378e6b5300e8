import { readFileSync } from "node:fs";
import { signalQuietly } from "../process-table.ts";

const OUTPUT_CAP = 64 * 1024;

export interface CommandEnd {
  /** The last part of what it printed, both streams as they came. */
  readonly output: string;
  readonly exitCode: number | null;
}

/** Runs a command in a shell and waits for it; an abort kills it and everything it has started. */
export async function runCommand(command: string, signal: AbortSignal): Promise<CommandEnd> {
  const child = Bun.spawn(["/bin/sh", "-c", `exec 2>&1; ${command}`], { stdio: ["ignore", "pipe", "ignore"] });
  const kill = () => killTree(child.pid);
  signal.addEventListener("abort", kill, { once: true });
  let output = "";
  const decoder = new TextDecoder();
  for await (const chunk of child.stdout) {
    output = (output + decoder.decode(chunk, { stream: true })).slice(-OUTPUT_CAP);
    if (signal.aborted) break;
  }
  await child.exited;
  signal.removeEventListener("abort", kill);
  return { output, exitCode: child.exitCode };
}

/** It stays in the agent's process group, as the terminal's foreground must, so each process is killed by itself. */
function killTree(pid: number): void {
  // Stopped first, so that it starts no more of them while they are counted.
  signalQuietly(pid, "SIGSTOP");
  for (const child of childrenOf(pid)) killTree(child);
  signalQuietly(pid, "SIGKILL");
}

function childrenOf(pid: number): number[] {
  try {
    const list = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
    return list === "" ? [] : list.split(" ").map(Number);
  } catch {
    return [];
  }
}
