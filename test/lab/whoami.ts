import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import type { LabServer } from "./server.ts";

/** phux.whoami/v1 of the owner at the Unix socket: every verb, everywhere (wire.md 21.4). */
export function whoami(server: LabServer): Record<string, unknown> {
  const uid = process.getuid?.() ?? 0;
  const { major, minor, patch } = server.release.version;
  return {
    schema_version: 1,
    principal: null,
    credential_id: null,
    auth_route: "uds",
    peer_uid: uid,
    serving_user: { uid, name: userName(uid) },
    host: hostname(),
    server_version: `${major}.${minor}.${patch}`,
    ssh_client: null,
    grant: [{ verbs: ["inventory", "observe", "create", "bind", "input", "signal"], selector: "global" }],
  };
}

/** Bun's own answer is what USER says; this one is the system's. Null where it has none. */
function userName(uid: number): string | null {
  try {
    const rows = readFileSync("/etc/passwd", "utf8").split("\n");
    return rows.map((row) => row.split(":")).find(([, , id]) => id === String(uid))?.[0] ?? null;
  } catch {
    return null;
  }
}
