import type { Connection } from "../../../src/phux/connection.ts";
import type { Deadline } from "../../../src/phux/deadline.ts";
import { Dialer } from "../../../src/phux/dial.ts";
import { type Place, thisPlace } from "../../../src/tools/place.ts";
import { ok, type Result } from "../../../src/wire/result.ts";
import type { CliRefusal } from "./refusal.ts";
import { phuxVersion } from "./version.ts";

/** One run of the program: where its server is, and what it has to remark besides its answer. */
export class Call {
  readonly remarks: string[] = [];
  /** Ends with the process: a person who presses Ctrl-C ends the whole of it. */
  readonly signal = new AbortController().signal;
  readonly #place: Place;
  readonly #dialer = new Dialer(`phux-lab/${phuxVersion}`);

  constructor() {
    this.#place = thisPlace((line) => this.remark(line));
  }

  /** The path of the socket, by the rules of tools.md section 8. */
  socket(argument: string | undefined): Result<string, CliRefusal> {
    const socket = this.#place.socket(argument);
    return socket.ok ? ok(socket.value.path) : socket;
  }

  /** A connection to the server of `argument`, whose requests end at the deadline when there is one. */
  async connect(argument: string | undefined, deadline?: Deadline): Promise<Result<Connection, CliRefusal>> {
    const socket = this.socket(argument);
    return socket.ok ? this.dial(socket.value, deadline) : socket;
  }

  dial(socket: string, deadline?: Deadline): ReturnType<Dialer["dial"]> {
    return this.#dialer.dial(socket, this.signal, deadline);
  }

  remark(message: string): void {
    this.remarks.push(`phux: ${message}\n`);
  }
}
