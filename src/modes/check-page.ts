import { beginningOf } from "../text/character.ts";
import { cleanText } from "../text/clean.ts";
import { versionText } from "../wire/version.ts";
import { type Answered, type CheckFacts, isRefusal } from "./check-facts.ts";
import { type Problem, problemsOf } from "./check-problems.ts";

/** A fact is one line; what a server or a PATH of hundreds of folders adds to it is cut here. */
const LINE_CHARACTERS = 600;
/** A text of the document. */
const TEXT_CHARACTERS = 4_000;
/** Wide enough for the longest label. */
const LABEL = 10;

/** Whether tools work: nothing that was found keeps them from it. */
export function isFine(facts: CheckFacts): boolean {
  return problemsOf(facts).every(({ blocks }) => !blocks);
}

/** The page for a person: a fact a line, then what to do. Ends with a newline. */
export function checkPage(facts: CheckFacts): string {
  const rows = [
    ["phux", phuxLine(facts.phux)],
    ["launcher", launcherLine(facts.phux)],
    ["socket", socketLine(facts.socket)],
    ["owner", ownerLine(facts)],
    ["server", serverLine(facts)],
    ["features", featureLine(facts.server)],
    ["sessions", sessionLine(facts.server)],
    ["tools", toolLine(facts.tools)],
    ["binary", `phux-mcp ${facts.binary.version}, ${facts.binary.path}`],
  ] as const;
  const lines = rows.map(([label, text]) => `${label.padEnd(LABEL)}${lineOf(text)}`);
  return `${[...lines, "", ...nextSteps(problemsOf(facts))].join("\n")}\n`;
}

/** The same facts as one document on one line, with a newline. */
export function checkDocument(facts: CheckFacts): string {
  const { phux, socket, server, tools, binary, uid } = facts;
  const problems = problemsOf(facts);
  const document = {
    schema_version: 1,
    ok: problems.every(({ blocks }) => !blocks),
    problems,
    phux:
      phux.kind === "found"
        ? { path: phux.path, version: textOf(phux.version), launcher: textOf(phux.launcher) }
        : { path: null, version: null, launcher: null },
    socket: isRefusal(socket)
      ? null
      : {
          path: socket.path,
          origin: socket.origin,
          kind: socket.standing?.kind ?? null,
          owner_uid: socket.standing?.uid ?? null,
          listening: socket.listening,
          mode: socket.standing === null ? null : modeOf(socket.standing.mode),
          safe: socket.unsafe === null,
        },
    our_uid: uid,
    server:
      server.kind === "answers"
        ? { protocol: versionText(server.version), features: server.features, id: server.id, lacking: server.lacking }
        : null,
    sessions: server.kind === "answers" && !isRefusal(server.sessions) ? server.sessions : null,
    tools:
      tools.kind === "offered"
        ? { count: tools.count, of: tools.of, fewer_by: tools.fewerBy, bytes: tools.bytes }
        : null,
    binary,
  };
  return `${cleanText(JSON.stringify(document, shortened))}\n`;
}

function nextSteps(problems: readonly Problem[]): string[] {
  if (problems.length === 0) return ["Everything works."];
  const fine = problems.every(({ blocks }) => !blocks);
  const steps = problems.flatMap(({ message, remedy }, at) => [
    `${at + 1}. ${lineOf(message)}`,
    `   ${lineOf(remedy)}`,
  ]);
  return [...(fine ? ["It works. What could be better:"] : ["What to do:"]), ...steps];
}

function phuxLine(phux: CheckFacts["phux"]): string {
  if (phux.kind === "missing") return "not found";
  return `${phux.version.kind === "said" ? phux.version.text : "does not say its version"}, ${phux.path}`;
}

function launcherLine(phux: CheckFacts["phux"]): string {
  if (phux.kind === "missing" || phux.version.kind === "failed") return "not asked";
  return phux.launcher.kind === "said" ? `\`phux mcp\` starts ${phux.launcher.text}` : "none: `phux mcp` does not work";
}

function socketLine(socket: CheckFacts["socket"]): string {
  if (isRefusal(socket)) return "none that can be used";
  const origin = { argument: "from --socket", PHUX_SOCKET: "from PHUX_SOCKET", default: "the default" }[socket.origin];
  return `${socket.path} (${origin})`;
}

function ownerLine({ socket, uid }: CheckFacts): string {
  if (isRefusal(socket)) return "-";
  const { standing } = socket;
  if (standing === null) return "nothing stands there";
  const what = { socket: "a socket", file: "a plain file", folder: "a folder", other: "no socket" }[standing.kind];
  const we = uid === null ? "" : `, and we are user ${uid}`;
  const whose = standing.uid === uid ? `ours (user ${uid})` : `of user ${standing.uid}${we}`;
  return `${what}, ${whose}, mode ${modeOf(standing.mode)}`;
}

function serverLine({ server, socket }: CheckFacts): string {
  if (server.kind === "not_asked") return "not asked";
  if (server.kind === "fails") {
    const isThere = server.silent || (!isRefusal(socket) && socket.listening);
    return isThere ? "does not answer" : "none that answers";
  }
  return `answers, protocol ${versionText(server.version)}, server id ${server.id}`;
}

function featureLine(server: CheckFacts["server"]): string {
  if (server.kind !== "answers") return "-";
  return server.features.length === 0 ? "none" : `${server.features.length}: ${server.features.join(", ")}`;
}

function sessionLine(server: CheckFacts["server"]): string {
  if (server.kind !== "answers") return "-";
  const { sessions } = server;
  if (isRefusal(sessions)) return "could not be read";
  const more = sessions.count - sessions.names.length;
  const names = sessions.names.join(", ") + (more > 0 ? ` and ${more} more` : "");
  return `${sessions.count}${names === "" ? "" : ` (${names})`}, panes ${sessions.panes}`;
}

function toolLine(tools: CheckFacts["tools"]): string {
  if (tools.kind === "refused") return "none: the setting cannot be used";
  const { count, of, fewerBy, bytes } = tools;
  const fewer = fewerBy.length === 0 ? "" : ` of ${of}, by ${fewerBy.join(" and ")}`;
  return `${count}${fewer}; a host reads ${bytes} bytes of tools/list`;
}

function textOf(answered: Answered): string | null {
  return answered.kind === "said" ? answered.text : null;
}

const modeOf = (mode: number) => `0${mode.toString(8).padStart(3, "0")}`;

// A line stays one: what breaks it in a terminal or in an editor is shown, as the other controls are.
function lineOf(text: string): string {
  return cleanText(cutAt(text, LINE_CHARACTERS)).replace(
    /[\n\t\u2028\u2029]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function shortened(_key: string, value: unknown): unknown {
  return typeof value === "string" ? cutAt(value, TEXT_CHARACTERS) : value;
}

function cutAt(text: string, most: number): string {
  return text.length > most ? `${beginningOf(text, most)}…` : text;
}
