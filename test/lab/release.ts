import { type AnyFeature, type DesignedFeature, withDesigned } from "../../src/phux/designed-features.ts";
import { capabilitiesOf, type Feature, type ServerCapabilities } from "../../src/wire/capability.ts";
import type { ProtocolVersion } from "../../src/wire/version.ts";

export type ReleaseName = "0.8" | "0.9" | "1.0";

/** Which phux the lab plays: what it says in HELLO_OK, and whether it has the ways of 0.22 (wire.md 25.1, 26). */
export type Release = {
  readonly name: ReleaseName;
  readonly version: ProtocolVersion;
  readonly features: readonly Feature[];
  /** Of the features that no release is known to have, those that the lab gives its newest one. */
  readonly designed: readonly DesignedFeature[];
  readonly eight: boolean;
};

const eightFeatures = [
  "acknowledged_input",
  "file_upload",
  "move_resource",
  "terminal_reply",
  "shutdown",
  "spawn_initial_size",
  "report_agent_state",
] as const satisfies readonly Feature[];

/** Only what the lab really does: a bit without its command would be a lie to every test that looks at it. */
const nineFeatures = [
  ...eightFeatures,
  "get_perf",
  "resource_kinds",
  "list_directory",
  "host_sessions",
  "keep_empty_sessions",
  "whoami",
  "conditional_kill",
  "event_journal",
  "retain_on_exit",
  "spawn_idempotency",
  "attach_roles",
  "close_tab_resources",
  "keyed_signal",
  "approvals",
] as const satisfies readonly Feature[];

const designedFeatures = ["relaunch", "mail", "claims"] as const satisfies readonly DesignedFeature[];

const releases: Readonly<Record<ReleaseName, Release>> = {
  "0.8": { name: "0.8", version: { major: 0, minor: 8, patch: 0 }, features: eightFeatures, designed: [], eight: true },
  "0.9": { name: "0.9", version: { major: 0, minor: 9, patch: 0 }, features: nineFeatures, designed: [], eight: false },
  "1.0": {
    name: "1.0",
    version: { major: 1, minor: 0, patch: 0 },
    features: nineFeatures,
    designed: designedFeatures,
    eight: false,
  },
};

/** A release, less the features in `without`: the server of someone who has not upgraded, or has switched them off. */
export function release(name: ReleaseName, without: readonly AnyFeature[] = []): Release {
  const whole = releases[name];
  const isLeft = (feature: AnyFeature) => !without.includes(feature);
  return { ...whole, features: whole.features.filter(isLeft), designed: whole.designed.filter(isLeft) };
}

export function isReleaseName(text: string): text is ReleaseName {
  return text in releases;
}

export function capabilities({ features, designed }: Release): ServerCapabilities {
  return withDesigned(capabilitiesOf(features), designed);
}
