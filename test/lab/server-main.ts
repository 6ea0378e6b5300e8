import { parseArgs } from "node:util";
import { isReleaseName } from "./release.ts";
import { startLab } from "./server.ts";

/**
 * The lab as a process of its own: `bun test/lab/server-main.ts --socket PATH [--version 0.8|0.9|1.0] [--session NAME]`.
 * Prints one line when it listens, and ends on SIGTERM, SIGINT, SHUTDOWN or the end of its last pane.
 */
const { values } = parseArgs({
  options: {
    socket: { type: "string" },
    version: { type: "string", default: "1.0" },
    session: { type: "string" },
  },
});

const { socket, version, session } = values;
if (socket === undefined || !isReleaseName(version)) {
  console.error("usage: server-main.ts --socket PATH [--version 0.8|0.9|1.0] [--session NAME]");
  process.exit(2);
}

const lab = await startLab({ socket, version, ...(session === undefined ? {} : { session }) });
for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => void lab.stop());
// The terminal that started it may close: the server lives on, as one that called setsid does.
process.on("SIGHUP", () => {});
console.log(`listening on ${socket}`);
await lab.server.stopped;
process.exit(0);
