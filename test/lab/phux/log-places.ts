import { homedir } from "node:os";
import { join } from "node:path";

/** Where a phux keeps its logs (recorded 0.8). */
export function logPlaces(): { readonly server: string; readonly client_dir: string } {
  const state = process.env["XDG_STATE_HOME"] || join(process.env["HOME"] ?? homedir(), ".local", "state");
  const client_dir = join(state, "phux");
  return { server: join(client_dir, "server.log"), client_dir };
}
