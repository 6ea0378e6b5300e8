import { complain } from "./print.ts";

/** phux's server listens on a Unix socket, and a child's process group is how we end it: neither is there on Windows. */
export function refuseSystem(): void {
  complain("phux-mcp: Windows is not supported: run it where phux runs, on Linux, macOS or in WSL");
  process.exitCode = 1;
}
