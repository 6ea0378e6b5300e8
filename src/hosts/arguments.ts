/** The words after `register`. Pure. */

import { resolve } from "node:path";
import { quote } from "../text/clean.ts";
import { nearest } from "../text/nearest.ts";
import { fail, ok, type Result } from "../wire/result.ts";
import { hostNamed, unknownHost } from "./all.ts";
import type { Host, Scope } from "./host.ts";

export interface Request {
  readonly host: Host;
  readonly scope: Scope;
  /** The server's name in the host. */
  readonly name: string;
  /** The program to start, absolute or for the host's PATH; null for our own choice. */
  readonly command: string | null;
  readonly variables: readonly (readonly [name: string, value: string])[];
  readonly readOnly: boolean;
  readonly tools: string | null;
  readonly print: boolean;
  readonly remove: boolean;
}

export type Parsed =
  | { readonly kind: "request"; readonly request: Request }
  | { readonly kind: "help" }
  | { readonly kind: "no-host"; readonly name: string };

type TextOption = (typeof TEXTS)[number];
type FlagOption = (typeof FLAGS)[number];

const TEXTS = ["--scope", "--name", "--command", "--tools"] as const;
const FLAGS = ["--read-only", "--print", "--remove"] as const;
const OPTIONS = [...TEXTS, "--env", ...FLAGS, "--help"];
const MOST_NAME_CHARACTERS = 64;

interface Words {
  readonly hosts: string[];
  readonly texts: Map<TextOption, string>;
  readonly variables: [string, string][];
  readonly flags: Set<FlagOption>;
}

/** Fails with what was wrong, as the end of a sentence. `folder` is what a relative --command is relative to. */
export function parseArguments(argv: readonly string[], folder: string): Result<Parsed, string> {
  if (argv.includes("--help") || argv.includes("-h")) return ok({ kind: "help" });
  const words: Words = { hosts: [], texts: new Map(), variables: [], flags: new Set() };
  for (let at = 0; at < argv.length; ) {
    const used = takeWord(argv, at, words);
    if (!used.ok) return used;
    at += used.value;
  }
  const [first, second] = words.hosts;
  if (second !== undefined) return fail(`one host at a time, and ${quote(second)} is a second one`);
  const name = words.texts.get("--name") ?? "phux";
  if (first === undefined) return ok({ kind: "no-host", name });
  const host = hostNamed(first);
  return host === null ? fail(unknownHost(first)) : requestOf(host, name, words, folder);
}

/** Takes the word at a place into `words`; gives how many were used. */
function takeWord(argv: readonly string[], at: number, words: Words): Result<number, string> {
  const word = argv[at] ?? "";
  if (!word.startsWith("-")) {
    words.hosts.push(word);
    return ok(1);
  }
  const equals = word.indexOf("=");
  const option = equals < 0 ? word : word.slice(0, equals);
  const flag = FLAGS.find((known) => known === option);
  if (flag !== undefined) {
    if (equals >= 0) return fail(`${flag} takes no value`);
    if (words.flags.has(flag)) return fail(`${flag} is given twice`);
    words.flags.add(flag);
    return ok(1);
  }
  const text = TEXTS.find((known) => known === option);
  if (text === undefined && option !== "--env") return fail(unknownOption(option));

  const next = equals < 0 ? argv[at + 1] : word.slice(equals + 1);
  // A value that looks like an option is most likely one whose turn it was not; `--name=-x` says that it is meant.
  if (next === undefined || (equals < 0 && next.startsWith("-"))) return fail(`${option} needs a value`);
  if (text === undefined) {
    const fault = takeVariable(next, words.variables);
    if (fault !== null) return fail(fault);
  } else {
    if (words.texts.has(text)) return fail(`${text} is given twice`);
    words.texts.set(text, next);
  }
  return ok(equals < 0 ? 2 : 1);
}

function unknownOption(option: string): string {
  const [closest] = nearest(option, OPTIONS, 1);
  return `no option ${quote(option)}${closest === undefined ? `: there are ${OPTIONS.join(" ")}` : `: did you mean ${closest}?`}`;
}

/** A value may be a secret, so that a message never repeats it. */
function takeVariable(pair: string, variables: [string, string][]): string | null {
  const equals = pair.indexOf("=");
  if (equals < 0) return "--env needs K=V";
  const name = pair.slice(0, equals);
  if (!/^[^\s\p{Cc}]+$/u.test(name)) return `--env ${quote(name)}=… has no usable name before the =`;
  if (variables.some(([known]) => known === name)) return `--env ${quote(name)} is given twice`;
  variables.push([name, pair.slice(equals + 1)]);
  return null;
}

function requestOf(host: Host, name: string, words: Words, folder: string): Result<Parsed, string> {
  const { texts, flags, variables } = words;
  const scope = texts.get("--scope") ?? "user";
  if (scope !== "user" && scope !== "project") return fail(`--scope is user or project, not ${quote(scope)}`);
  if (scope === "project" && host.project === null) {
    return fail(`${host.title} has no servers of a project; use --scope user`);
  }
  const fault = nameFault(host, name);
  if (fault !== null) return fail(fault);
  const command = texts.get("--command") ?? null;
  if (command?.trim() === "") return fail("--command is empty");
  const tools = texts.get("--tools") ?? null;
  if (tools?.trim() === "") return fail("--tools is empty");
  const request: Request = {
    host,
    scope,
    name,
    // A host starts the program in a folder of its own choice; a bare name is for its PATH.
    command: command === null || !command.includes("/") ? command : resolve(folder, command),
    variables,
    readOnly: flags.has("--read-only"),
    tools,
    print: flags.has("--print"),
    remove: flags.has("--remove"),
  };
  return ok({ kind: "request", request });
}

function nameFault({ title, serverName }: Host, name: string): string | null {
  if (name.trim() === "") return "--name is empty";
  if (name.length > MOST_NAME_CHARACTERS) return `--name has more than ${MOST_NAME_CHARACTERS} characters`;
  if (/\p{Cc}/u.test(name)) return `--name ${quote(name)} holds a control character`;
  if (serverName === null) return null;
  if (!serverName.pattern.test(name)) return `--name ${quote(name)}: ${title} takes ${serverName.spoken} only`;
  return serverName.reserved === name ? `--name ${quote(name)} is reserved by ${title}` : null;
}
