/**
 * Public reports about other servers for terminals, shells and processes, replayed against the compiled binary: what
 * went wrong there, in our words, and what happens here.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { Agent } from "../e2e/agent.ts";
import { binary } from "../e2e/binary.ts";
import { PhuxScript } from "../e2e/phux-script.ts";
import { RawHost } from "../e2e/raw-host.ts";
import { Room } from "./m-room.ts";
import { catalogReports } from "./r-catalog.ts";
import { childReports } from "./r-child.ts";
import { protocolReports } from "./r-protocol.ts";
import { rows } from "./r-report.ts";
import { type Shells, shellReports } from "./r-shell.ts";

setDefaultTimeout(60_000);

test("every kind of trouble has its reports, none told twice", () => {
  const all = [...protocolReports, ...childReports, ...shellReports, ...catalogReports].map(({ of }) => of);
  expect(new Set(all).size).toBe(all.length);
  expect(all.length).toBeGreaterThan(24);
  for (const report of all) expect(report).toMatch(/^[\w.-]+\/[\w.-]+#\d+$/);
});

describe("processes, lines, messages", () => {
  let room: Room;
  beforeAll(async () => {
    room = await Room.open();
  });
  afterAll(() => room[Symbol.asyncDispose]());

  test.each(rows(protocolReports))("%s", async (_, report) => {
    using hosts = new DisposableStack();
    await report.run({ room, start: (special = {}) => hosts.use(room.start(special)) });
  });
});

describe("children", () => {
  test.each(rows(childReports))("%s", async (_, report) => {
    const phux = new PhuxScript();
    using hosts = new DisposableStack();
    hosts.defer(() => phux.remove());
    const env = { PATH: `${phux.folder}:/usr/bin:/bin`, HOME: phux.folder, LANG: "C.UTF-8" };
    await report.run({
      phux,
      start: (more = {}) => hosts.use(new RawHost({ bin: binary, env: { ...env, ...more } })),
    });
  });
});

describe("panes", () => {
  const PROMPT = "ready>";
  let agent: Agent;
  let pane = "";
  beforeAll(async () => {
    agent = await Agent.start();
    const shell = ["/usr/bin/env", `PS1=${PROMPT} `, "/bin/bash", "--norc", "--noprofile", "-i"];
    pane = await agent.session("reports", shell, PROMPT);
  });
  beforeEach(async () => {
    await agent.call("phux_run", { target: pane, command: "clear", timeout_secs: 20 });
  });
  afterAll(() => agent[Symbol.asyncDispose]());

  const program: Shells["program"] = async (script, seen) => {
    const { terminal_id } = await agent.call("phux_spawn", { command: ["/bin/sh", "-c", script] });
    await agent.seesRow(`@${terminal_id}`, seen);
    return `@${terminal_id}`;
  };
  test.each(rows(shellReports))("%s", (_, report) => report.run({ agent, pane, program }));
});

describe("the catalogue", () => {
  let text = "";
  beforeAll(async () => {
    using host = new RawHost({ bin: binary });
    await host.request("tools/list");
    text = host.lines[0]?.text ?? "";
  });

  // Read anew for each: a matcher of this runner can change what it looks at.
  test.each(rows(catalogReports))("%s", (_, report) => report.run({ text, tools: JSON.parse(text).result.tools }));
});
