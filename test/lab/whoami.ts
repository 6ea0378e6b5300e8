import { hostname, userInfo } from "node:os";
import type { LabServer } from "./server.ts";

/** phux.whoami/v1 of the owner at the Unix socket: every verb, everywhere (wire.md 21.4). */
export function whoami(server: LabServer): Record<string, unknown> {
  const { uid, username } = userInfo();
  const { major, minor, patch } = server.release.version;
  return {
    schema_version: 1,
    principal: null,
    credential_id: null,
    auth_route: "uds",
    peer_uid: uid,
    serving_user: { uid, name: username },
    host: hostname(),
    server_version: `${major}.${minor}.${patch}`,
    ssh_client: null,
    grant: [{ verbs: ["inventory", "observe", "create", "bind", "input", "signal"], selector: "global" }],
  };
}
