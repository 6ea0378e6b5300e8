/** What the npm package exports: the server in another program's hands, under Bun. */
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { Session } from "./mcp/session.ts";
import { complain } from "./mcp/stderr.ts";
import { adapterSession } from "./modes/adapter-session.ts";
import { selectionFor } from "./modes/wish.ts";

export interface ServerOptions {
  /** Names of tools and sets with commas between them, as `--tools`; all without. */
  readonly tools?: string;
  /** Only tools that change nothing. */
  readonly readOnly?: boolean;
  /** Gets a line about every mistake of ours; stderr without. */
  readonly report?: (line: string) => void;
}

/** The tools of phux for one host. */
export interface Server {
  /** Serves on any transport of the SDK, until that is closed. Once. */
  connect(transport: Transport): Promise<void>;
  /** Aborts every call and ends what it started, within 40 ms. */
  close(): Promise<void>;
}

/**
 * The server of `phux-mcp` without its process: no signal is caught and nothing is printed. Environment variables count as
 * they do there. Throws when `tools` or a variable cannot be understood: a slip must not offer everything.
 */
export function createServer({ tools, readOnly = false, report = complain }: ServerOptions = {}): Server {
  const selection = selectionFor({ readOnly, tools: tools ?? null }, process.env);
  if (!selection.ok) throw new RangeError(selection.error);
  let session: Session | null = null;
  return {
    async connect(transport) {
      if (session !== null) throw new Error("a server serves one transport: make another for another");
      session = adapterSession(transport, selection.value, report);
      await session.start();
    },
    async close() {
      await session?.close();
    },
  };
}
