import type { Connection } from "../../../src/phux/connection.ts";
import type { Deadline } from "../../../src/phux/deadline.ts";
import { refuse } from "../../../src/phux/errors.ts";
import { keyInput, pasteInput } from "../../../src/phux/key-event.ts";
import { type Reconnect, ScreenReader } from "../../../src/phux/screen-read.ts";
import { formatResource } from "../../../src/phux/selector.ts";
import { ErrorCode } from "../../../src/wire/error-code.ts";
import type { InputEvent, ResourceId } from "../../../src/wire/frame.ts";
import { PhysicalKey } from "../../../src/wire/physical-key.ts";
import { fail, ok, type Result } from "../../../src/wire/result.ts";
import { type Finished, Markers } from "./markers.ts";
import type { CliRefusal } from "./refusal.ts";

/** Milliseconds between two looks: soon at first, since most commands are short, then as 0.22 looks. */
const FIRST_LOOK_MS = 5;
const SLOWEST_LOOK_MS = 150;
const LOOK_LIMIT_MS = 30_000;

/** One command, typed at a pane's prompt between two marks, and what the screen shows of it. */
export class ShellRun {
  readonly #connection: Connection;
  readonly #pane: ResourceId;
  readonly #screens: ScreenReader;

  constructor(connection: Connection, pane: ResourceId, reconnect: Reconnect) {
    this.#connection = connection;
    this.#pane = pane;
    this.#screens = new ScreenReader(connection, reconnect);
  }

  /** Types the command and waits for its end. Null at the deadline: it is left running, and the pane as usable as before. */
  async run(command: string, deadline: Deadline): Promise<Result<Finished | null, CliRefusal>> {
    const markers = new Markers(process.pid, nanoseconds());
    const line = pasteInput(new TextEncoder().encode(markers.around(command)), true);
    for (const event of [line, keyInput(PhysicalKey.Enter)]) {
      const refused = await this.#type(event);
      if (refused !== null) return fail(refused);
    }
    for (let pause = FIRST_LOOK_MS; ; pause = Math.min(2 * pause, SLOWEST_LOOK_MS)) {
      const limit = Math.min(deadline.left(), LOOK_LIMIT_MS);
      const screen = await this.#screens.read({ pane: this.#pane }, limit);
      if (screen.ok) {
        const finished = markers.find(screen.value);
        if (finished !== null) return ok(finished);
      }
      if (deadline.hasPassed()) return ok(null);
      if (!screen.ok) return fail(this.#lost(screen.error.wireCode) ?? screen.error.refusal);
      await deadline.pause(pause);
    }
  }

  async #type(event: InputEvent): Promise<CliRefusal | null> {
    const what = `typing into ${formatResource(this.#pane)}`;
    const answer = await this.#connection.command({ tag: "ROUTE_INPUT", terminal_id: this.#pane, event }, what);
    return answer.ok ? null : answer.error.refusal;
  }

  #lost(wireCode: number | null): CliRefusal | null {
    if (wireCode !== ErrorCode.TERMINAL_NOT_FOUND) return null;
    return refuse("no_such_target", `${formatResource(this.#pane)} ended while the command ran: its exit code is lost`);
  }
}

/** Nanoseconds since 1970. */
function nanoseconds(): bigint {
  return BigInt(Math.round((performance.timeOrigin + performance.now()) * 1_000)) * 1_000n;
}
