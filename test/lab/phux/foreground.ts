import { mkdirSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { dirname } from "node:path";
import { sentence } from "../../../src/phux/errors.ts";
import { fail, ok } from "../../../src/wire/result.ts";
import type { ReleaseName } from "../release.ts";
import { type Lab, startLab } from "../server.ts";
import { detectionIsOn } from "./agents-config.ts";
import { whileAlone } from "./lock.ts";
import type { Answer } from "./verb.ts";

/** The lab's server in this process, until somebody stops it. A closing terminal does not. */
export async function serveInForeground(socket: string, session: string, version: ReleaseName): Promise<Answer> {
  const started = await start(socket, session, version).catch((error: unknown) => String(error));
  if (typeof started === "string") return fail(sentence(`no server can be started at ${socket}: ${started}`));
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => void started.stop());
  process.on("SIGHUP", () => {});
  process.stdout.write(`listening at ${socket}\n`);
  await started.server.stopped;
  return ok({});
}

/** A lab at the socket, or why there is none. */
async function start(socket: string, session: string, version: ReleaseName): Promise<Lab | string> {
  mkdirSync(dirname(socket), { recursive: true, mode: 0o700 });
  // Between its bind and its listen another's socket looks like one that was left behind.
  return whileAlone(`${socket}.lock`, async () => {
    if (await accepts(socket)) return "another one listens there";
    rmSync(socket, { force: true });
    const detection = await detectionIsOn(process.env);
    return startLab({ socket, session, version, detection: !detection.ok || detection.value });
  });
}

function accepts(path: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(path, () => resolve(true));
  socket.once("error", () => resolve(false));
  return promise.finally(() => socket.destroy());
}
