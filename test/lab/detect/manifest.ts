/** What a screen can show of an agent. That it is done only it can say; that nothing is known needs no screen. */
export type SeenState = "idle" | "working" | "blocked";

/** One sign: a text that stands near the end of what an agent draws when it is in that state. */
export interface Rule {
  readonly id: string;
  readonly state: SeenState;
  /** How many rows are looked at, counted from the last one that shows anything. */
  readonly rows: number;
  readonly pattern: RegExp;
}

/** How a kind of agent is known: by the program in front of its pane, and what it draws. */
export interface Manifest {
  readonly kind: string;
  /** For people. */
  readonly label: string;
  /** Names of the process, as the kernel has them. */
  readonly programs: readonly string[];
  /** Such a program is an agent wherever it runs. Without this it is one only where somebody has declared it. */
  readonly anywhere: boolean;
  /** In order: the first that fits counts. */
  readonly rules: readonly Rule[];
}

/** The lab's own agent (test/lab/agent): what it draws under its input box says what it does. */
const lab: Manifest = {
  kind: "lab",
  label: "Lab agent",
  programs: ["lab-agent"],
  anywhere: true,
  rules: [
    { id: "question", state: "blocked", rows: 2, pattern: /^ {2}Enter answers\b/ },
    { id: "spinner", state: "working", rows: 6, pattern: /^[-\\|/] Working \(/ },
    { id: "prompt-box", state: "idle", rows: 2, pattern: /^ {2}Enter sends\b/ },
  ],
};

/** The dullest agent: a shell, started by somebody who calls it one. */
const shell: Manifest = {
  kind: "shell",
  label: "Shell",
  programs: ["sh", "dash", "bash", "zsh", "ksh", "fish", "ash", "busybox"],
  anywhere: false,
  rules: [{ id: "prompt", state: "idle", rows: 1, pattern: /[$#%>❯]$/ }],
};

/** Every manifest there is. */
export const manifests: readonly Manifest[] = [lab, shell];

export function manifestOf(kind: string): Manifest | null {
  return manifests.find((manifest) => manifest.kind === kind) ?? null;
}

/**
 * The manifest for a program in front of a pane whose record declares `kind`, null for none. A declared kind is believed
 * over every other, so that another program is nobody.
 */
export function manifestFor(program: string, kind: string | null): Manifest | null {
  const declared = kind === null ? null : manifestOf(kind);
  const candidates = kind === null ? manifests.filter(({ anywhere }) => anywhere) : [declared];
  return candidates.find((manifest) => manifest?.programs.includes(program)) ?? null;
}

/** The kind that a person declared; one that is the name too is what detection itself writes. */
export function declaredKind(record: { readonly name: string; readonly kind?: string } | null): string | null {
  return record?.kind === undefined || record.kind === record.name ? null : record.kind;
}

/** Whether a process of this name is a shell. */
export function isShell(name: string): boolean {
  return shell.programs.includes(name);
}

/** Whether the absence of a sign says nothing, because this agent shows one at rest too. */
export function assertsIdle({ rules }: Manifest): boolean {
  return rules.some(({ state }) => state === "idle");
}
