import { Deadline } from "../../../src/phux/deadline.ts";
import { sentence } from "../../../src/phux/errors.ts";
import { fail, ok } from "../../../src/wire/result.ts";
import type { Call } from "./call.ts";
import type { Answer } from "./verb.ts";

const STOP_MS = 5_000;
const POLL_MS = 20;

/** Ends the server with everything in it, and waits until nobody listens any more. No server is as good. */
export async function stopServer(call: Call, argument: string | undefined): Promise<Answer> {
  const socket = call.socket(argument);
  if (!socket.ok) return socket;
  const connection = await call.dial(socket.value);
  if (!connection.ok) {
    return connection.error.code === "no_server" ? ok({ aside: `phux: ${connection.error.message}\n` }) : connection;
  }
  const answer = await connection.value.command({ tag: "SHUTDOWN" }, "stopping the server");
  if (!answer.ok && answer.error.ending === null) return fail(answer.error.refusal);
  connection.value.close();
  const deadline = new Deadline(STOP_MS, call.signal);
  while (!deadline.hasPassed()) {
    const again = await call.dial(socket.value);
    if (!again.ok && again.error.code === "no_server") return ok({ aside: "phux: the server has stopped\n" });
    if (again.ok) again.value.close();
    await deadline.pause(POLL_MS);
  }
  return fail(sentence(`the server took the request to stop, but still listens after ${STOP_MS / 1000} s`));
}
