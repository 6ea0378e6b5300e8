import type { AnyFeature, DesignedFeature } from "../phux/designed-features.ts";

/** Features that tools ask a server for, with what does not work without them (tools.md, "Server features"). */
export const needed: readonly { readonly feature: AnyFeature; readonly without: string }[] = [
  { feature: "file_upload", without: "phux_upload" },
  { feature: "move_resource", without: "phux_move_pane into another session" },
  { feature: "acknowledged_input", without: "input that is known to have arrived" },
  { feature: "resource_kinds", without: "agent sessions and their logs" },
  { feature: "host_sessions", without: "the sessions of other hosts in phux_ls" },
  { feature: "event_journal", without: "phux_resource_wait from a cursor" },
  { feature: "retain_on_exit", without: "retain_secs of phux_spawn, phux_rm" },
  { feature: "spawn_idempotency", without: "keys of phux_new, phux_spawn and phux_relaunch" },
  { feature: "keyed_signal", without: "keys of phux_kill, phux_signal and phux_rm" },
  { feature: "approvals", without: "phux_approvals, phux_approve" },
  { feature: "relaunch", without: "phux_relaunch" },
  { feature: "mail", without: "mail between agents" },
  { feature: "claims", without: "claims" },
];

/** The designed features, in the order in which a page names them. */
export const designed: readonly DesignedFeature[] = ["relaunch", "mail", "claims"];
