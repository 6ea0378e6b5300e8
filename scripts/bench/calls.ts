import { keysToEvents } from "../../src/phux/keys.ts";
import type { AnyFrame, ResourceId } from "../../src/wire/frame.ts";
import { Asked } from "./process.ts";
import type { Programs } from "./programs.ts";
import { RawClient } from "./raw.ts";
import { paired, timed } from "./sample.ts";
import type { Row } from "./table.ts";

const CALLS = 400;
const pane: ResourceId = { tag: "local", id: 1 };

const getState: AnyFrame = { name: "COMMAND", value: { request_id: 1, command: { tag: "GET_STATE", scope: 0 } } };
const getScreen: AnyFrame = {
  name: "COMMAND",
  value: {
    request_id: 2,
    command: { tag: "GET_SCREEN", terminal_id: pane, request_scrollback: null, cells: false, format: 0 },
  },
};
const [up] = keysToEvents(["Up"]);
if (up === undefined) throw new Error("Up is no key event");
const routeInput: AnyFrame = {
  name: "COMMAND",
  value: { request_id: 3, command: { tag: "ROUTE_INPUT", terminal_id: pane, event: up } },
};

/** One call after another through stdio, against the frames it needs sent from this process, each on a connection of its own. */
export async function callRows(programs: Programs, socket: string): Promise<Row[]> {
  const environment = { ...process.env, PHUX_SOCKET: socket };
  const adapter = new Asked([programs.adapter], environment);
  const bare = {
    list: new Asked([programs.bareClient], environment),
    screen: new Asked([programs.bareClient, "screen"], environment),
  };
  await adapter.ask("initialize");
  const raw = (...frames: AnyFrame[]) => {
    return async () => {
      const client = new RawClient(socket);
      const took = await timed(async () => {
        await client.hello();
        for (const frame of frames) await client.ask(frame);
      });
      client.end();
      return took;
    };
  };
  const tool = (name: string, given: object = {}) => {
    return () => timed(() => adapter.tool(name, given));
  };
  const list = tool("phux_ls");
  const screen = tool("phux_snapshot", { target: "@1" });
  const keys = tool("phux_send_keys", { target: "@1", keys: ["Up"] });
  const same = "against a bare Bun program of the same frames";
  const asked = (program: Asked) => () => timed(() => program.ask("tools/call"));
  const rows: Row[] = [
    { figure: "phux_ls", unit: "ms", atMost: 1.5, ...(await paired(CALLS, list, raw(getState))) },
    { figure: `phux_ls, ${same}`, unit: "ms", ...(await paired(CALLS, list, asked(bare.list))) },
    { figure: "phux_snapshot", unit: "ms", atMost: 1.5, ...(await paired(CALLS, screen, raw(getState, getScreen))) },
    { figure: `phux_snapshot, ${same}`, unit: "ms", ...(await paired(CALLS, screen, asked(bare.screen))) },
    { figure: "phux_send_keys", unit: "ms", atMost: 1.5, ...(await paired(CALLS, keys, raw(getState, routeInput))) },
  ];
  await adapter.end();
  await bare.list.end();
  await bare.screen.end();
  return rows;
}
