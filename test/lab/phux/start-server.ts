import type { Connection } from "../../../src/phux/connection.ts";
import { Deadline } from "../../../src/phux/deadline.ts";
import { fail, type Result } from "../../../src/wire/result.ts";
import type { Call } from "./call.ts";
import { bunAlone } from "./install.ts";
import { type CliRefusal, refuseCli } from "./refusal.ts";

const START_MS = 10_000;
/** Another `new` may have started one at the same time: ours ends, and theirs is about to accept. */
const OTHERS_MS = 1_000;
const POLL_MS = 10;

/** `new` and `launch` are how a server comes to life when nobody has started one (tools.md 11; recorded 0.8 for `new`). */
export async function connectOrStart(
  call: Call,
  argument: string | undefined,
): Promise<Result<Connection, CliRefusal>> {
  const socket = call.socket(argument);
  if (!socket.ok) return socket;
  const connection = await call.dial(socket.value);
  if (connection.ok || connection.error.code !== "no_server") return connection;
  return startServer(call, socket.value);
}

/** Starts a server that outlives this process, and connects as soon as it accepts. */
async function startServer(call: Call, socket: string): Promise<Result<Connection, CliRefusal>> {
  const child = Bun.spawn([...bunAlone(process.execPath), Bun.main, "server", `--socket=${socket}`], {
    stdio: ["ignore", "ignore", "ignore"],
    // setsid: whoever ends our process group must not end the server (tools.md section 9).
    detached: true,
  });
  child.unref();
  const deadline = new Deadline(START_MS, call.signal);
  let endedAt: number | null = null;
  for (;;) {
    const connection = await call.dial(socket);
    if (connection.ok || connection.error.code !== "no_server") return connection;
    if (child.exitCode !== null || child.signalCode !== null) endedAt ??= deadline.now();
    if (endedAt !== null && deadline.now() - endedAt > OTHERS_MS) {
      return fail(refuseCli("server_start_failed", `no server could be started at ${socket}: it ended at once`));
    }
    if (deadline.hasPassed()) {
      const message = `the server that was started at ${socket} accepts nobody after ${START_MS / 1000} s`;
      return fail(refuseCli("server_start_timeout", message));
    }
    await deadline.pause(POLL_MS);
  }
}
