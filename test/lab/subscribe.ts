import { ErrorCode } from "../../src/wire/error-code.ts";
import type { FrameValue } from "../../src/wire/frame.ts";
import { noRoute } from "./answer.ts";
import type { Connection } from "./connection.ts";
import type { LabServer } from "./server.ts";

/** SUBSCRIBE_EVENTS: no reply; an unknown local pane is silence, a satellite without a route a notice (wire.md 19.1). */
export function subscribeEvents(
  server: LabServer,
  connection: Connection,
  { terminal, after_seq }: FrameValue<"SUBSCRIBE_EVENTS">,
): void {
  if (terminal?.tag === "satellite" && !server.fleet.reaches(terminal.host)) {
    const code = ErrorCode.UNSUPPORTED_SATELLITE_ROUTE;
    connection.send({ name: "ERROR", value: { code, message: noRoute(terminal.host) } });
    return;
  }
  server.hub.subscribe(connection, terminal ?? null, after_seq);
}
