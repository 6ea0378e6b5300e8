/** A session whose transport is in the test's hands. */
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { type Line, wholeLine } from "../../src/mcp/line.ts";
import { Session } from "../../src/mcp/session.ts";
import { catalogOf, type Tool } from "./catalog.ts";

/** `hear` is what a host sends, `lines` what it gets. */
export class Wire implements Transport {
  onmessage?: Transport["onmessage"];
  onclose?: Transport["onclose"];
  onerror?: Transport["onerror"];
  readonly lines: string[] = [];
  congested = false;

  async start(): Promise<void> {}
  async send(): Promise<void> {
    throw new Error("lines go by sendLine");
  }
  async close(): Promise<void> {
    this.onclose?.();
  }
  sendLine(line: Line): void {
    this.lines.push(wholeLine(line));
  }

  hear(message: unknown): void {
    // What a host sends has no type.
    this.onmessage?.(message as Parameters<NonNullable<Transport["onmessage"]>>[0]);
  }
  call(id: unknown, name: string, args: object = {}, progressToken?: unknown): void {
    this.hear({ id, method: "tools/call", params: { name, arguments: args, _meta: { progressToken } } });
  }
  cancel(requestId: unknown): void {
    this.hear({ method: "notifications/cancelled", params: { requestId } });
  }
  get messages(): unknown[] {
    return this.lines.map((line) => JSON.parse(line));
  }
}

export async function serve(tools: Readonly<Record<string, Tool>>) {
  const wire = new Wire();
  const reports: string[] = [];
  const session = new Session(wire, {
    name: "test",
    version: "1",
    instructions: "",
    catalog: catalogOf(tools),
    report: (line) => reports.push(line),
  });
  await session.start();
  return { wire, session, reports };
}
