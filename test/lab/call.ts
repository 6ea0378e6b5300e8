import type { CommandResult } from "../../src/wire/command.ts";
import type { AnyFrame } from "../../src/wire/frame.ts";
import type { Connection } from "./connection.ts";

/** One request of one client on its way to an answer. The faults of replying are here. */
export class Call {
  readonly connection: Connection;
  /** The frame's name, or for a COMMAND its command's: what a fault is addressed by. */
  readonly name: string;
  readonly requestId: number;
  readonly #isCommand: boolean;

  constructor(connection: Connection, frame: AnyFrame) {
    this.connection = connection;
    this.#isCommand = frame.name === "COMMAND";
    this.name = frame.name === "COMMAND" ? frame.value.command.tag : frame.name;
    this.requestId = ("request_id" in frame.value ? frame.value.request_id : 0) ?? 0;
  }

  async reply(frame: AnyFrame): Promise<void> {
    const { connection } = this;
    const { faults } = connection.server;
    const late = faults.lateMs[this.name] ?? 0;
    if (late > 0) await Bun.sleep(late);
    if (faults.dropBeforeReply.includes(this.name) || this.#isToBeDropped()) return connection.drop();
    if (faults.eventBeforeReply) connection.event(connection.server.someEvent());
    if (faults.cutReply.includes(this.name)) {
      const whole = connection.encoded(frame);
      connection.write(whole.subarray(0, Math.ceil(whole.length / 2)));
      return connection.drop();
    }
    connection.send(frame);
  }

  #isToBeDropped(): boolean {
    const { dropReplies } = this.connection.server.faults;
    const left = dropReplies[this.name] ?? 0;
    if (left > 0) dropReplies[this.name] = left - 1;
    return left > 0;
  }

  result(result: CommandResult): Promise<void> {
    if (result.tag === "error" && this.connection.server.faults.errorFrames) return this.refuse(result);
    return this.reply({ name: "COMMAND_RESULT", value: { request_id: this.requestId, result } });
  }

  /** An ERROR frame that answers this request; for a COMMAND the refusal may also be its result. */
  refuse({ code, message }: { readonly code: number; readonly message: string }): Promise<void> {
    if (this.#isCommand && !this.connection.server.faults.errorFrames) {
      return this.result({ tag: "error", code, message });
    }
    return this.reply({ name: "ERROR", value: { request_id: this.requestId, code, message } });
  }
}
