import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { inputBatchBytes } from "../../src/wire/command.ts";
import { type AnyFrame, decodeFrame, encodeFrame, frames } from "../../src/wire/frame.ts";
import { Reader } from "../../src/wire/reader.ts";
import { sessionSnapshot } from "../../src/wire/state.ts";
import { anyFrame } from "./arbitrary.ts";
import { decodeWhole, hex } from "./wire.ts";

const sample = fc.sample(anyFrame, { seed: 7, numRuns: 200 });

function bodyOf(frame: AnyFrame): { type: number; body: Uint8Array } {
  const bytes = encodeFrame(frame);
  return { type: bytes[4] ?? 0, body: bytes.subarray(5) };
}

describe("every frame", () => {
  test("round trips", () => {
    const holds = fc.property(anyFrame, (frame) => {
      expect(decodeWhole(encodeFrame(frame))).toEqual({ ok: true, value: frame });
    });
    fc.assert(holds, { numRuns: 2_000 });
  });

  test("the sample holds most frame types", () => {
    expect(new Set(sample.map(({ name }) => name)).size).toBeGreaterThan(Object.keys(frames).length * 0.8);
  });

  test("cut short anywhere, is a typed error or a frame without its optional end", () => {
    for (const frame of sample) {
      const { type, body } = bodyOf(frame);
      for (let length = 0; length < body.length; length++) {
        const cut = decodeFrame(type, body.subarray(0, length));
        if (cut.ok) expect(cut.value).not.toEqual(frame);
        else expect(["truncated", "malformed"]).toContain(cut.error.code);
      }
    }
  });

  test("skips fields it does not know, wherever they stand first or last", () => {
    const stranger = hex("e807 04 03 aabbcc");
    for (const frame of sample) {
      const { type, body } = bodyOf(frame);
      for (const parts of [
        [stranger, body],
        [body, stranger, stranger],
      ]) {
        expect(decodeFrame(type, Buffer.concat(parts))).toEqual({ ok: true, value: frame });
      }
    }
  });

  test("any bytes give a frame or a typed error", () => {
    const types = Object.values(frames).map(({ type }) => Number(type));
    const holds = fc.property(fc.constantFrom(...types), fc.uint8Array({ maxLength: 200 }), (type, body) => {
      const decoded = decodeFrame(type, body);
      if (!decoded.ok) expect(["truncated", "malformed"]).toContain(decoded.error.code);
    });
    fc.assert(holds, { numRuns: 5_000 });
  });

  test("with some bytes changed, is a frame or a typed error", () => {
    const spoils = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 4 });
    const holds = fc.property(fc.constantFrom(...sample), spoils, (frame, changes) => {
      const { type, body } = bodyOf(frame);
      const spoiled = Uint8Array.from(body);
      for (const [at, byte] of changes) if (spoiled.length > 0) spoiled[at % spoiled.length] = byte;
      const decoded = decodeFrame(type, spoiled);
      if (!decoded.ok) expect(["truncated", "malformed"]).toContain(decoded.error.code);
    });
    fc.assert(holds, { numRuns: 5_000 });
  });
});

describe("what real 0.8 forgives", () => {
  const cases: [rule: string, bytes: string, value: unknown][] = [
    ["the wire type byte is ignored", "0000000c ff 01 00 08 0000000000000007", { nonce: 7n }],
    ["a varint longer than needed is read", "0000000e ff 8100 04 8800 0000000000000007", { nonce: 7n }],
    [
      "of a repeated field the last wins",
      "00000017 ff 01 04 08 0000000000000001 01 04 08 0000000000000002",
      { nonce: 2n },
    ],
    ["bytes behind a value inside its field are ignored", "0000000e ff 01 04 0a 0000000000000007 ffff", { nonce: 7n }],
    [
      "fields come in any order",
      "00000012 c1 03 04 02 6869 02 04 02 00c9 01 04 04 00000005",
      { request_id: 5, code: 201, message: "hi" },
    ],
    ["an absent request id stays absent", "00000001 d1", {}],
    ["an unknown detach reason is kept", "00000005 82 01 04 01 2a", { reason: 42 }],
  ];
  test.each(cases)("%s", (_, bytes, value) => {
    expect(decodeWhole(hex(bytes))).toMatchObject({ ok: true, value: { value } });
  });
});

describe("what is refused", () => {
  const cases: [rule: string, bytes: string, message: string][] = [
    ["a missing required field", "00000001 7f", "PING: nonce is missing"],
    ["a field past the end", "00000005 b0 01 04 7f 00", "BELL: terminal_id: needs 127 bytes at offset 3, has 1"],
    ["an unknown resource tag", "00000009 b0 01 04 05 02 00000001", "BELL: terminal_id: unknown tag 2"],
    ["an option tag of 2", "0000000a 20 01 04 06 0078 0028 02 00", "VIEWPORT_RESIZE: viewport: option tag 2"],
    ["text that is not UTF-8", "00000006 82 02 04 02 fffe", "DETACHED: message: text is not UTF-8"],
    ["a varint of eleven bytes", "0000000d 82 8080808080808080808001 04", "DETACHED: varint longer than ten bytes"],
    ["an unknown command tag", "00000005 31 02 04 01 04", "COMMAND: command: unknown tag 4"],
    ["an unknown state scope", "00000006 31 02 04 02 0509", "COMMAND: command: not a state scope"],
    ["an unknown signal", "0000000b 31 02 04 07 11000000000f09", "COMMAND: command: not a signal"],
    ["a focus byte of 2", "0000000d 14 01 04 05 0000000003 02 04 01 02", "INPUT_FOCUS: event: not a focus event"],
    [
      "an operation id of zeros",
      "0000001c 31 02 04 18 14 00000000000000000000000000000000 0000000002 0000",
      "COMMAND: command: an id of zero bytes only",
    ],
    [
      "a list longer than its bytes",
      "0000000b 31 02 04 07 09ffff0000000003",
      "COMMAND: command: 65535 elements do not fit in 4 bytes",
    ],
    ["a record list longer than its bytes", "0000000b d3 04 04 07 ffffffff 00000000", "DIRECTORY_LISTING: entries:"],
  ];
  test.each(cases)("%s", (_, bytes, message) => {
    const decoded = decodeWhole(hex(bytes));
    expect(decoded.ok ? decoded.value : decoded.error.message).toStartWith(message);
  });

  test("an unknown frame type is handed out whole", () => {
    expect(decodeFrame(0x6e, hex("0102"))).toEqual({
      ok: true,
      value: { name: "UNKNOWN", type: 0x6e, body: hex("0102") },
    });
  });
});

describe("the retired layout slot of a window row", () => {
  const leaf = "00 00 00000001";
  const splits = (depth: number): string => (depth === 0 ? leaf : `01 00 3f000000 ${leaf} ${splits(depth - 1)}`);

  function read(tree: string): Reader {
    const row = `00000001 00000001 0000 00000001 77 00 ${tree}`;
    const from = new Reader(hex(`00000000 00000001 ${row} 00000000 00000009 00000000 00 00000000`));
    const { windows, focused_session } = sessionSnapshot.read(from);
    if (from.failure === null) {
      const window = { id: 1, session_id: 1, index: 0, name: "w", active_resource: null, layout: null };
      expect({ windows, focused_session }).toEqual({ windows: [window], focused_session: 9 });
    }
    return from;
  }

  test.each(["00", `01 ${splits(0)}`, `01 ${splits(1)}`, `01 ${splits(64)}`])("is walked and thrown away", (tree) => {
    expect(read(tree).failure).toBeNull();
  });

  const refused: [rule: string, tree: string, message: string][] = [
    ["65 levels", `01 ${splits(65)}`, "nested more than 64 deep"],
    ["an unknown node tag", "01 02", "unknown tag 2"],
    ["an unknown option tag", `02 ${leaf}`, "option tag 2"],
  ];
  test.each(refused)("%s is malformed", (_, tree, message) => {
    expect(read(tree).failure).toEqual({ code: "malformed", message });
  });
});

describe("bounds that the encoder keeps", () => {
  const local = { tag: "local", id: 1 } as const;
  const id = new Uint8Array(16).fill(1);
  const cases: [rule: string, frame: () => AnyFrame][] = [
    ["a number outside its type", () => ({ name: "ATTACH_READY", value: { attach_id: -1 } })],
    ["a fraction where a whole number belongs", () => ({ name: "ATTACH_READY", value: { attach_id: 1.5 } })],
    ["a u64 past its end", () => ({ name: "PING", value: { nonce: 2n ** 64n } })],
    [
      "an id of the wrong length",
      () => command({ tag: "KILL_RESOURCE", terminal_id: local, operation_id: id.subarray(1) }),
    ],
    [
      "an operation id of zeros",
      () => command({ tag: "KILL_RESOURCE", terminal_id: local, operation_id: new Uint8Array(16) }),
    ],
    ["a signal that is none", () => command({ tag: "SIGNAL_TERMINAL", terminal_id: local, signal: 9 })],
    ["text with half a surrogate pair", () => ({ name: "DETACHED", value: { message: "\ud800" } })],
    ["an input batch over 256 events", () => command(batch(Array.from({ length: 257 }, () => paste(0))))],
    ["an input batch over 65,536 bytes", () => command(batch([paste(65_536)]))],
    ["a frame over the cap", () => ({ name: "METADATA_VALUE", value: { value: new Uint8Array(16_777_216) } })],
  ];
  type Command = Extract<AnyFrame, { name: "COMMAND" }>["value"]["command"];
  type Batch = Extract<Command, { tag: "APPLY_INPUT" }>;
  const command = (value: Command): AnyFrame => ({ name: "COMMAND", value: { request_id: 1, command: value } });
  const paste = (size: number) => ({ tag: "paste", event: { trust: 0, data: new Uint8Array(size) } }) as const;
  const batch = (events: Batch["events"]): Batch => ({
    tag: "APPLY_INPUT",
    operation_id: id,
    terminal_id: local,
    events,
  });

  test.each(cases)("%s throws RangeError", (_, frame) => {
    expect(() => encodeFrame(frame())).toThrow(RangeError);
  });

  test("the size of an input batch is known before it is encoded", () => {
    const fits = 65_536 - inputBatchBytes(local, [paste(0)]);
    expect(encodeFrame(command(batch([paste(fits)]))).length).toBeGreaterThan(65_536);
    expect(() => encodeFrame(command(batch([paste(fits + 1)])))).toThrow(RangeError);
  });

  test("the largest frame passes", () => {
    const room = 16_777_216 - 1 - 2 - 4;
    expect(encodeFrame({ name: "METADATA_VALUE", value: { value: new Uint8Array(room) } }).length).toBe(16_777_220);
  });
});

describe("bytes", () => {
  test("of a decoded frame are a view of the input", () => {
    const bytes = encodeFrame({ name: "METADATA_VALUE", value: { value: Uint8Array.of(1, 2, 3) } });
    const decoded = decodeFrame(0xd1, bytes.subarray(5));
    if (!decoded.ok || decoded.value.name !== "METADATA_VALUE") throw new Error("not decoded");
    expect(decoded.value.value.value?.buffer).toBe(bytes.buffer);
  });

  test("an event we do not know is kept, and goes out as it came", () => {
    const bytes = "00000014 b3 01 04 05 0000000003 02 04 08 7e 00000003 010203";
    const event = { tag: "unknown", raw_tag: 0x7e, body: hex("010203") };
    const decoded = decodeWhole(hex(bytes));
    expect(decoded).toMatchObject({ ok: true, value: { value: { event } } });
    if (decoded.ok && decoded.value !== null && decoded.value.name !== "UNKNOWN") {
      expect(encodeFrame(decoded.value).toHex()).toBe(hex(bytes).toHex());
    }
  });

  const strange: [rule: string, event: string][] = [
    ["lifecycle", "08 00000005 03 00 00 00 00"],
    ["action", "08 00000005 00 00 00 0b 00"],
    ["approval outcome", `0e 00000011 ${"a5".repeat(16)} 04`],
    ["approval id of zeros", `0d 00000010 ${"00".repeat(16)}`],
  ];
  test.each(strange)("an unknown %s makes the event opaque", (_, event) => {
    const body = hex(event);
    const frame = Uint8Array.of(0x02, 0x04, body.length, ...body);
    expect(decodeFrame(0xb3, frame)).toMatchObject({
      ok: true,
      value: { value: { event: { tag: "unknown", raw_tag: body[0], body: body.subarray(5) } } },
    });
  });
});
