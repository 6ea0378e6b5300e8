import { renameSync, rmSync, statSync } from "node:fs";
import { connect } from "node:net";
import { sentence } from "../../../src/phux/errors.ts";
import { fail, ok } from "../../../src/wire/result.ts";
import type { ReleaseName } from "../release.ts";
import { type Lab, startLab } from "../server.ts";
import type { Answer } from "./verb.ts";

/** The lab's server in this process, until somebody stops it. A closing terminal does not. */
export async function serveInForeground(socket: string, session: string, version: ReleaseName): Promise<Answer> {
  if (await isServed(socket)) return fail(sentence(`somebody listens at ${socket} already`));
  const started = await startLab({ socket, session, version }).catch((error: unknown) => error);
  if (!isLab(started)) return fail(sentence(`the server cannot listen at ${socket}: ${String(started)}`));
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => void started.stop());
  process.on("SIGHUP", () => {});
  process.stdout.write(`listening at ${socket}\n`);
  await started.server.stopped;
  return ok({});
}

function isLab(value: unknown): value is Lab {
  return typeof value === "object" && value !== null && "server" in value;
}

/**
 * Whether a server listens at a path. The socket of one that was killed stands in the way of the next and is removed:
 * it is moved aside before the last look, so that one who comes to life at the same moment is not thrown away.
 */
async function isServed(socket: string): Promise<boolean> {
  if (!statSync(socket, { throwIfNoEntry: false })?.isSocket()) return false;
  if (await accepts(socket)) return true;
  const aside = `${socket}.${process.pid}`;
  try {
    renameSync(socket, aside);
  } catch {
    return accepts(socket);
  }
  if (await accepts(aside)) {
    renameSync(aside, socket);
    return true;
  }
  rmSync(aside, { force: true });
  return false;
}

function accepts(path: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(path, () => resolve(true));
  socket.once("error", () => resolve(false));
  return promise.finally(() => socket.destroy());
}
