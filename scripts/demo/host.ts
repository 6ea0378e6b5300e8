/** A host for the demo: tool calls through the SDK's client, told to a person as they happen. */
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";

type Arguments = Readonly<Record<string, unknown>>;
export type Document = Readonly<Record<string, unknown>>;

export function say(text: string): void {
  console.log(text);
}

/** One tool call as a host makes it; a failed one ends the demo. */
export async function call(client: Client, name: string, given: Arguments = {}): Promise<Document> {
  say(`\n→ ${name} ${JSON.stringify(given)}`);
  const result = await client.callTool({ name, arguments: { ...given } });
  const [block] = Array.isArray(result.content) ? result.content : [];
  const text: unknown = block?.text;
  if (typeof text !== "string" || result.isError) throw new Error(`${name} failed: ${JSON.stringify(result)}`);
  const document: Document = JSON.parse(text);
  say(`← ${shortened(document)}`);
  return document;
}

function shortened(document: Document): string {
  const line = JSON.stringify(document);
  return line.length <= 300 ? line : `${line.slice(0, 300)}… (${line.length} characters)`;
}

export function expect(holds: boolean, what: string): void {
  if (!holds) throw new Error(`it did not: ${what}`);
  say(`  ✓ ${what}`);
}
