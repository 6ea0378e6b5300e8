import { resolve } from "node:path";
import { refuse } from "../../../src/phux/errors.ts";
import { layoutTabs } from "../../../src/phux/layouts.ts";
import { listing } from "../../../src/phux/listing.ts";
import { refuseSessionName } from "../../../src/phux/session-name.ts";
import { requireFeature } from "../../../src/phux/target.ts";
import { hasFeature } from "../../../src/wire/capability.ts";
import { fail, ok } from "../../../src/wire/result.ts";
import { createSession } from "./create-session.ts";
import type { CliRefusal } from "./refusal.ts";
import { behindDashes, optionalWord, value, values } from "./slot.ts";
import { connectOrStart } from "./start-server.ts";
import { json, socket, verb } from "./verb.ts";

export const ls = verb({
  name: "ls",
  contract: 3,
  slots: { json, socket },
  async run(given, call) {
    const connection = await call.connect(given.socket);
    if (!connection.ok) return connection;
    const state = await connection.value.state();
    if (!state.ok) return fail(state.error.refusal);
    const { snapshot, notices } = state.value;
    const tabs = await layoutTabs(connection.value, snapshot);
    if (!tabs.ok) return tabs;
    const hostsKnown = hasFeature(connection.value.server.capabilities, "host_sessions");
    const document = listing(snapshot, { tabs: tabs.value, notices, hostsKnown });
    for (const notice of notices) call.remark(`part of the fleet did not answer: ${notice}`);
    const text = document.sessions.map(
      ({ name, windows, attached }) =>
        `${name}: ${windows} ${windows === 1 ? "window" : "windows"}${attached ? " (attached)" : ""}\n`,
    );
    return ok({ document, text: text.join("") });
  },
});

export const create = verb({
  name: "new",
  contract: 1,
  slots: {
    session: value("-s", "--session"),
    cwd: value("-c", "--cwd"),
    env: values("-e", "--env"),
    key: value("--idempotency-key"),
    json,
    socket,
    name: optionalWord("NAME"),
    command: behindDashes("COMMAND"),
  },
  exclude({ session, name, env }) {
    if (session === undefined && name === undefined) return "a session needs a name: -s NAME";
    if (session !== undefined && name !== undefined) return "the name is given twice";
    const wrong = env.find((pair) => !/^[^=]+=/.test(pair));
    return wrong === undefined ? null : `--env takes NAME=VALUE, not ${wrong}`;
  },
  async run(given, call) {
    const name = given.session ?? given.name ?? "";
    const unnameable = refuseSessionName(name) ?? refuseKey(given.key);
    if (unnameable !== null) return fail(unnameable);
    const connection = await connectOrStart(call, given.socket);
    if (!connection.ok) return connection;
    const lacking = given.key === undefined ? null : requireFeature(connection.value, "spawn_idempotency");
    if (lacking !== null) return fail(lacking);
    const created = await createSession(connection.value, {
      name,
      command: given.command,
      // The server's own directory means nothing to the person who types this (0.22 sends it always, recorded).
      cwd: resolve(given.cwd ?? "."),
      env: Object.fromEntries(given.env.map((pair): [string, string] => halves(pair))),
      key: given.key ?? null,
      origin: null,
    });
    if (!created.ok) return created;
    const document = { schema_version: 1, session: name, terminal_id: created.value };
    return ok({ document, text: `${name}: @${created.value}\n` });
  },
});

function halves(pair: string): [name: string, value: string] {
  const at = pair.indexOf("=");
  return [pair.slice(0, at), pair.slice(at + 1)];
}

function refuseKey(key: string | undefined): CliRefusal | null {
  if (key === undefined || (/^[0-9a-f]{32}$/i.test(key) && !/^0+$/.test(key))) return null;
  return refuse("invalid_idempotency_key", `${JSON.stringify(key)} is no key of 32 hex digits, not all of them 0`);
}
