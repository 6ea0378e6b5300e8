#!/usr/bin/env node
// The program of the npm package. It is written for Bun; elsewhere it says so, and what to do.
if (typeof globalThis.Bun === "undefined") {
  process.stderr.write(
    "phux-mcp runs on Bun: start it with `bunx --bun phux-mcp`, or put a release binary beside phux (scripts/install.sh)\n",
  );
  process.exitCode = 1;
} else {
  await import("../src/main.ts");
}
