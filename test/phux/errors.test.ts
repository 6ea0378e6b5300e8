import { describe, expect, test } from "bun:test";
import { type ErrorDocumentCode, errorCodes } from "../../src/phux/error-codes.ts";
import { errorDocument, refusalText, refuse, sentence } from "../../src/phux/errors.ts";
import { fromWireError } from "../../src/phux/wire-error.ts";
import { ErrorCode, errorName } from "../../src/wire/error-code.ts";

/** Exit status and codes as the contract has them (client.md 9.1). */
const exits: [exit: number, codes: ErrorDocumentCode[]][] = [
  [1, ["no_server", "server_disconnected", "transport", "no_such_target", "move_refused", "post_move_state_failed"]],
  [
    1,
    ["destination_changed", "destination_layout_failed", "source_layout_failed", "spawn_failed", "input_not_written"],
  ],
  [1, ["delivery_unknown", "input_busy", "no_such_operation", "io", "mailbox_full", "no_such_message"]],
  [1, ["json_serialize", "internal_error"]],
  [2, ["invalid_selector", "invalid_agent_name", "agent_withdrawn", "agent_session_ambiguous", "selector_not_single"]],
  [2, ["selector_miss", "satellite_target", "same_pane", "cross_session", "unknown_terminal_session", "invalid_ratio"]],
  [2, ["layout_missing", "pane_not_in_layout", "pane_already_in_layout", "layout_rejected", "projection_invalid"]],
  [2, ["projection_arity", "server_too_old", "unsupported_server", "invalid_idempotency_key", "idempotency_conflict"]],
  [2, ["invalid_cursor", "invalid_session_name", "session_exists", "format_unsupported", "permission_denied"]],
  [2, ["input_lease_held", "unsafe_paste", "canonical_limit_exceeded", "input_too_large", "resource_running"]],
  [2, ["agent_pane_not_available", "upload_too_large", "claim_held", "claim_lost", "invalid_config"]],
  [2, ["wrong_resource_kind", "not_producer", "record_invalid", "overflow"]],
  [3, ["partial_view"]],
];

test("the vocabulary is closed", () => {
  expect(exits.flatMap(([, codes]) => codes).sort()).toEqual(Object.keys(errorCodes).sort() as ErrorDocumentCode[]);
});

test.each(exits.flatMap(([exit, codes]) => codes.map((code) => [code, exit] as const)))("%s exits %p", (code, exit) => {
  const refusal = refuse(code, "why");
  expect(refusal).toMatchObject({ code, message: "why", exitCode: exit });
  expect(refusal.remedy).not.toBe("");
});

describe("what a caller reads", () => {
  test("a code gives a document of four members on one line", () => {
    expect(refusalText(refuse("no_such_target", 'no "x"\n', "look", 2))).toBe(
      '{"schema_version":1,"error":{"code":"no_such_target","message":"no \\"x\\"\\n"},"remedy":"look","exit_code":2}',
    );
  });

  test("a sentence gives itself, and no document", () => {
    expect(refusalText(sentence("it is so"))).toBe("it is so");
    expect(errorDocument(sentence("it is so"))).toBeNull();
  });

  test("an empty remedy gives way to the code's own", () => {
    expect(refuse("io", "why", "").remedy).toBe(errorCodes.io.remedy);
  });
});

/** What each error of the wire becomes (client.md 9.2); null is a sentence. */
const answers: [numbers: number[], code: ErrorDocumentCode | null, exit: number][] = [
  [[1, 2, 3, 4, 6], "transport", 1],
  [[102, 103, 104, 105], "no_such_target", 1],
  [[106], "satellite_target", 2],
  [[107], "partial_view", 3],
  [[201], "permission_denied", 2],
  [[203], "unsafe_paste", 2],
  [[204], "input_lease_held", 2],
  [[205], "delivery_unknown", 1],
  [[206], "canonical_limit_exceeded", 2],
  [[207], "input_not_written", 1],
  [[208], "wrong_resource_kind", 2],
  [[209], "not_producer", 2],
  [[210], "record_invalid", 2],
  [[211], "overflow", 2],
  [[100, 101, 200, 202, 212, 213, 65_535, 5, 999], null, 1],
];
test.each(answers.flatMap(([numbers, code, exit]) => numbers.map((number) => [number, code, exit] as const)))(
  "wire error %p is %p",
  (number, code, exitCode) => {
    expect(fromWireError(number, "no terminal @9", "kill @9")).toMatchObject({ code, exitCode });
  },
);

test("every error of the wire has a row above", () => {
  const numbers = answers.flatMap(([listed]) => listed).filter((number) => errorName(number) !== null);
  expect(numbers.sort((a, b) => a - b)).toEqual(Object.values(ErrorCode).sort((a, b) => a - b));
});

const texts: [code: number, message: string, text: string][] = [
  [104, "no terminal @9", "kill @9: terminal not found: no terminal @9"],
  [200, "", "kill @9: invalid command"],
  [999, "odd", "kill @9: error 999: odd"],
];
test.each(texts)("wire error %p with %j reads %j", (code, message, text) => {
  expect(fromWireError(code, message, "kill @9").message).toBe(text);
});
