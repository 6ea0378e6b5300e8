import type { Random } from "../fuzz/random.ts";

/** One call that an agent could make. */
export interface Deed {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** What happens in a long day, by its weight among all deeds. Every call of it is answered, many of them with a refusal. */
const day: readonly (readonly [weight: number, make: (random: Random) => Deed])[] = [
  [160, () => ({ tool: "phux_ls", arguments: {} })],
  [160, (random) => ({ tool: "phux_snapshot", arguments: { target: pane(random), scrollback: random.below(50) } })],
  [120, (random) => ({ tool: "phux_send_keys", arguments: { target: pane(random), keys: ["x", "BSpace"] } })],
  [40, (random) => ({ tool: "phux_paste", arguments: { target: pane(random), text: "é 漢 😀" } })],
  [20, (random) => ({ tool: "phux_send_keys", arguments: { target: pane(random), keys: ["C-u"] } })],
  [
    30,
    (random) => ({
      tool: "phux_wait",
      arguments: { target: pane(random), until: "never there", timeout_secs: random.below(3) },
    }),
  ],
  [
    30,
    (random) => ({
      tool: "phux_wait",
      arguments: { target: pane(random), idle_ms: random.below(60), timeout_secs: 1 },
    }),
  ],
  [
    20,
    (random) => ({
      tool: "phux_watch",
      arguments: { target: pane(random), max_events: 2, timeout_secs: random.below(2) },
    }),
  ],
  [
    40,
    (random) => ({
      tool: "phux_tag",
      arguments: { action: random.pick(["ls", "add", "rm"]), target: pane(random), tags: ["soak"] },
    }),
  ],
  [40, (random) => ({ tool: "phux_resource_show", arguments: { target: pane(random) } })],
  [
    20,
    (random) => ({
      tool: "phux_agent_set",
      arguments: { target: pane(random), name: "soaker", state: random.pick(["idle", "working"]) },
    }),
  ],
  [20, (random) => ({ tool: "phux_agent_clear", arguments: { target: pane(random) } })],
  [20, () => ({ tool: "phux_mail_send", arguments: { to: "soaker", body: "hello", ttl_secs: 60 } })],
  [20, () => ({ tool: "phux_mail_read", arguments: { mailbox: "soaker", limit: 5 } })],
  [20, (random) => ({ tool: "phux_claim_take", arguments: { name: `soak-${random.below(4)}`, ttl_secs: 5 } })],
  [40, () => ({ tool: "phux_operation_status", arguments: {} })],
  [20, (random) => ({ tool: "phux_kill", arguments: { target: `@${1_000 + random.below(9)}`, confirm: true } })],
  [5, () => ({ tool: "phux_spawn", arguments: { target: "@1", command: ["/bin/sh", "-c", "exit 0"] } })],
  // What a model gets wrong.
  [20, () => ({ tool: "phux_snapshto", arguments: {} })],
  [20, () => ({ tool: "phux_send_keys", arguments: { target: "@1", kyes: ["a"] } })],
  [20, (random) => ({ tool: "phux_snapshot", arguments: { target: random.pick(["::", "@x", "nobody", "#none"]) } })],
  // Each of these costs a process.
  [6, () => ({ tool: "phux_status", arguments: {} })],
  [3, () => ({ tool: "phux_agent_list", arguments: {} })],
  [2, () => ({ tool: "phux_run", arguments: { target: "@1", command: "true", timeout_secs: 5 } })],
];

/** The panes that the soak makes before it begins. */
export const PANES = 4;

function pane(random: Random): string {
  return `@${1 + random.below(PANES)}`;
}

const total = day.reduce((sum, [weight]) => sum + weight, 0);

export function deed(random: Random): Deed {
  let at = random.below(total);
  for (const [weight, make] of day) {
    at -= weight;
    if (at < 0) return make(random);
  }
  throw new Error("the weights do not add up");
}
