import { describe, expect, test } from "bun:test";
import { methodRows } from "../../src/phux/resource-methods.ts";
import { capabilitiesOf } from "../../src/wire/capability.ts";

const rows = methodRows("terminal", capabilitiesOf([]));

/** The catalogue of client.md 4.19 in its order: name, verbs, and a bang for what is dangerous. */
const catalogue = `
substrate SPAWN_RESOURCE CREATE+BIND
substrate ATTACH_RESOURCE OBSERVE+BIND
substrate DETACH_RESOURCE none
substrate KILL_RESOURCE SIGNAL !
substrate KILL_RESOURCE_IF SIGNAL !
substrate KILL_RESOURCES SIGNAL !
substrate CLOSE_TAB_RESOURCES SIGNAL !
substrate SUBSCRIBE_RESOURCE_EVENTS OBSERVE
substrate SUBSCRIBE_EVENTS OBSERVE
substrate GET_STATE INVENTORY
substrate GET_METADATA OBSERVE
substrate SET_METADATA CREATE+BIND+SIGNAL
substrate DELETE_METADATA BIND
substrate LIST_METADATA INVENTORY
substrate SUBSCRIBE_METADATA OBSERVE
terminal INPUT_KEY INPUT
terminal INPUT_PASTE INPUT
terminal INPUT_MOUSE INPUT
terminal INPUT_FOCUS INPUT
terminal INPUT_RAW INPUT
terminal INPUT_TERMINAL_REPLY INPUT
terminal RESIZE_TERMINAL BIND
terminal HISTORY_REQUEST OBSERVE
terminal FRAME_ACK OBSERVE
terminal MOVE_RESOURCE BIND
terminal GET_SCREEN OBSERVE
terminal ROUTE_INPUT INPUT
terminal APPLY_INPUT INPUT
terminal PUT_FILE INPUT
terminal TRANSCRIBE INPUT
terminal GET_TERMINAL_STATE INVENTORY
terminal ACQUIRE_INPUT BIND
terminal RELEASE_INPUT BIND
terminal SIGNAL_TERMINAL SIGNAL !
terminal REPORT_ASKED BIND
terminal REPORT_AGENT_STATE BIND
agent_session APPEND_RESOURCE_OUTPUT BIND+INPUT
`;

test("the whole catalogue, in its order", () => {
  const lines = rows.map(({ facet, name, verb, dangerous }) => `${facet} ${name} ${verb}${dangerous ? " !" : ""}`);
  expect(lines.join("\n")).toBe(catalogue.trim());
});

test("a method changes something when it needs more than to look", () => {
  const looking = rows.filter(({ mutating }) => !mutating).map(({ name }) => name);
  expect(looking).toEqual([
    ...["DETACH_RESOURCE", "SUBSCRIBE_RESOURCE_EVENTS", "SUBSCRIBE_EVENTS", "GET_STATE", "GET_METADATA"],
    ...["LIST_METADATA", "SUBSCRIBE_METADATA", "HISTORY_REQUEST", "FRAME_ACK", "GET_SCREEN", "GET_TERMINAL_STATE"],
  ]);
});

describe("why a method cannot be used", () => {
  const gated = {
    KILL_RESOURCE_IF: "conditional_kill",
    CLOSE_TAB_RESOURCES: "close_tab_resources",
    INPUT_TERMINAL_REPLY: "terminal_reply",
    MOVE_RESOURCE: "move_resource",
    APPLY_INPUT: "acknowledged_input",
    PUT_FILE: "file_upload",
    TRANSCRIBE: "transcribe",
    REPORT_AGENT_STATE: "report_agent_state",
  } as const;
  const reasonOf = (list: typeof rows, name: string) => list.find((row) => row.name === name)?.reason;

  test.each(Object.entries(gated))("%s needs %s", (name, feature) => {
    expect(reasonOf(rows, name)).toBe("feature_unadvertised");
    expect(reasonOf(methodRows("terminal", capabilitiesOf([feature])), name)).toBeNull();
  });

  test("nothing else is gated, and availability is the lack of a reason", () => {
    const lacking = rows.filter(({ reason }) => reason === "feature_unadvertised").map(({ name }) => name);
    expect(lacking).toEqual(Object.keys(gated));
    for (const { available, reason } of rows) expect(available).toBe(reason === null);
  });

  test.each([
    ["terminal", "INPUT_RAW", "unimplemented"],
    ["terminal", "APPEND_RESOURCE_OUTPUT", "wrong_kind"],
    ["agent_session", "INPUT_RAW", "wrong_kind"],
    ["agent_session", "GET_SCREEN", "wrong_kind"],
    ["agent_session", "APPEND_RESOURCE_OUTPUT", "feature_unadvertised"],
    ["agent_session", "KILL_RESOURCE", null],
    ["unknown", "GET_SCREEN", "wrong_kind"],
    ["unknown", "APPEND_RESOURCE_OUTPUT", "wrong_kind"],
    ["unknown", "GET_METADATA", null],
  ] as const)("on a resource of kind %s: %s %p", (kind, name, reason) =>
    expect(reasonOf(methodRows(kind, capabilitiesOf([])), name)).toBe(reason),
  );
});
