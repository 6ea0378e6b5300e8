/** A held action through the compiled binary: it lives as long as the adapter (tools.md 10.4). */
import { expect, setDefaultTimeout, test } from "bun:test";
import { until } from "../lab/until.ts";
import { Agent } from "./agent.ts";

setDefaultTimeout(30_000);

test("the end of the adapter withdraws what the server still holds", async () => {
  await using agent = await Agent.start({ session: "main", hold: ["KILL_RESOURCE"] });
  const { server } = agent.lab;
  const holds = () => server.metadata.keys({ tag: "global" }).filter((key) => key.startsWith("phux.approval/v1/"));
  const answer = await agent.call("phux_kill", { target: "@1", confirm: true });
  expect(answer).toMatchObject({ status: "pending", tool: "phux_kill" });
  expect(holds()).toHaveLength(1);
  await agent.client.close();
  await until("the hold is withdrawn", () => holds().length === 0 && server.connections.size === 0);
  expect(server.panes.has(1)).toBe(true);
});
