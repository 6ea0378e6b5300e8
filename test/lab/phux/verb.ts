import { ok, type Result } from "../../../src/wire/result.ts";
import type { Call } from "./call.ts";
import { readCommandLine } from "./command-line.ts";
import type { CliRefusal } from "./refusal.ts";
import { flag, type Given, type Slot, type Slots, value } from "./slot.ts";

/** What a verb says when it succeeds. */
export interface Said {
  /** The answer to --json. */
  readonly document?: object;
  /** The answer to a person, with its line ends. */
  readonly text?: string;
  /** `text` is meant to steer a terminal: it is printed as it is. */
  readonly raw?: boolean;
  /** For stderr, in either case. */
  readonly aside?: string;
  /** Exit status, where it is not 0. */
  readonly exit?: number;
}

export type Answer = Result<Said, CliRefusal>;

/** A verb's command line that was understood, and what is left to do. */
export interface Started {
  readonly json: boolean;
  run(call: Call): Promise<Answer>;
}

/** One verb of the table. */
export interface Verb {
  /** What is typed after `phux`: one word, or two for a verb of a noun. */
  readonly name: string;
  readonly usage: string;
  /** Its options and words, in the order of the usage line. */
  readonly slots: readonly Slot<unknown>[];
  /** Version of the --json document; null for one without a version, absent for a verb without --json. */
  readonly contract: number | null | undefined;
  /** Reads the words behind the name; the error is a sentence about them. */
  start(argv: readonly string[]): Result<Started, string>;
}

interface Declaration<S extends Slots> {
  readonly name: string;
  readonly contract?: number | null;
  readonly slots: S;
  /** What no single slot can see: a sentence, or null. */
  exclude?(given: Given<S>): string | null;
  run(given: Given<S>, call: Call): Promise<Answer>;
}

/** Options that verbs share. */
export const json = flag("--json");
export const socket = value("--socket");

export function verb<const S extends Slots>(declaration: Declaration<S>): Verb {
  const { name, slots, contract } = declaration;
  const labels = Object.values(slots).map(({ label }) => label);
  return {
    name,
    usage: ["phux", name, ...labels].join(" "),
    slots: Object.values(slots),
    contract,
    start(argv) {
      const given = readCommandLine(slots, argv);
      if (!given.ok) return given;
      const wrong = declaration.exclude?.(given.value) ?? null;
      if (wrong !== null) return { ok: false, error: wrong };
      return ok({
        json: contract !== undefined && Reflect.get(given.value, "json") === true,
        run: (call) => declaration.run(given.value, call),
      });
    },
  };
}
