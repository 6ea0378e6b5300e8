import { stringifyDocument } from "../../../src/phux/json-number.ts";
import type { Call } from "./call.ts";
import { capabilities } from "./capabilities.ts";
import { printable } from "./printable.ts";
import { type CliRefusal, refusalDocument } from "./refusal.ts";
import type { Answer, Verb } from "./verb.ts";
import { phuxVersion } from "./version.ts";

/** Everything that one run of the program leaves behind. */
export interface Printed {
  readonly stdout: string;
  readonly stderr: string;
  readonly exit: number;
}

const said = (stdout: string): Printed => ({ stdout, stderr: "", exit: 0 });

/** What `phux ARGV...` prints, and its exit status. A bug is an answer too. */
export async function dispatch(argv: readonly string[], verbs: readonly Verb[], call: Call): Promise<Printed> {
  const printed = await answer(argv, verbs, call).catch((bug: unknown) => ({
    ...{ stdout: "", exit: 1 },
    stderr: `phux: this is a defect of the lab: ${bug instanceof Error ? bug.stack : bug}\n`,
  }));
  return { ...printed, stderr: printable(printed.stderr) };
}

async function answer(argv: readonly string[], verbs: readonly Verb[], call: Call): Promise<Printed> {
  const [first] = argv;
  if (first === "--version" || first === "-V") return said(`phux ${phuxVersion}\n`);
  if (first === "--help" || first === "-h" || first === "help") return said(overview(verbs));
  if (first === "--capabilities") {
    if (argv[1] === "--json") return said(`${stringifyDocument(capabilities(verbs), 0)}\n`);
    return { stdout: "", stderr: "phux: --capabilities is for programs: add --json\n", exit: 2 };
  }
  const verb = findVerb(argv, verbs);
  if (verb === undefined) return unusable(`there is no verb ${JSON.stringify(first ?? "")}`, overview(verbs));
  const rest = argv.slice(verb.name.split(" ").length);
  if (rest[0] === "--help" || rest[0] === "-h") return said(`Usage: ${verb.usage}\n`);
  const started = verb.start(rest);
  if (!started.ok) return unusable(started.error, `Usage: ${verb.usage}\n`);
  return print(await started.value.run(call), started.value.json, call);
}

/** A verb of a noun has two words or three, so the longest name that fits is meant. */
function findVerb(argv: readonly string[], verbs: readonly Verb[]): Verb | undefined {
  const fits = verbs.filter(({ name }) => name.split(" ").every((word, at) => argv[at] === word));
  return fits.sort((a, b) => b.name.length - a.name.length)[0];
}

function print(given: Answer, json: boolean, call: Call): Printed {
  const remarks = call.remarks.join("");
  if (!given.ok) return { stdout: "", stderr: remarks + refusalText(given.error, json), exit: given.error.exitCode };
  const { document, text = "", raw = false, aside = "", exit = 0 } = given.value;
  const plain = raw ? text : printable(text);
  const stdout = json && document !== undefined ? `${stringifyDocument(document, 0)}\n` : plain;
  return { stdout, stderr: remarks + aside, exit };
}

function refusalText(refusal: CliRefusal, json: boolean): string {
  const document = json ? refusalDocument(refusal) : null;
  return `${document ?? `phux: ${refusal.message}`}\n`;
}

function unusable(message: string, help: string): Printed {
  return { stdout: "", stderr: `error: ${message}\n\n${help}`, exit: 2 };
}

function overview(verbs: readonly Verb[]): string {
  const lines = verbs.map(({ usage }) => `  ${usage}\n`).join("");
  return `Usage: phux --version | --capabilities --json | VERB ...\n\n${lines}`;
}
