import { describe, expect, test } from "bun:test";
import { advertises, type DesignedFeature, designedFeatures, withDesigned } from "../../src/phux/designed-features.ts";
import { capabilitiesOf, featureNames, features } from "../../src/wire/capability.ts";

const names = Object.keys(designedFeatures) as DesignedFeature[];

describe("the bits of the designed features", () => {
  test("no two share one, and none is a bit of the contract", () => {
    const taken = Object.values(features).flatMap(([word, bit]) => (word === 1 ? [Number(bit)] : []));
    const ours = names.map((name) => Number(designedFeatures[name]));
    expect(new Set([...ours, ...taken]).size).toBe(ours.length + taken.length);
    expect(ours.every((bit) => bit >= 0 && bit < 32)).toBe(true);
  });

  test.each(names)("%s is advertised by who has it, and by nobody else", (name) => {
    const server = withDesigned(capabilitiesOf(["approvals", "path_query"]), [name]);
    expect(names.filter((one) => advertises(server, one))).toEqual([name]);
    expect(advertises(server, "approvals")).toBe(true);
    expect(advertises(server, "path_query")).toBe(true);
    expect(advertises(server, "mail") || advertises(server, "file_upload")).toBe(name === "mail");
    expect(featureNames(server)).toEqual(["approvals", "path_query"]);
  });

  test("both words are u32, word 0 stands before word 1, and nothing is added for nothing", () => {
    const all = withDesigned({ layers: 7 }, names);
    expect(all).toEqual({ layers: 7, features: 0, features_ext: 0xe0000000 });
    expect(withDesigned({ layers: 7 }, [])).toEqual({ layers: 7 });
    expect(advertises({ layers: 7 }, "claims")).toBe(false);
  });
});
