import { accessSync, constants, existsSync, readdirSync, realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { profileSuffix } from "../../../src/phux/socket-path.ts";
import { type Check, failing, pass, warn } from "./check.ts";
import { logPlaces } from "./log-places.ts";
import { phuxVersion } from "./version.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Which phux this is, and whether a shell would start the same one. */
export function checkInstance({ PATH = "", PHUX_PROFILE }: Environment): Check {
  const profile = profileSuffix(PHUX_PROFILE).slice(1) || "default";
  const self = `phux ${phuxVersion}, profile ${profile}`;
  // Installed, this script lies in a folder beside the executable (install.ts).
  const own = join(dirname(dirname(Bun.main)), "phux");
  const found = Bun.which("phux", { PATH });
  if (found === null || !existsSync(own) || realpathSync(found) === realpathSync(own)) return pass("instance", self);
  return warn("instance", `${self}, at ${own}; PATH leads to ${found} instead`, `put ${dirname(own)} first on PATH`);
}

/** Logs that nobody reads should not fill the disk. */
const MANY_BYTES = 256 * 1024 * 1024;

/** Logs can be written, and have not grown out of hand. */
export function checkLogs(): Check {
  const { client_dir } = logPlaces();
  try {
    const facts = statSync(client_dir, { throwIfNoEntry: false });
    if (facts === undefined) return pass("logs", `none yet; they will be in ${client_dir}`);
    accessSync(client_dir, constants.W_OK | constants.X_OK);
    const bytes = readdirSync(client_dir)
      .filter((name) => name.endsWith(".log"))
      .reduce((sum, name) => sum + (statSync(join(client_dir, name), { throwIfNoEntry: false })?.size ?? 0), 0);
    const detail = `${client_dir} holds ${bytes} bytes of logs`;
    return bytes > MANY_BYTES ? warn("logs", detail, "delete the ones you do not need") : pass("logs", detail);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return failing("logs", `${client_dir} cannot be used: ${why}`, "make it a folder that you may write to");
  }
}
