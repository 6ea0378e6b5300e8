import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { sentence } from "../../../src/phux/errors.ts";
import { fail, ok, type Result } from "../../../src/wire/result.ts";
import type { Call } from "./call.ts";
import { findIntegration, type Integration, type Integrations, loadIntegrations } from "./integrations.ts";
import { type LaunchPlan, planLaunch } from "./launch-plan.ts";
import { confirmOrigin, startPane, takeBack } from "./new-pane.ts";
import { findOwner, type Owner, placeBeside, refuseWanted, type Wanted } from "./placement.ts";
import type { CliRefusal } from "./refusal.ts";
import { behindDashes, flag, oneOf, optionalWord, value } from "./slot.ts";
import { connectOrStart } from "./start-server.ts";
import { type Answer, json, socket, verb } from "./verb.ts";

export const launch = verb({
  name: "launch",
  contract: 1,
  slots: {
    list: flag("--list"),
    json,
    target: value("--target"),
    split: oneOf(["horizontal", "vertical"], "--split"),
    ratio: value("--ratio"),
    projection: value("--projection"),
    cwd: value("-c", "--cwd"),
    socket,
    integration: optionalWord("INTEGRATION"),
    extra: behindDashes("EXTRA"),
  },
  exclude({ list, json: _, integration, extra, ...where }) {
    if (list === (integration !== undefined)) return "name what to launch: an INTEGRATION, or --list to see them";
    const more = Object.entries(where).flatMap(([name, given]) => (given === undefined ? [] : [`--${name}`]));
    if (list && (more.length > 0 || extra.length > 0)) return `--list goes alone, without ${more[0] ?? "arguments"}`;
    const { target, split, ratio, projection } = where;
    if (target === undefined && (split ?? ratio ?? projection) !== undefined) {
      return "--split, --ratio and --projection say how to share the place of a --target";
    }
    return ratio === undefined || /^\d*\.?\d+(e-?\d+)?$/i.test(ratio) ? null : `--ratio takes a number, not ${ratio}`;
  },
  async run(given, call) {
    const integrations = await loadIntegrations(process.env);
    if (!integrations.ok) return integrations;
    if (given.list) return listed(integrations.value, call);
    const integration = findIntegration(integrations.value, given.integration ?? "");
    if (!integration.ok) return integration;
    const wanted =
      given.target === undefined
        ? null
        : {
            target: given.target,
            split: given.split ?? "horizontal",
            ratio: Number(given.ratio ?? 0.5),
            projection: given.projection ?? null,
          };
    const wrong = wanted === null ? null : refuseWanted(wanted);
    if (wrong !== null) return fail(wrong);
    const plan = planFor(integration.value, given, call);
    if (!plan.ok) return plan;
    const started = await start(plan.value, wanted, given.socket, call);
    if (!started.ok) return started;
    const { id: name, plugin } = integration.value;
    const { argv } = plan.value;
    return ok({
      document: { schema_version: 1, terminal_id: started.value, integration: name, plugin, argv },
      text: `${name}: @${started.value}\n`,
    });
  },
});

function listed({ launchable, broken, lacking }: Integrations, call: Call): Answer {
  for (const sentence of [...lacking, ...broken]) call.remark(sentence);
  const integrations = launchable.map(({ id, plugin, display_name, kind, agent_identity }) => ({
    ...{ integration: id, plugin, display_name: display_name ?? null, kind: kind ?? null },
    agent_kind: agent_identity?.kind ?? null,
  }));
  const text = launchable.map(({ id, plugin, display_name }) => `${id}\t${display_name ?? id}\t${plugin}\n`);
  return ok({ document: { schema_version: 1, integrations }, text: text.join("") });
}

function planFor(
  integration: Integration,
  { cwd, extra }: { readonly cwd: string | undefined; readonly extra: readonly string[] },
  call: Call,
): Result<LaunchPlan, CliRefusal> {
  if (cwd !== undefined && integration.launch.working_directory === "plugin-root") {
    call.remark(`${integration.id} runs in the folder of its plugin, whatever --cwd says`);
  }
  const native = integration.session_identity?.native_env;
  const plan = planLaunch(integration, {
    cwd: resolve(cwd ?? "."),
    extra,
    nativeId: (native !== undefined && process.env[native]) || null,
    freshId: randomUUID,
  });
  return plan.ok ? plan : fail(sentence(plan.error, 2));
}

/** Starts the pane where it is wanted; one that cannot be there is removed again. */
async function start(
  plan: LaunchPlan,
  wanted: Wanted | null,
  socketArgument: string | undefined,
  call: Call,
): Promise<Result<number, CliRefusal>> {
  // A pane to stand beside needs a server that has it; without one, a server is started (tools.md 11).
  const dialled = await (wanted === null ? connectOrStart(call, socketArgument) : call.connect(socketArgument));
  if (!dialled.ok) return dialled;
  const connection = dialled.value;
  const owner: Result<Owner | null, CliRefusal> =
    wanted === null ? ok(null) : await findOwner(connection, wanted, call);
  if (!owner.ok) return owner;
  const pane = await startPane(connection, { ...plan, owner: owner.value?.place.pane ?? null });
  if (!pane.ok) return pane;
  const unconfirmed = plan.origin === null ? null : await confirmOrigin(connection, pane.value, plan.origin);
  const misplaced =
    unconfirmed !== null || wanted === null || owner.value === null
      ? null
      : await placeBeside(connection, owner.value, pane.value, wanted);
  const failed = unconfirmed ?? misplaced;
  return failed === null ? ok(pane.value.id) : fail(await takeBack(connection, pane.value, failed));
}
