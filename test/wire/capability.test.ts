import { describe, expect, test } from "bun:test";
import { capabilitiesOf, type Feature, featureNames, hasFeature } from "../../src/wire/capability.ts";
import { dialectOf, speaksSame, versions, versionText } from "../../src/wire/version.ts";

const eight: Feature[] = [
  "acknowledged_input",
  "file_upload",
  "move_resource",
  "terminal_reply",
  "shutdown",
  "spawn_initial_size",
  "report_agent_state",
];

describe("features", () => {
  test("the word of release 0.22", () => {
    expect(featureNames({ layers: 7, features: 0x7f0 })).toEqual(eight);
    expect(capabilitiesOf(eight)).toEqual({ layers: 7, features: 0x7f0 });
  });

  test("an absent word is a word of zeros, and unknown bits are nothing", () => {
    expect(featureNames({ layers: 7 })).toEqual([]);
    expect(featureNames({ layers: 7, features: 0x8000100f })).toEqual([]);
    expect(capabilitiesOf([])).toEqual({ layers: 7 });
  });

  test("the second word, and the first written as zero before it", () => {
    const server = { layers: 7, features: 0, features_ext: 2 };
    expect(capabilitiesOf(["resize_cell_px"])).toEqual(server);
    expect(hasFeature(server, "resize_cell_px")).toBe(true);
    expect(hasFeature(server, "acknowledged_input")).toBe(false);
  });

  test("the highest bit of word 0 in use", () => {
    expect(hasFeature({ layers: 7, features: 0x40000000 }, "approvals")).toBe(true);
    expect(featureNames(capabilitiesOf(["approvals", "path_query"]))).toEqual(["approvals", "path_query"]);
  });
});

describe("versions", () => {
  test("newest first", () => expect(versions.map(versionText)).toEqual(["1.0.0", "0.9.0", "0.8.0"]));

  test("the patch is not compared", () => {
    expect(speaksSame({ major: 0, minor: 8, patch: 1 }, { major: 0, minor: 8, patch: 0 })).toBe(true);
    expect(speaksSame({ major: 0, minor: 9, patch: 0 }, { major: 0, minor: 8, patch: 0 })).toBe(false);
  });

  test("0.8 has the old layout, no format byte and no PONG", () => {
    expect(versions.map((version) => dialectOf(version).layout)).toEqual([3, 3, 2]);
    expect(dialectOf({ major: 0, minor: 8, patch: 0 })).toEqual({
      layout: 2,
      screen_format: false,
      answers_ping: false,
    });
  });
});
