import { describe, expect, test } from "bun:test";
import { headlessCapabilities } from "../../src/wire/capability.ts";
import { ErrorCode } from "../../src/wire/error-code.ts";
import { type AnyFrame, encodeFrame } from "../../src/wire/frame.ts";
import { PhysicalKey } from "../../src/wire/physical-key.ts";
import { decodeWhole, expectNoPrefixPasses, hex } from "./wire.ts";

const local = (id: number) => ({ tag: "local", id }) as const;
const key = { mods: 0, consumed_mods: 0, composing: false, text: null, unshifted_codepoint: null };
const serverId = hex("000102030405060708090a0b0c0d0e0f");
const operation = hex("f0e1d2c3b4a5968778695a4b3c2d1e0f");

function hello(minor: number): AnyFrame {
  const version = { protocol_major: 0, protocol_minor: minor, protocol_patch: 0 };
  return { name: "HELLO", value: { client_name: "phux-mcp/0.1.0", ...version, client_caps: headlessCapabilities } };
}

function command(request_id: number, value: Extract<AnyFrame, { name: "COMMAND" }>["value"]["command"]): AnyFrame {
  return { name: "COMMAND", value: { request_id, command: value } };
}

const caps = "00050703010000060000000000000000000000000004000000100000";

/** The worked examples of wire.md 25.2: they stand here so that a clone alone still proves its bytes. */
const golden: [about: string, bytes: string, frame: AnyFrame][] = [
  [
    "HELLO 0.9.0",
    `00000040 01 01040e706875782d6d63702f302e312e30 0204020000 0304020009 0404020000 05041c${caps}`,
    hello(9),
  ],
  [
    "HELLO 0.8.0",
    `00000040 01 01040e706875782d6d63702f302e312e30 0204020000 0304020008 0404020000 05041c${caps}`,
    hello(8),
  ],
  [
    "HELLO_OK with one feature word",
    `0000003d 80 0104020000 0204020009 0304020000 040405077fbfeff0 050410000102030405060708090a0b0c0d0e0f
     06040101 07040400040000 08040400100000`,
    {
      name: "HELLO_OK",
      value: {
        protocol_major: 0,
        protocol_minor: 9,
        protocol_patch: 0,
        server_caps: { layers: 7, features: 0x7fbfeff0 },
        server_id: serverId,
        selected_profile: { tag: "synthesized_vt_raw" },
        max_chunk_bytes: 262_144,
        max_history_page_bytes: 1_048_576,
      },
    },
  ],
  ["PING", "0000000c 7f 0104080123456789abcdef", { name: "PING", value: { nonce: 0x0123456789abcdefn } }],
  ["GET_STATE", "0000000d 31 01040400000006 0204020500", command(6, { tag: "GET_STATE", scope: 0 })],
  [
    "GET_SCREEN as 0.9 writes it",
    "00000014 31 01040400000007 020409070000000003000000",
    command(7, { tag: "GET_SCREEN", terminal_id: local(3), request_scrollback: null, cells: false, format: 0 }),
  ],
  [
    "GET_SCREEN as 0.8 writes it",
    "00000013 31 01040400000007 0204080700000000030000",
    command(7, { tag: "GET_SCREEN", terminal_id: local(3), request_scrollback: null, cells: false }),
  ],
  [
    "COMMAND_RESULT error 104",
    "00000026 c2 01040400000007 02041b020068000000146e6f2073756368207465726d696e616c3a204033",
    {
      name: "COMMAND_RESULT",
      value: {
        request_id: 7,
        result: { tag: "error", code: ErrorCode.TERMINAL_NOT_FOUND, message: "no such terminal: @3" },
      },
    },
  ],
  [
    "ROUTE_INPUT, key a",
    "0000002a 31 0104040000000c 02041f08000000000300000000010000001400000000000100000001610100000061",
    command(12, {
      tag: "ROUTE_INPUT",
      terminal_id: local(3),
      event: { tag: "key", event: { ...key, action: 1, key: PhysicalKey.A, text: "a", unshifted_codepoint: 97 } },
    }),
  ],
  [
    "ROUTE_INPUT, trusted paste",
    "0000001d 31 01040400000012 0204120800000000030300000000066c73202d6c61",
    command(18, {
      tag: "ROUTE_INPUT",
      terminal_id: local(3),
      event: { tag: "paste", event: { trust: 0, data: new TextEncoder().encode("ls -la") } },
    }),
  ],
  [
    "APPLY_INPUT, paste then Enter",
    `00000042 31 01040400000025 0204 37 14000102030405060708090a0b0c0d0e10000000000300020300000000096d61
     6b65207465737400000000010000003a00000000000000`,
    command(37, {
      tag: "APPLY_INPUT",
      operation_id: hex("000102030405060708090a0b0c0d0e10"),
      terminal_id: local(3),
      events: [
        { tag: "paste", event: { trust: 0, data: new TextEncoder().encode("make test") } },
        { tag: "key", event: { ...key, action: 1, key: PhysicalKey.Enter } },
      ],
    }),
  ],
  [
    "KILL_RESOURCE",
    "00000011 31 01040400000004 020406030000000003",
    command(4, { tag: "KILL_RESOURCE", terminal_id: local(3) }),
  ],
  [
    "KILL_RESOURCE, keyed",
    "00000021 31 01040400000005 020416030000000003f0e1d2c3b4a5968778695a4b3c2d1e0f",
    command(5, { tag: "KILL_RESOURCE", terminal_id: local(3), operation_id: operation }),
  ],
  [
    "KILL_RESOURCES, local and satellite",
    "00000020 31 01040400000016 020415090002000000000301000000046564676500000004",
    command(22, { tag: "KILL_RESOURCES", ids: [local(3), { tag: "satellite", host: "edge", id: 4 }] }),
  ],
  [
    "PUT_FILE, final chunk",
    `0000005a 31 01040400000027 0204 4f 15f0e1d2c3b4a5968778695a4b3c2d1e0f000000000300000003706e67000000
     0000000004000000040d0a1a0a01014c4b6a3be1314ab86138bef4314dde022e600960d8689a2c8f8631802d20dab6`,
    command(39, {
      tag: "PUT_FILE",
      upload_id: operation,
      terminal_id: local(3),
      extension: "png",
      offset: 4n,
      data: hex("0d0a1a0a"),
      final_chunk: true,
      sha256: hex("4c4b6a3be1314ab86138bef4314dde022e600960d8689a2c8f8631802d20dab6"),
    }),
  ],
  [
    "SPAWN_RESOURCE, minimal",
    "0000000f 22 01040400000001 02040400000001",
    { name: "SPAWN_RESOURCE", value: { request_id: 1, group: 1 } },
  ],
  [
    "RESOURCE_SPAWNED",
    "00000011 a2 01040400000001 02040600000000002a",
    { name: "RESOURCE_SPAWNED", value: { request_id: 1, result: { tag: "ok", id: local(42) } } },
  ],
  [
    "MOVE_RESOURCE",
    "00000018 2a 01040400000009 020405000000002a 0304050000000007",
    { name: "MOVE_RESOURCE", value: { request_id: 9, terminal: local(42), owner_terminal: local(7) } },
  ],
  ["SUBSCRIBE_EVENTS, everything", "00000001 41", { name: "SUBSCRIBE_EVENTS", value: {} }],
  [
    "SUBSCRIBE_EVENTS, from 512",
    "0000000c 41 0204080000000000000200",
    { name: "SUBSCRIBE_EVENTS", value: { after_seq: 512n } },
  ],
  [
    "EVENT with full stamp",
    `00000052 b3 010405000000002b 0204050400000000 0304080000000000000102 0404080000018900000000
     050415000000070100000004637265640100000003636c69 0604105a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a`,
    {
      name: "EVENT",
      value: {
        terminal: local(43),
        event: { tag: "pane_spawned" },
        seq: 258n,
        ts_ms: 1_687_922_147_328n,
        actor: { client: 7, credential_id: "cred", client_name: "cli" },
        operation_id: new Uint8Array(16).fill(0x5a),
      },
    },
  ],
  [
    "SET_METADATA",
    "00000031 51 01040400000040 020406000000000003 03040c706875782e746167732f7631 04040e5b226275696c64222c226369225d",
    {
      name: "SET_METADATA",
      value: {
        request_id: 64,
        scope: { tag: "resource", id: local(3) },
        key: "phux.tags/v1",
        value: new TextEncoder().encode('["build","ci"]'),
      },
    },
  ],
  ["METADATA_VALUE, not set", "00000008 d1 01040400000042", { name: "METADATA_VALUE", value: { request_id: 66 } }],
  [
    "METADATA_CHANGED, deleted",
    "00000017 d0 01040102 02040f706875782e6578616d706c652f7631",
    { name: "METADATA_CHANGED", value: { scope: { tag: "global" }, key: "phux.example/v1" } },
  ],
  [
    "ERROR with a request id",
    "0000002a c1 0104040000002a 02040200c8 03041a6d697373696e67206669656c643a207465726d696e616c5f6964",
    {
      name: "ERROR",
      value: { request_id: 42, code: ErrorCode.INVALID_COMMAND, message: "missing field: terminal_id" },
    },
  ],
  ["DETACHED", "00000005 82 01040104", { name: "DETACHED", value: { reason: 4 } }],
  [
    "a state without trailing parts",
    `0000008d c2 01040400000006 0204 81 01
     0102000000010000000100000004776f726b01000000010000000068c5e64000
     0100010000000100000001000000010000000000046d61696e01000000000100
     000000020000000001000000010050001801000000037a736801000000072f68
     6f6d652f75000000000200000001005000180000000000010000000100000000 01`,
    {
      name: "COMMAND_RESULT",
      value: {
        request_id: 6,
        result: {
          tag: "ok_with",
          value: {
            tag: "state",
            state: {
              sessions: [
                {
                  id: 1,
                  name: "work",
                  active_window: 1,
                  created_at_unix_secs: 1_757_800_000n,
                  window_count: 1,
                  attached_client_count: 1,
                },
              ],
              windows: [{ id: 1, session_id: 1, index: 0, name: "main", active_resource: local(1), layout: null }],
              resources: [
                { id: local(1), window_id: 1, cols: 80, rows: 24, title: "zsh", cwd: "/home/u" },
                { id: local(2), window_id: 1, cols: 80, rows: 24, title: null, cwd: null },
              ],
              focused_session: 1,
              focused_window: 1,
              focused_resource: local(1),
            },
          },
        },
      },
    },
  ],
];

describe("worked examples", () => {
  test.each(golden)("%s", (_, bytes, frame) => {
    expect(encodeFrame(frame).toHex()).toBe(hex(bytes).toHex());
    expect(decodeWhole(hex(bytes))).toEqual({ ok: true, value: frame });
  });

  test.each(golden)("%s, cut at every offset, never passes for itself", (_, bytes, frame) => {
    expectNoPrefixPasses(hex(bytes), frame);
  });
});

/** The last part of a state answer when the server adds only a journal head of 1. */
test("a trailing part brings the earlier ones along", () => {
  const empty = { sessions: [], windows: [], resources: [], focused_session: 0, focused_window: 0 };
  const state = { ...empty, focused_resource: local(0), extensions: { journal_head: 1n } };
  const frame: AnyFrame = {
    name: "COMMAND_RESULT",
    value: { result: { tag: "ok_with", value: { tag: "state", state } } },
  };
  const bytes = encodeFrame(frame).toHex();
  expect(bytes).toEndWith(hex("00000000 00000000 00000000 00 0000000b 0204080000000000000001").toHex());
  expect(decodeWhole(hex(bytes))).toMatchObject({
    value: {
      value: {
        result: {
          value: {
            state: { facets: [], hosts: [], session_facets: [], listeners: null, extensions: { journal_head: 1n } },
          },
        },
      },
    },
  });
});
