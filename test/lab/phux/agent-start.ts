import { Deadline } from "../../../src/phux/deadline.ts";
import { refuse } from "../../../src/phux/errors.ts";
import { fail, ok, type Result } from "../../../src/wire/result.ts";
import { type Manifest, manifestOf } from "../detect/manifest.ts";
import { refuseTarget } from "./agent-target.ts";
import { detectionIsOn } from "./agents-config.ts";
import { withGrace } from "./grace.ts";
import { findIntegration, type Integration, loadIntegrations, qualified } from "./integrations.ts";
import { type CliRefusal, refuseCli } from "./refusal.ts";
import { behindDashes, flag, value, wholeNumber, word } from "./slot.ts";
import { startAgent } from "./start-agent.ts";
import { json, socket, verb } from "./verb.ts";

const DEFAULT_START_SECONDS = 60;
/** A name that `%name` can address. */
const NAME = /^[a-z][a-z0-9_-]{0,31}$/;

export const agentStart = verb({
  name: "agent start",
  contract: 1,
  slots: {
    kind: value("--kind"),
    target: value("--target"),
    integration: value("--integration"),
    timeout: wholeNumber("--timeout"),
    noWait: flag("--no-wait"),
    force: flag("--force"),
    json,
    socket,
    name: word("NAME"),
    args: behindDashes("ARGS"),
  },
  exclude({ kind, target, timeout }) {
    if (kind === undefined) return "--kind is missing";
    if (target === undefined) return "--target is missing";
    return timeout === 0 ? "--timeout is at least 1 s" : null;
  },
  async run(given, call) {
    const { name, kind = "", target = "", timeout = DEFAULT_START_SECONDS, noWait } = given;
    const deadline = new Deadline(timeout * 1_000, call.signal);
    const refused = refuseName(name, kind) ?? refuseTarget(target);
    if (refused !== null) return fail(refused);
    const integration = await chooseIntegration(kind, given.integration);
    if (!integration.ok) return integration;
    const manifest = noWait ? ok(null) : await manifestToWaitBy(kind);
    if (!manifest.ok) return manifest;
    const connection = await call.connect(given.socket, withGrace(timeout, call));
    if (!connection.ok) return connection;
    const wish = { ...given, kind, target, integration: integration.value, manifest: manifest.value, timeout };
    const started = await startAgent(connection.value, wish, call, deadline);
    if (!started.ok) return started;
    const { terminal, check, ready } = started.value;
    return ok({
      document: {
        ...{ schema_version: 1, terminal, name, kind, integration: integration.value.id, started: true },
        ...{ ready: ready !== null, state: ready?.state ?? "unknown", shell_check: check },
        readiness: ready?.readiness ?? null,
      },
      text: `${terminal}\t${name}\t${ready?.state ?? "started"}\n`,
    });
  },
});

function refuseName(name: string, kind: string): CliRefusal | null {
  if (!NAME.test(name)) {
    const form = "a name is a lower-case letter and up to 31 more letters, digits, - or _";
    return refuse("invalid_agent_name", `${JSON.stringify(name)} cannot be addressed: ${form}`);
  }
  if (name !== kind.toLowerCase()) return null;
  return refuse("invalid_agent_name", `${JSON.stringify(name)} is the kind, which every agent of it has`);
}

/** The integration that starts a kind: the one that was named, or the only one there is. */
async function chooseIntegration(kind: string, named: string | undefined): Promise<Result<Integration, CliRefusal>> {
  const integrations = await loadIntegrations(process.env);
  if (!integrations.ok) return integrations;
  const isOfKind = ({ agent_identity }: Integration) => agent_identity?.kind === kind;
  if (named !== undefined) {
    const found = findIntegration(integrations.value, named);
    if (!found.ok || isOfKind(found.value)) return found;
    return fail(refuseCli("unknown_integration", `${qualified(found.value)} starts no agent of kind ${kind}`));
  }
  const { launchable, broken, lacking } = integrations.value;
  const [only, ...more] = launchable.filter(isOfKind);
  if (only === undefined) {
    const why = [`no launchable integration starts an agent of kind ${kind}`, ...lacking, ...broken].join("; ");
    return fail(refuseCli("unknown_integration", why, broken.length > 0 ? 1 : 2));
  }
  if (more.length === 0) return ok(only);
  const all = [only, ...more].map(qualified).join(", ");
  return fail(refuseCli("ambiguous_integration", `several integrations start an agent of kind ${kind}: ${all}`));
}

/** Without a manifest nobody could tell that the agent is ready. */
async function manifestToWaitBy(kind: string): Promise<Result<Manifest, CliRefusal>> {
  const detection = await detectionIsOn(process.env);
  if (!detection.ok) return detection;
  if (!detection.value) return fail(refuseCli("agent_detection_unavailable", "detection of agents is switched off"));
  const manifest = manifestOf(kind);
  if (manifest !== null) return ok(manifest);
  return fail(refuseCli("unsupported_agent_kind", `an agent of kind ${kind} cannot be seen to be ready`));
}
