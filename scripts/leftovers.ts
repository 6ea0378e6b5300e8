import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** What a run of tests left behind: processes that know its folder, and files in it. One line each. */
export function leftovers(folder: string): string[] {
  const files = readdirSync(folder).map((name) => `file ${folder}/${name}`);
  return [...files, ...processesOf(folder)];
}

/** Everything that a test starts has the run's folder in its environment, its arguments or its working directory. */
function processesOf(folder: string): string[] {
  const found: string[] = [];
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)) {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
      const knows = [command, readFileSync(`/proc/${pid}/environ`, "utf8"), readlinkSync(`/proc/${pid}/cwd`)];
      if (command !== "" && knows.some((text) => text.includes(folder)))
        found.push(`process ${pid}: ${command.slice(0, 120)}`);
    } catch {
      // It ended while we looked, or belongs to somebody else.
    }
  }
  return found;
}
