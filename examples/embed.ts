/** The tools of phux inside a program of yours: an SDK client in the same process, no child and no pipe. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { createServer } from "phux-mcp";

const [ours, theirs] = InMemoryTransport.createLinkedPair();
const server = createServer({ tools: "core" });
await server.connect(theirs);
const client = new Client({ name: "example", version: "1.0.0" });
await client.connect(ours);

const { tools } = await client.listTools();
console.log(`${tools.length} tools`);
const listed = await client.callTool({ name: "phux_ls", arguments: {} });
console.log(JSON.stringify(listed.content));

await client.close();
await server.close();
