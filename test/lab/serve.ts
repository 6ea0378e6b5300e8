import { Layers } from "../../src/wire/enums.ts";
import { ErrorCode } from "../../src/wire/error-code.ts";
import type { AnyFrame } from "../../src/wire/frame.ts";
import { movePane, resizePane } from "./arrange.ts";
import { attach, resizeAttached } from "./attach.ts";
import type { Call } from "./call.ts";
import { runCommand } from "./commands.ts";
import { listDirectory } from "./directory.ts";
import { hello } from "./hello.ts";
import { attachedInput } from "./input.ts";
import { serveMetadata } from "./metadata.ts";
import type { LabServer } from "./server.ts";
import { spawn } from "./spawn.ts";
import { subscribeEvents } from "./subscribe.ts";

/** One decoded frame of a client, in the phase its connection is in. */
export async function serve(server: LabServer, call: Call, frame: AnyFrame): Promise<void> {
  const { connection } = call;
  if (frame.name === "PING") return call.reply({ name: "PONG", value: frame.value });
  if (frame.name === "HELLO") return hello(server, call, frame.value);
  if (connection.phase === "new") {
    return connection.fatal("VERSION_INCOMPATIBLE", "HELLO required before any stateful frame");
  }
  switch (frame.name) {
    case "PONG":
      return;
    case "DETACH":
      return connection.end(0);
    case "COMMAND":
      return runCommand(server, call, frame.value.command);
    case "SPAWN_RESOURCE":
      return spawn(server, call, frame.value);
    case "MOVE_RESOURCE":
      return movePane(server, call, frame.value);
    case "RESIZE_TERMINAL":
      return resizePane(server, frame.value);
    case "SUBSCRIBE_EVENTS":
      return subscribeEvents(server, connection, frame.value);
    case "GET_METADATA":
    case "SET_METADATA":
    case "DELETE_METADATA":
    case "LIST_METADATA":
    case "SUBSCRIBE_METADATA":
      // Without the layer there is no answer of any kind (recorded 0.8).
      return connection.layers & Layers.L3 ? serveMetadata(server, call, frame) : undefined;
    case "ATTACH":
      return attach(server, connection, frame.value);
    case "INPUT_KEY":
    case "INPUT_PASTE":
    case "INPUT_MOUSE":
    case "INPUT_FOCUS":
    case "INPUT_TERMINAL_REPLY":
      return attachedInput(server, connection, frame);
    case "LIST_DIRECTORY":
      return listDirectory(server, call, frame.value);
    case "VIEWPORT_RESIZE":
      return resizeAttached(server, connection, frame.value.viewport);
    case "FRAME_ACK":
      return;
    case "HISTORY_REQUEST":
    case "PATH_QUERY":
    case "FRAME_COMPRESSED":
      return call.refuse({ code: ErrorCode.UNKNOWN_MESSAGE_TYPE, message: `this server has no ${frame.name}` });
  }
}
