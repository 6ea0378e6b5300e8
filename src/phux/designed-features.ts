import { type Feature, hasFeature } from "../wire/capability.ts";
import type { ServerCapabilities } from "../wire/frame.ts";

/**
 * Features of the designed tools, for which no release is known to have a bit. Ours stand at the far end of word 1, where
 * a bit that phux assigns next is furthest away. This table is the one place that changes when the real bits are known:
 * by then its rows move into `features` of wire/capability.ts, whose rows are those of the contract alone.
 */
export const designedFeatures = {
  relaunch: 29,
  mail: 30,
  claims: 31,
} as const satisfies Record<string, number>;

export type DesignedFeature = keyof typeof designedFeatures;
export type AnyFeature = Feature | DesignedFeature;

function isDesigned(feature: AnyFeature): feature is DesignedFeature {
  return Object.hasOwn(designedFeatures, feature);
}

/** Whether a server advertises a feature, be it of the contract or designed. */
export function advertises(server: ServerCapabilities, feature: AnyFeature): boolean {
  if (!isDesigned(feature)) return hasFeature(server, feature);
  return (((server.features_ext ?? 0) >>> designedFeatures[feature]) & 1) === 1;
}

/** The capabilities of a server that has these designed features as well. Word 0 is written before word 1 (wire.md 6.2). */
export function withDesigned(server: ServerCapabilities, names: readonly DesignedFeature[]): ServerCapabilities {
  if (names.length === 0) return server;
  const bits = names.reduce((word, name) => word | (1 << designedFeatures[name]), server.features_ext ?? 0);
  return { ...server, features: server.features ?? 0, features_ext: bits >>> 0 };
}
