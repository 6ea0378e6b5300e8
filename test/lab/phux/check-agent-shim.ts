import { closeSync, openSync, readSync, realpathSync } from "node:fs";
import { delimiter } from "node:path";
import { type Check, pass, warn } from "./check.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The agent that phux puts a script in front of, so that its state is reported. */
const AGENT = "claude";
/** A script longer than this is a program of its own. */
const SCRIPT_BYTES = 64 * 1024;

/** The script in front of the agent, when there is one, still leads to an agent. */
export function checkAgentShim({ PATH = "" }: Environment): Check {
  const folders = PATH.split(delimiter).filter((folder) => folder !== "");
  const [first, ...behind] = folders.flatMap((folder) => Bun.which(AGENT, { PATH: folder }) ?? []);
  if (first === undefined || !isShim(first)) return pass("agent-shim", "none installed");
  const own = realpathSync(first);
  const real = behind.find((path) => realpathSync(path) !== own && !isShim(path));
  if (real !== undefined) return pass("agent-shim", `${first} stands in front of ${real}`);
  return warn("agent-shim", `${first} stands in front of no ${AGENT}`, `install ${AGENT}, or remove the script`);
}

function isShim(path: string): boolean {
  const text = beginning(path);
  return text.startsWith("#!") && /\bphux\b/.test(text);
}

function beginning(path: string): string {
  try {
    const bytes = Buffer.alloc(SCRIPT_BYTES);
    const file = openSync(path, "r");
    try {
      return bytes.toString("latin1", 0, readSync(file, bytes));
    } finally {
      closeSync(file);
    }
  } catch {
    return "";
  }
}
