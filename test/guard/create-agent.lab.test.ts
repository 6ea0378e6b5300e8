// An agent in a new terminal: phux itself starts it, from an integration that it knows.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { terminalTools } from "../../src/guard/tools/terminal-tools.ts";
import { openAgentRoom } from "../lab/phux/agent-room.ts";
import type { Workbench } from "../lab/phux/workbench.ts";
import { GuardBench } from "./guard-call.ts";

let phux: Workbench;
let bench: GuardBench;
beforeAll(async () => {
  phux = await openAgentRoom();
  const environment = {
    PATH: [phux.bin, process.env["PATH"]].join(":"),
    HOME: phux.folder,
    PHUX_SOCKET: "/nowhere/else.sock",
  };
  bench = new GuardBench(terminalTools, phux.lab.socket, { environment, self: join(phux.bin, "phux-mcp") });
});
afterAll(() => phux.close());

test("an integration is started where the terminal was made, and seen to be ready", async () => {
  const made = await bench.document("create_terminal", { agent: "lab", working_directory: phux.folder });
  expect(made).toMatchObject({ terminal: "@2", agent: { name: "lab-2", kind: "lab", state: "idle" } });
  const { terminals } = await bench.document("list_terminals");
  expect(terminals).toMatchObject([{}, { id: "@2", agent: { name: "lab-2", kind: "lab" } }]);
  expect(bench.progress).toEqual(["waiting for lab to be ready in @2"]);
  expect(bench.requests).toEqual([]);
});

test.each([["nobody"], ["--kind"], ["sh -c 'touch /tmp/x'"]])(
  "%j is no integration, and opens nothing",
  async (agent) => {
    const before = phux.lab.server.panes.size;
    expect((await bench.refusal("create_terminal", { agent })).message).toContain("it has");
    expect(phux.lab.server.panes.size).toBe(before);
  },
);
