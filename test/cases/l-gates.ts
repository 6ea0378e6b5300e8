/** The calls that need a person's yes, as a table: with every way to leave it out, and what is said then. */
import type { Given } from "./gh-host.ts";

/** Everything but JSON true: absent, refused, and what somebody might take for a yes. */
export const noConsent: readonly (readonly [what: string, confirm: unknown])[] = [
  ["no confirm", undefined],
  ["false", false],
  ["null", null],
  ["the text true", "true"],
  ["the text of a yes", "yes"],
  ["one", 1],
  ["the text of one", "1"],
  ["a list of true", [true]],
  ["an object with true", { confirm: true }],
  ["nothing in quotes", ""],
  ["a nested JSON text", '"true"'],
];

export interface Gate {
  readonly tool: string;
  readonly given: Given;
  /** Of what the sentence must speak. */
  readonly says: RegExp;
}

export const gates: readonly Gate[] = [
  { tool: "phux_kill", given: { target: "@1" }, says: /^phux_kill is destructive/ },
  { tool: "phux_kill", given: { target: "." }, says: /^phux_kill is destructive/ },
  { tool: "phux_rm", given: { target: "@1" }, says: /^phux_rm is destructive/ },
  { tool: "phux_detach", given: {}, says: /^phux_detach is destructive/ },
  { tool: "phux_detach", given: { session: "main" }, says: /^phux_detach is destructive/ },
  ...["interrupt", "terminate", "kill"].map((signal) => ({
    tool: "phux_signal",
    given: { target: "@1", signal },
    says: new RegExp(`^phux_signal with ${signal} is destructive`),
  })),
  ...[undefined, null, "KILL", "freeze ", "stop", "", 9, ["freeze"], { signal: "freeze" }, "__proto__", "toString"].map(
    (signal) => ({
      tool: "phux_signal",
      given: { target: "@1", signal },
      says: /^phux_signal with this signal is destructive/,
    }),
  ),
  ...["approve", undefined, null, "APPROVE", "Deny", "deny ", "", true, ["deny"]].map((decision) => ({
    tool: "phux_approve",
    given: { id: "00112233445566778899aabbccddeeff", decision },
    says: /^phux_approve with decision approve is destructive/,
  })),
];

/** The same calls with everything else wrong, too: consent is looked at first. */
export const spoilt: readonly Given[] = [
  {},
  { target: "" },
  { nonsense: 1 },
  { target: 7, socket: "" },
  { idempotency_key: "x" },
];
