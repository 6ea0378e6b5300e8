export interface Question {
  readonly id: string;
  readonly question: string;
  readonly choices: readonly string[];
}

/** What the outside hears of an agent beside what its screen shows. */
export interface Publisher {
  asked(question: Question): void;
  /** What a hook would say. */
  state(state: "working" | "blocked" | "done"): void;
}

/** An agent outside of any pane speaks to nobody. */
export const silent: Publisher = { asked: () => {}, state: () => {} };

/** No report takes longer; one that does is given up, and the next one is made. */
const REPORT_MS = 10_000;

/** Tells a phux server by its own command line, one report after the other. */
export class PhuxPublisher implements Publisher {
  readonly #phux: string;
  readonly #pane: string;
  readonly #reportsStates: boolean;
  #last: Promise<unknown> = Promise.resolve();

  /** `pane` is `@N`. Without `reportsStates` its screen is the only sign of what it does. */
  constructor(phux: string, pane: string, reportsStates: boolean) {
    this.#phux = phux;
    this.#pane = pane;
    this.#reportsStates = reportsStates;
  }

  asked({ id, question, choices }: Question): void {
    const suggestions = choices.map((choice) => `--suggest=${choice}`);
    this.#run(["ask", `--id=${id}`, ...suggestions, "--", this.#pane, question]);
  }

  state(state: "working" | "blocked" | "done"): void {
    if (this.#reportsStates) this.#run(["agent", "report-state", this.#pane, state]);
  }

  #run(argv: readonly string[]): void {
    this.#last = this.#last.then(async () => {
      const limits = { timeout: REPORT_MS, killSignal: "SIGKILL" } as const;
      // What cannot be told is still on the screen.
      await Bun.spawn([this.#phux, ...argv], { stdio: ["ignore", "ignore", "ignore"], ...limits }).exited;
    });
    this.#last = this.#last.catch(() => {});
  }
}
