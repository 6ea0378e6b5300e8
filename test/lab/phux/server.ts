import { formatResource } from "../../../src/phux/selector.ts";
import { featureNames } from "../../../src/wire/capability.ts";
import type { SessionSnapshot } from "../../../src/wire/frame.ts";
import { fail, ok } from "../../../src/wire/result.ts";
import { versionText } from "../../../src/wire/version.ts";
import { processRow } from "../process-table.ts";
import { listenerOf } from "./listener.ts";
import { logPlaces } from "./log-places.ts";
import { oneOf, value } from "./slot.ts";
import { json, socket, verb } from "./verb.ts";

export const status = verb({
  name: "status",
  contract: 1,
  slots: { json, socket },
  async run(given, call) {
    const path = call.socket(given.socket);
    if (!path.ok) return path;
    const connection = await call.dial(path.value);
    if (!connection.ok) {
      if (connection.error.code !== "no_server" || !given.json) return connection;
      const { code, message, remedy } = connection.error;
      return ok({
        document: { schema_version: 1, running: false, socket: path.value, error: { code, message }, remedy },
        exit: 1,
      });
    }
    const state = await connection.value.state();
    if (!state.ok) return fail(state.error.refusal);
    const { version, capabilities } = connection.value.server;
    const pid = listenerOf(path.value);
    const started = pid === null ? null : (processRow(pid)?.startMs ?? null);
    const document = {
      ...{ schema_version: 1, running: true, pid, socket: path.value },
      since_unix_secs: started === null ? null : Math.floor(started / 1_000),
      protocol: version,
      features: featureNames(capabilities),
      ...inhabitants(state.value.snapshot),
      unreachable: state.value.notices,
      logs: logPlaces(),
    };
    const { clients, sessions } = document;
    const counts = `${sessions.length} sessions, ${clients} clients attached`;
    return ok({ document, text: `running at ${path.value}: protocol ${versionText(version)}, ${counts}\n` });
  },
});

function inhabitants({ sessions, resources }: SessionSnapshot) {
  return {
    clients: sessions.reduce((sum, session) => sum + session.attached_client_count, 0),
    sessions: sessions.map(({ name, window_count, attached_client_count }) => ({
      ...{ name, windows: window_count, attached_clients: attached_client_count },
    })),
    satellite_terminals: resources.filter(({ id }) => id.tag === "satellite").map(({ id }) => formatResource(id)),
  };
}

export const server = verb({
  name: "server",
  slots: { session: value("--session"), protocol: oneOf(["0.8", "0.9", "1.0"], "--protocol"), socket },
  async run(given, call) {
    const path = call.socket(given.socket);
    if (!path.ok) return path;
    // Only this verb needs the server and its emulator: every other one starts without reading them.
    const { serveInForeground } = await import("./foreground.ts");
    return serveInForeground(path.value, given.session ?? "default", given.protocol ?? "1.0");
  },
});
