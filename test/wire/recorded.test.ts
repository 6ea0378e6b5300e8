import { expect, test } from "bun:test";
import { decodeLayout, encodeLayout } from "../../src/wire/layout-document.ts";
import { describeShared, sharedJson } from "../shared.ts";
import { documentValue } from "./layout-vector.ts";
import { items, type Members, members, toVector } from "./vector.ts";
import { decodeWhole, encodeVector, hex } from "./wire.ts";

type Recorded = { readonly name: string; readonly frame: Members; readonly refused: boolean };

/** Frames of the first release that a 0.8 server cannot decode and a 0.9 codec can (wire.md 26.4). */
const addedSince = new Set(["newer_frame_type", "newer_command"]);

/** The bytes of a recorded frame: plain hex, or pieces of which a long run is one. */
function bytesOf(frame: Members): Uint8Array | null {
  if (typeof frame["hex"] === "string") return hex(frame["hex"]);
  if (!Array.isArray(frame["hex_runs"])) return null;
  const pieces = frame["hex_runs"].map((piece) =>
    typeof piece === "string" ? piece : String(members(piece)["byte"]).repeat(Number(members(piece)["times"])),
  );
  return hex(pieces.join(""));
}

/** The frames of a dialogue; one that the real server answered with "could not decode" is marked as refused. */
function framesOf(name: string, list: readonly unknown[]): Recorded[] {
  const frames = list.map(members);
  return frames.map((frame, at) => {
    const later = frames.slice(at + 1).filter(({ conn }) => conn === frame["conn"]);
    const answer = later.find(({ dir }) => dir === "s2c");
    const message = answer?.["frame"] === "ERROR" ? String(members(answer["value"])["message"]) : "";
    const refused =
      frame["dir"] === "c2s" && message.startsWith("could not decode") && later.indexOf(answer ?? {}) === 0;
    return { name, frame, refused: refused && !addedSince.has(name) };
  });
}

/** Leaves out of a decoded value the long members that the recording leaves out. */
function isPartOf(part: unknown, whole: unknown): boolean {
  if (typeof part !== "object" || part === null) return part === whole;
  if (typeof whole !== "object" || whole === null) return false;
  return Object.entries(part).every(([key, member]) =>
    isPartOf(member, Object.entries(whole).find(([k]) => k === key)?.[1]),
  );
}

function check({ name, frame, refused }: Recorded): void {
  const bytes = bytesOf(frame);
  if (bytes === null) return;
  const decoded = decodeWhole(bytes);
  const told = { name, hex: bytes.toHex().slice(0, 400) };
  if (frame["label"] === "length exactly 16777216 (header only)") {
    expect({ ...told, decoded }).toEqual({ ...told, decoded: { ok: true, value: null } });
    return;
  }
  if (frame["malformed"] === true || refused) {
    const known = decoded.ok && decoded.value?.name !== "UNKNOWN";
    expect({ ...told, known }).toEqual({ ...told, known: false });
    return;
  }
  const partial = frame["value_partial"] === true;
  if (partial) {
    if (!decoded.ok) throw new Error(`${name}: ${decoded.error.message}`);
    const value = toVector(decoded.value);
    const part = { name: frame["frame"], ...(frame["value"] === undefined ? {} : { value: frame["value"] }) };
    expect({ ...told, value, part: isPartOf(part, value) }).toEqual({ ...told, value, part: true });
    return;
  }
  expect({ ...told, decoded: toVector(decoded) }).toEqual({
    ...told,
    decoded: { ok: true, value: { name: frame["frame"], value: frame["value"] } },
  });
  if (frame["canonical"] === false) return;
  const encoded = encodeVector(String(frame["frame"]), members(frame["value"]));
  expect({ ...told, encoded }).toEqual({ ...told, encoded: bytes.toHex() });
}

/** The layout inside a metadata frame decodes to what is recorded and encodes to the same bytes. */
function checkDocument({ name, frame }: Recorded): void {
  const bytes = bytesOf(frame);
  if (frame["document"] === undefined || bytes === null) return;
  const decoded = decodeWhole(bytes);
  if (!decoded.ok || (decoded.value?.name !== "SET_METADATA" && decoded.value?.name !== "METADATA_VALUE")) {
    throw new Error(`${name}: a document in no metadata frame`);
  }
  const stored = decoded.value.value.value ?? new Uint8Array(0);
  const layout = decodeLayout(stored, 2);
  if (!layout.ok) throw new Error(`${name}: ${layout.error.message}`);
  expect(documentValue(layout.value)).toEqual(frame["document"]);
  expect(encodeLayout(layout.value, 2).toHex()).toBe(stored.toHex());
}

describeShared("recorded 0.8 dialogues", () => {
  const dialogues = items(members(sharedJson("vectors/recorded-0.8.json"))["dialogues"]).map(members);
  test.each(dialogues.map((dialogue) => [String(dialogue["name"]), dialogue] as const))("%s", (name, { frames }) => {
    for (const recorded of framesOf(name, items(frames))) {
      check(recorded);
      checkDocument(recorded);
    }
  });

  test("the refusals we must share are all found", () => {
    const refused = dialogues.flatMap(({ name, frames }) =>
      framesOf(String(name), items(frames)).filter((f) => f.refused),
    );
    expect(new Set(refused.map(({ name }) => name)).size).toBeGreaterThanOrEqual(14);
  });
});

describeShared("recorded tool calls", () => {
  const file = members(sharedJson("vectors/recorded-tools.json"));
  const shared = Object.entries(members(file["shared"])).map(([name, frame]) => ({
    name,
    frame: members(frame),
    refused: false,
  }));
  const calls = items(file["calls"]).map(members);

  test("handshake and shared frames", () => {
    const handshake = items(file["handshake"]).map((frame) => ({
      name: "handshake",
      frame: members(frame),
      refused: false,
    }));
    for (const recorded of [...handshake, ...shared]) check(recorded);
  });

  test.each(calls.map((call, at) => [`${at} ${String(call["tool"])}`, call] as const))(
    "%s",
    (name, { connections }) => {
      for (const connection of items(connections ?? [])) {
        for (const recorded of framesOf(name, items(members(connection)["frames"]))) {
          check(recorded);
          checkDocument(recorded);
        }
      }
    },
  );
});
