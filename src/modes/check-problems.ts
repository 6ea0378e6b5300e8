import type { Refusal } from "../phux/errors.ts";
import { versions, versionText } from "../wire/version.ts";
import { type CheckFacts, isRefusal, type PhuxFacts, type ServerFacts, type SocketFacts } from "./check-facts.ts";

/** One thing that is wrong, in the order in which a person mends them. */
export interface Problem {
  readonly code: string;
  readonly message: string;
  readonly remedy: string;
  /** It keeps tools from working; otherwise all that works is less, or one of the ways to it is closed. */
  readonly blocks: boolean;
}

/** Everything that is wrong with what was found. */
export function problemsOf({ phux, socket, server, tools, binary, uid }: CheckFacts): readonly Problem[] {
  return [
    ...toolProblems(tools),
    ...phuxProblems(phux, binary),
    ...(isRefusal(socket) ? [said("socket_path", socket)] : socketProblems(socket, server, uid)),
    ...serverProblems(server),
  ];
}

function toolProblems(tools: CheckFacts["tools"]): Problem[] {
  if (tools.kind === "offered") return [];
  const remedy = "correct that variable where the host starts phux-mcp, or take it out for all tools";
  return [blocking("tools_setting", `phux-mcp refuses to serve: ${tools.why}`, remedy)];
}

function phuxProblems(phux: PhuxFacts, binary: CheckFacts["binary"]): Problem[] {
  if (phux.kind === "missing") {
    const remedy = `install phux beside ${binary.path}, or put its folder on the PATH of the host that starts phux-mcp`;
    return [blocking("no_phux", phux.why, remedy)];
  }
  if (phux.version.kind === "failed") {
    const remedy = "run it by hand, then install phux again";
    return [blocking("phux_broken", `${phux.path} --version: ${phux.version.why}`, remedy)];
  }
  if (phux.launcher.kind === "failed") {
    const remedy = `register phux-mcp itself, as ${binary.path} without arguments, or install a phux that has \`mcp\``;
    return [lesser("no_launcher", `\`phux mcp\` starts no phux-mcp: ${phux.launcher.why}`, remedy)];
  }
  const theirs = phux.launcher.text;
  if (theirs === `phux-mcp ${binary.version}`) return [];
  const message = `\`phux mcp\` starts ${theirs}, and this is phux-mcp ${binary.version}`;
  return [lesser("other_launcher", message, "check which of the two the host shall start, and remove the other")];
}

function socketProblems(socket: SocketFacts, server: ServerFacts, uid: number | null): Problem[] {
  const { standing, unsafe, path, listening } = socket;
  if (unsafe !== null) {
    const foreign = standing !== null && standing.uid !== uid && standing.uid !== 0;
    return [said(foreign ? "foreign_owner" : "unsafe_socket", unsafe)];
  }
  if (server.kind !== "fails") return [];
  const { silent, refusal } = server;
  const hung = "look at the server's log (`phux doctor`); when it hangs, end it and start it again";
  if (silent) return [blocking("silent_server", refusal.message, hung)];
  if (refusal.code !== "no_server") return [said(refusal.code ?? "server", refusal)];
  const way = socket.origin === "argument" ? "--socket" : "PHUX_SOCKET";
  if (standing === null) {
    const other =
      socket.origin === "default" ? "name its socket in PHUX_SOCKET where it has another" : `correct ${way}`;
    return [blocking("no_server", refusal.message, `start phux (\`phux\`, or \`phux server\`), or ${other}`)];
  }
  if (standing.kind !== "socket") {
    const remedy = `${way} must name the server's socket; \`phux doctor\` shows which that is`;
    return [blocking("not_a_socket", refusal.message, remedy)];
  }
  if (refusal.message.includes("may not open")) return [said("no_access", refusal)];
  // A queue that is full is refused like a dead file, and a second server would take the place of the one that hangs.
  if (listening) return [blocking("silent_server", `a server listens at ${path} and accepts no more calls`, hung)];
  const message = `${path} is a socket where nobody accepts: most likely its server is gone and left it behind`;
  return [blocking("stale_socket", message, "start phux (`phux`, or `phux server`): a new server replaces the file")];
}

function serverProblems(server: ServerFacts): Problem[] {
  if (server.kind !== "answers") return [];
  const found: Problem[] = [];
  if (isRefusal(server.sessions)) found.push(said("no_state", server.sessions));
  const [newest] = versions;
  const { version, lacking } = server;
  if (version.major < newest.major || (version.major === newest.major && version.minor < newest.minor)) {
    const message = `the server speaks protocol ${versionText(version)}; the newest is ${versionText(newest)}`;
    found.push(lesser("old_server", message, "upgrade phux when it suits you (`phux upgrade`)"));
  }
  if (lacking.length > 0) {
    const list = lacking.map(({ feature, without }) => `${feature} (${without})`).join(", ");
    const remedy = "upgrade phux (`phux upgrade`), or do without them: everything else works";
    found.push(lesser("features_missing", `the server lacks ${list}`, remedy));
  }
  return found;
}

const blocking = (code: string, message: string, remedy: string): Problem => ({ code, message, remedy, blocks: true });
const lesser = (code: string, message: string, remedy: string): Problem => ({ code, message, remedy, blocks: false });

/** A refusal as a tool would have answered it. */
function said(code: string, { message, remedy }: Refusal): Problem {
  return blocking(code, message, remedy || "run `phux doctor`");
}
