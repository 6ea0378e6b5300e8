/** The table of design.md section 4 a second time, written from the contract alone: what a line has to be answered with. */

/** A reply: its id, and `result`, `refused` for a result that is an error, or the code of an error. */
export interface Reply {
  readonly id: unknown;
  readonly is: "result" | "refused" | number;
}

/** The tool whose calls last until they are cancelled; every other one answers at once, with an error. */
export const SLOW = "phux_wait";

const LARGEST = 2 ** 53 - 1;
const IMMEDIATE: ReadonlySet<string> = new Set(["initialize", "ping", "tools/list"]);

export class Oracle {
  readonly #inFlight = new Set<string>();

  /** Ids of calls that run, as JSON. */
  get inFlight(): ReadonlySet<string> {
    return this.#inFlight;
  }

  /** The replies to all the lines of a stream; what follows the last newline is answered only when it is whole. */
  hears(stream: Uint8Array): Reply[] {
    const replies: Reply[] = [];
    let from = 0;
    for (let end = stream.indexOf(10); end !== -1; end = stream.indexOf(10, from)) {
      replies.push(...this.#line(stream.subarray(from, end)));
      from = end + 1;
    }
    const rest = stream.subarray(from);
    return parsed(rest) === undefined ? replies : [...replies, ...this.#line(rest)];
  }

  #line(bytes: Uint8Array): Reply[] {
    const value = parsed(bytes);
    if (value === undefined) return isBlank(bytes) ? [] : [{ id: null, is: -32700 }];
    if (typeof value !== "object" || value === null || Array.isArray(value)) return invalid();
    const message: Readonly<Record<string, unknown>> = { ...value };
    const { id, method } = message;
    if (typeof method === "string") {
      if (id === undefined) return this.#notification(method, message["params"]);
      return isUsable(id) ? [this.#request(id, method, message["params"])].flat() : invalid();
    }
    if (method === undefined && ("result" in message || "error" in message)) return [];
    return [{ id: isUsable(id) ? id : null, is: -32600 }];
  }

  #notification(method: string, params: unknown): Reply[] {
    const requestId = memberOf(params, "requestId");
    if (method === "notifications/cancelled" && isUsable(requestId)) this.#inFlight.delete(JSON.stringify(requestId));
    return [];
  }

  #request(id: string | number, method: string, params: unknown): Reply | Reply[] {
    if (this.#inFlight.has(JSON.stringify(id))) return invalid();
    if (IMMEDIATE.has(method)) return { id, is: "result" };
    if (method !== "tools/call") return { id, is: -32601 };
    const name = memberOf(params, "name");
    if (typeof name !== "string") return { id, is: -32602 };
    const given = memberOf(params, "arguments") ?? {};
    if (name !== SLOW || typeof given !== "object" || Array.isArray(given)) return { id, is: "refused" };
    this.#inFlight.add(JSON.stringify(id));
    return [];
  }
}

const invalid = (): Reply[] => [{ id: null, is: -32600 }];

/** Undefined for what is no JSON, a byte-order mark in front tolerated. */
function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

function isBlank(bytes: Uint8Array): boolean {
  const rest = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
  return rest.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}

function isUsable(id: unknown): id is string | number {
  return typeof id === "string" || (typeof id === "number" && Math.abs(id) <= LARGEST);
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  return Object.entries(value).find(([key]) => key === name)?.[1];
}
