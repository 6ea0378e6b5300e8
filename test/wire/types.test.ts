import { expect, test } from "bun:test";
import { type AnyFrame, encodeFrame, type FrameValue } from "../../src/wire/frame.ts";

/** What the compiler must refuse: these lines are checked by tsc, the test only keeps them alive. */
test("the types of frames follow from their tables", () => {
  const spawned: FrameValue<"RESOURCE_SPAWNED"> = { result: { tag: "ok", id: { tag: "local", id: 1 } } };
  const frames: AnyFrame[] = [
    { name: "RESOURCE_SPAWNED", value: spawned },
    // @ts-expect-error a required field is missing
    { name: "PING", value: {} },
    // @ts-expect-error a 64-bit number is a bigint
    { name: "PING", value: { nonce: 1 } },
    // @ts-expect-error an absent optional field is an absent key
    { name: "DETACHED", value: { reason: undefined } },
    // @ts-expect-error no such alternative
    { name: "COMMAND", value: { command: { tag: "GET_NOTHING" } } },
    // @ts-expect-error the value of another frame
    { name: "BELL", value: { attach_id: 1 } },
  ];
  expect(encodeFrame(frames[0] ?? { name: "DETACH", value: {} }).length).toBeGreaterThan(4);
});
