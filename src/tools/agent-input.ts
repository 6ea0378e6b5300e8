import { type Refusal, sentence } from "../phux/errors.ts";
import { awaitedStates, DEFAULT_WAIT_SECONDS, withGrace } from "./agent-state.ts";
import { flag, integer, optional, socket, someOf, text, texts } from "./argument.ts";
import { option, refuseDash, repeated } from "./argv.ts";
import { typingTurn } from "./input.ts";
import { overCli } from "./tool.ts";

const TYPES_VERIFIED = ["GET_STATE", "GET_METADATA", "APPLY_INPUT"] as const;

const expectations = {
  expect_agent: optional(text("Refuse unless the agent has this name.")),
  expect_kind: optional(text("Refuse unless it is of this kind.")),
};

const expected = (given: { readonly expect_agent?: string | undefined; readonly expect_kind?: string | undefined }) => [
  ...option("--expect-agent", "--expect-agent", given.expect_agent),
  ...option("--expect-kind", "--expect-kind", given.expect_kind),
];

export const agentSendKeys = overCli({
  name: "phux_agent_send_keys",
  verb: "phux agent send-keys",
  sets: ["agents"],
  about:
    "Type keys into a pane after checking which agent is in it: all or nothing. A malformed chord is refused. `ok` means " +
    "that the terminal took the bytes.",
  touches: { methods: TYPES_VERIFIED },
  input: { target: text("The agent's pane."), keys: texts("Key names or text.", 1), ...expectations, socket },
  turn: (given) => typingTurn("phux_agent_send_keys", given),
  argv: (given) => [
    "agent",
    "send-keys",
    "--json",
    ...expected(given),
    ...option("--socket", "--socket", given.socket),
    "--",
    given.target,
    ...given.keys,
  ],
  deadlineMs: 30_000,
});

export const agentPrompt = overCli({
  name: "phux_agent_prompt",
  verb: "phux agent prompt",
  sets: ["agents"],
  about:
    "Submit one line to an agent and wait for its next state change. transition_observed false at the limit: it was " +
    "delivered, never send it again. One prompt at a time.",
  touches: { methods: [...TYPES_VERIFIED, "SUBSCRIBE_METADATA"] },
  input: {
    target: text("The agent's pane."),
    text: text("The prompt: one line."),
    ...expectations,
    until: optional(someOf(awaitedStates, "States that end the wait. Default idle, blocked, done.")),
    timeout_secs: optional(integer("Time limit. Default 600.", 1, 3600)),
    socket,
  },
  exclude: (given) =>
    /[\r\n]/.test(given.text)
      ? sentence('phux_agent_prompt: "text" has a line break: a prompt is one line; use phux_paste for more', 2)
      : null,
  argv: (given) => [
    "agent",
    "prompt",
    "--wait",
    ...expected(given),
    ...repeated("--until", given.until),
    "--timeout",
    String(given.timeout_secs ?? DEFAULT_WAIT_SECONDS),
    "--json",
    ...option("--socket", "--socket", given.socket),
    "--",
    given.target,
    given.text,
  ],
  deadlineMs: (given) => withGrace(given.timeout_secs ?? DEFAULT_WAIT_SECONDS),
  answerExits: [124],
  waitsFor: (given) => `prompting ${given.target} and waiting for its next state`,
});

export const agentAnswer = overCli({
  name: "phux_agent_answer",
  verb: "phux agent answer",
  sets: ["agents"],
  about:
    "Answer the exact question a pane asks, by its id: choice or text, not both. A stale id types nothing. " +
    "answer_delivery_unknown is final.",
  touches: { methods: TYPES_VERIFIED },
  input: {
    target: text("The asking pane."),
    id: text("Id of the live question."),
    choice: optional(integer("Number of the suggestion, from 1.", 1, null)),
    text: optional(text("Answer in words: a suggestion, unless allow_unlisted.")),
    allow_unlisted: optional(flag("Let text be no suggestion.")),
    socket,
  },
  exclude({ choice, text: words, allow_unlisted: unlisted }): Refusal | null {
    if ((choice === undefined) === (words === undefined)) {
      return sentence("phux_agent_answer: give choice or text, one of the two", 2);
    }
    return unlisted !== undefined && words === undefined
      ? sentence("phux_agent_answer: allow_unlisted goes with text", 2)
      : null;
  },
  argv: (given) => [
    "agent",
    "answer",
    ...option("--id", "--id", given.id),
    ...(given.choice === undefined ? [] : ["--choice", String(given.choice)]),
    ...option("--text", "--text", given.text),
    ...(given.allow_unlisted === true ? ["--allow-unlisted"] : []),
    "--json",
    ...option("--socket", "--socket", given.socket),
    "--",
    given.target,
  ],
  deadlineMs: 30_000,
});

const DEFAULT_START_SECONDS = 60;

export const agentStart = overCli({
  name: "phux_agent_start",
  verb: "phux agent start",
  sets: ["agents"],
  about:
    "Start an agent in a pane at a free shell prompt and wait until it is ready. agent_start_timeout: it was typed and the " +
    "name stays bound; look. agent_start_unknown is final.",
  touches: { methods: [...TYPES_VERIFIED, "SET_METADATA", "SUBSCRIBE_METADATA"] },
  input: {
    name: text("Name for the agent: unique, no - in front."),
    kind: text("Agent kind."),
    target: text("Pane at a free shell prompt."),
    integration: optional(text("Which integration, when several fit.")),
    timeout_secs: optional(integer("Time limit. Default 60.", 1, 3600)),
    force: optional(flag("Skip the free-shell check.")),
    args: optional(texts("More arguments for the launch.")),
    socket,
  },
  exclude: (given) => refuseDash("phux_agent_start", "name", given.name),
  argv: (given) => [
    "agent",
    "start",
    ...option("--kind", "--kind", given.kind),
    ...option("--target", "--target", given.target),
    ...option("--integration", "--integration", given.integration),
    "--timeout",
    String(given.timeout_secs ?? DEFAULT_START_SECONDS),
    ...(given.force === true ? ["--force"] : []),
    "--json",
    ...option("--socket", "--socket", given.socket),
    given.name,
    ...(given.args === undefined || given.args.length === 0 ? [] : ["--", ...given.args]),
  ],
  deadlineMs: (given) => withGrace(given.timeout_secs ?? DEFAULT_START_SECONDS),
  waitsFor: (given) => `waiting for ${given.name} to be ready in ${given.target}`,
});
