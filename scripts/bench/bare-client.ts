/**
 * What a round trip costs in this runtime before any code of ours: one line in, connect, HELLO and two requests as
 * ready-made bytes, one line out. No adapter in Bun can be faster. The requests are those of phux_ls, or with `screen` as
 * the argument those of phux_snapshot.
 */
import { headlessCapabilities } from "../../src/wire/capability.ts";
import { type AnyFrame, encodeFrame } from "../../src/wire/frame.ts";

const hello = encodeFrame({
  name: "HELLO",
  value: {
    client_name: "bench",
    protocol_major: 1,
    protocol_minor: 0,
    protocol_patch: 0,
    client_caps: headlessCapabilities,
  },
});
const getState: AnyFrame = { name: "COMMAND", value: { request_id: 1, command: { tag: "GET_STATE", scope: 0 } } };
const getLayout: AnyFrame = {
  name: "GET_METADATA",
  value: { request_id: 2, scope: { tag: "global" }, key: "phux.tui.layout/v1/1" },
};
const getScreen: AnyFrame = {
  name: "COMMAND",
  value: {
    request_id: 2,
    command: {
      tag: "GET_SCREEN",
      terminal_id: { tag: "local", id: 1 },
      request_scrollback: null,
      cells: false,
      format: 0,
    },
  },
};
const encoded = [getState, process.argv[2] === "screen" ? getScreen : getLayout].map(encodeFrame);
const out = Bun.stdout.writer();

function answer(id: number): void {
  const waiting = [...encoded];
  void Bun.connect({
    unix: process.env["PHUX_SOCKET"] ?? "",
    socket: {
      open: (socket) => void socket.write(hello),
      data(socket, chunk) {
        const next = waiting.shift();
        if (next !== undefined) {
          socket.write(next);
          return;
        }
        socket.terminate();
        out.write(`{"jsonrpc":"2.0","id":${id},"result":${chunk.length}}\n`);
        out.flush();
      },
    },
  });
}

for await (const chunk of Bun.stdin.stream()) {
  for (const text of new TextDecoder().decode(chunk).split("\n")) {
    if (text !== "") answer(JSON.parse(text).id);
  }
}
