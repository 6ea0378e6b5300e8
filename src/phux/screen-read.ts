import { GetScreenFormat, UNWRAP_BIT } from "../wire/enums.ts";
import type { ResourceId } from "../wire/frame.ts";
import { fail, ok, type Result } from "../wire/result.ts";
import type { Connection } from "./connection.ts";
import type { Refusal } from "./errors.ts";
import { hasGone, type RequestFailure, refusedHere, refuseLost } from "./request-failure.ts";
import { parseScreen, type ScreenState } from "./screen.ts";
import { formatResource } from "./selector.ts";

export interface ScreenRequest {
  readonly pane: ResourceId;
  /** History rows before the viewport: none when absent, all retained for 0, the newest n for n. */
  readonly scrollback?: number;
  readonly cells?: boolean;
  readonly format?: "html" | "vt";
  /** Joins soft-wrapped rows in a rendering; without a format the client joins them itself. */
  readonly unwrap?: boolean;
}

/** How to get another connection to the same server, within so many milliseconds. */
export type Reconnect = (ms: number) => Promise<Result<Connection, Refusal>>;

/** How to find the pane again on a server that is another process: its ids may name other panes. */
export type FindAgain = (connection: Connection) => Promise<Result<ResourceId, Refusal>>;

/**
 * Reads screens on one connection. The read has no side effect, so when the connection is lost it is made once more on
 * a new one, which later reads then use (client.md 4.2 and 7.2). Where that leads to another server process, the pane is
 * looked for again by `findAgain`; without it, its id is taken to be good.
 */
export class ScreenReader {
  #connection: Connection;
  readonly #reconnect: Reconnect;
  readonly #findAgain: FindAgain | null;
  /** The pane as the present server counts it, once it has been found again. */
  #found: ResourceId | null = null;

  constructor(connection: Connection, reconnect: Reconnect, findAgain: FindAgain | null = null) {
    this.#connection = connection;
    this.#reconnect = reconnect;
    this.#findAgain = findAgain;
  }

  /** One screen within `ms` milliseconds, both tries together; without them within those that every request has. */
  async read(request: ScreenRequest, ms?: number): Promise<Result<ScreenState, RequestFailure>> {
    const until = performance.now() + (ms ?? Number.POSITIVE_INFINITY);
    const first = await readScreen(this.#connection, this.#here(request), ms);
    // A server that threw us out, or sent what we cannot read, would do it again.
    if (first.ok || !hasGone(first.error)) return first;
    const again = await this.#reconnect(until - performance.now());
    if (!again.ok) return first;
    const isOther = again.value.server.id !== this.#connection.server.id;
    this.#connection = again.value;
    if (isOther && this.#findAgain !== null) {
      const found = await this.#findAgain(again.value);
      if (!found.ok) return fail(refusedHere(found.error));
      this.#found = found.value;
    }
    const left = ms === undefined ? ms : Math.max(0, until - performance.now());
    return readScreen(again.value, this.#here(request), left);
  }

  #here(request: ScreenRequest): ScreenRequest {
    return this.#found === null ? request : { ...request, pane: this.#found };
  }
}

/** One GET_SCREEN (wire.md section 11). `ms` bounds it. */
async function readScreen(
  connection: Connection,
  request: ScreenRequest,
  ms?: number,
): Promise<Result<ScreenState, RequestFailure>> {
  const what = `reading the screen of ${formatResource(request.pane)}`;
  const format = request.format === undefined ? GetScreenFormat.none : GetScreenFormat[request.format];
  const joined = request.unwrap === true && format !== GetScreenFormat.none ? UNWRAP_BIT : 0;
  const json = await connection.json(
    {
      tag: "GET_SCREEN",
      terminal_id: request.pane,
      request_scrollback: request.scrollback ?? null,
      cells: request.cells === true,
      // 0.8 knows no format byte; its own client does not write one (wire.md 11.1).
      ...(connection.dialect.screen_format && { format: format | joined }),
    },
    what,
    ms,
  );
  if (!json.ok) return json;
  const screen = parseScreen(json.value);
  if (screen.ok) return ok(screen.value);
  const refusal = refuseLost("transport", `the answer to ${what} is no screen: ${screen.error.message}`, "none");
  return fail(refusedHere(refusal));
}
