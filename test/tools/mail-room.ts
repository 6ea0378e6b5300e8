// A lab whose clock stands still until a test puts it forward, and the words in which mail is tested.
import { agentSet } from "../../src/tools/agent-record.ts";
import { mailAck, mailRead, mailSend } from "../../src/tools/mail.ts";
import type { LabOptions } from "../lab/options.ts";
import { membersOf } from "./lab-bench.ts";
import { LabRoom } from "./lab-room.ts";

type Members = Readonly<Record<string, unknown>>;

export const tools = [mailSend, mailRead, mailAck, agentSet];
export const KEY = "00112233445566778899AABBccddeeff";
/** The id of no message. */
export const NOWHERE = "f".repeat(32);
export const START = 1_790_000_000_000;

export class MailRoom {
  readonly room: LabRoom;
  readonly clock: { now: number };

  private constructor(room: LabRoom, clock: { now: number }) {
    this.room = room;
    this.clock = clock;
  }

  static async open(options: Partial<LabOptions> = {}): Promise<MailRoom> {
    const clock = { now: START };
    return new MailRoom(await LabRoom.open(tools, { now: () => clock.now, ...options }), clock);
  }

  async send(args: object = {}): Promise<Members> {
    return membersOf(await this.room.document("phux_mail_send", { to: "@1", body: "hi", ...args }));
  }

  async read(args: object = {}): Promise<Members> {
    return membersOf(await this.room.document("phux_mail_read", { mailbox: "@1", ...args }));
  }

  async ack(ids: readonly unknown[]): Promise<Members> {
    return membersOf(await this.room.document("phux_mail_ack", { mailbox: "@1", ids }));
  }
}

/** The messages of a page. */
export function rows(page: Members): Members[] {
  const messages = page["messages"];
  if (!Array.isArray(messages)) throw new Error("no messages");
  return messages.map(membersOf);
}

export const bodies = (page: Members) => rows(page).map((message) => message["body"]);
