import { parseArgs } from "node:util";
import type { LabOptions } from "./options.ts";
import { isReleaseName } from "./release.ts";
import { startLab } from "./server.ts";

const usage = `usage: bun test/lab/server-main.ts --socket PATH [--version 0.8|0.9|1.0] [--session NAME] [--options JSON]

--options takes any other member of LabOptions, for example {"without":["approvals"],"faults":{"slowMs":50}}.
`;

/**
 * The lab as a process of its own. Prints one line when it listens; ends on SIGTERM, SIGINT, SHUTDOWN or with its last
 * pane (once a client has attached). A closing terminal does not end it.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      socket: { type: "string" },
      version: { type: "string", default: "1.0" },
      session: { type: "string" },
      options: { type: "string", default: "{}" },
    },
  });
  const { socket, version, session } = values;
  if (socket === undefined || !isReleaseName(version)) {
    process.stderr.write(usage);
    process.exit(2);
  }
  // What a developer typed for a development tool: a wrong member is his to find.
  const more = JSON.parse(values.options) as Partial<LabOptions>;
  const lab = await startLab({ ...more, socket, version, ...(session === undefined ? {} : { session }) });
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => void lab.stop());
  process.on("SIGHUP", () => {});
  process.stdout.write(`listening on ${socket}\n`);
  await lab.server.stopped;
  process.exit(0);
}

await main();
