/**
 * What can go wrong on purpose (design.md 7). All off unless set; a test may change them while the lab runs.
 * A request is named by its frame ("SET_METADATA") or, for a COMMAND, by its command ("GET_STATE").
 */
export type Faults = {
  /** Milliseconds before each request is looked at. */
  slowMs: number;
  /** Milliseconds between executing a request and answering it, by name. Later requests wait behind it. */
  lateMs: Record<string, number>;
  /** Requests that are taken and never executed nor answered. "all" for every one, HELLO included. */
  silent: readonly string[] | "all";
  /** Requests that are executed; then the connection closes in place of the reply. */
  dropBeforeReply: readonly string[];
  /** The same for so many requests of a name, counted down. */
  dropReplies: Record<string, number>;
  /** Requests whose reply breaks off in the middle of the frame. */
  cutReply: readonly string[];
  /** An event about some pane goes out in front of every reply. */
  eventBeforeReply: boolean;
  /** SET_METADATA is accepted and nothing is stored. */
  silentSet: boolean;
  /** Every frame carries a field that no version has. */
  unknownField: boolean;
  /** Every event is followed by one with a tag that no version has. */
  unknownEvent: boolean;
  /** Requests that are refused with this code in place of being executed, by name. */
  refuse: Record<string, { code: number; message: string }>;
  /** Refusals travel as ERROR frames with the request id in place of COMMAND_RESULT. */
  errorFrames: boolean;
  /** Each HELLO meets another server id, as if the server had been restarted in between. */
  freshServerId: boolean;
  /** HELLO_OK claims this version. */
  claimVersion: { major: number; minor: number; patch: number } | null;
  /** Uncorrelated ERRORs in front of each GET_STATE result: a fleet of which a part does not answer. */
  notices: readonly { code: number; message: string }[];
  /** The server sends a PING right behind HELLO_OK. */
  pingClients: boolean;
};

export function noFaults(): Faults {
  return {
    slowMs: 0,
    lateMs: {},
    silent: [],
    dropBeforeReply: [],
    dropReplies: {},
    cutReply: [],
    eventBeforeReply: false,
    silentSet: false,
    unknownField: false,
    unknownEvent: false,
    refuse: {},
    errorFrames: false,
    freshServerId: false,
    claimVersion: null,
    notices: [],
    pingClients: false,
  };
}
