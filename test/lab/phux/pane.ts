import { Action } from "../../../src/phux/action.ts";
import { KILL_RULES, killPanes, planKill } from "../../../src/phux/kill.ts";
import { selectorOf } from "../../../src/phux/target.ts";
import { ok } from "../../../src/wire/result.ts";
import { flag, optionalWord } from "./slot.ts";
import { stopServer } from "./stop-server.ts";
import { socket, verb } from "./verb.ts";

export const kill = verb({
  name: "kill",
  slots: { server: flag("--server"), socket, target: optionalWord("TARGET") },
  exclude: ({ server, target }) =>
    server === (target !== undefined) ? "name what to end: a TARGET, or --server for all of it" : null,
  async run(given, call) {
    if (given.target === undefined) return stopServer(call, given.socket);
    const selector = selectorOf(given.target, KILL_RULES);
    if (!selector.ok) return selector;
    const connection = await call.connect(given.socket);
    if (!connection.ok) return connection;
    const plan = await planKill(connection.value, given.target, null, call);
    if (!plan.ok) return plan;
    const action = new Action(connection.value, () => call.dial(connection.value.server.socket));
    const killed = await killPanes(plan.value, connection.value, action);
    return killed.ok ? ok({}) : killed;
  },
});
