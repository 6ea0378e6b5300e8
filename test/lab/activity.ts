import type { AgentEvent } from "../../src/wire/event.ts";
import { type OutputNotes, type Question, questionInTitle } from "./marks.ts";

export type PromptState = "unknown" | "at_prompt" | "running";

/** What the world tells an activity when asked: facts that are polled, not announced. */
export type ActivityProbe = {
  cwd(): string | null;
  occupant(): { foreground: string; is_pane_shell: boolean } | null;
};

export type ActivityWatcher = {
  publish(event: AgentEvent): void;
  /** A question stands in the title, or (null) the title that held one is gone. */
  asked(question: Question | null): void;
};

/** Turns a pane's output into events, in the order of 0.22 (wire.md 19.3). */
export class PaneActivity {
  readonly #probe: ActivityProbe;
  readonly #watcher: ActivityWatcher;
  readonly #idleMs: number;
  #idleTimer: ReturnType<typeof setTimeout> | null = null;
  #inBurst = false;
  #cwd: string | null;
  #title: string | null = null;
  prompt: PromptState = "unknown";
  lastExitCode: number | null = null;
  /** What the server publishes under phux.pane-occupant/v1: known from the first moment of rest on. */
  occupant: { foreground: string; is_pane_shell: boolean } | null = null;

  /** `home` is the directory in which a pane starts unasked: being there is no news (recorded 0.8). */
  constructor(home: string, idleMs: number, probe: ActivityProbe, watcher: ActivityWatcher) {
    this.#cwd = home;
    this.#idleMs = idleMs;
    this.#probe = probe;
    this.#watcher = watcher;
  }

  output(notes: OutputNotes): void {
    if (notes.printed && !this.#inBurst) {
      this.#inBurst = true;
      this.#watcher.publish({ tag: "dirty" });
    }
    for (const mark of notes.marks) this.#follow(mark.kind, "exitCode" in mark ? mark.exitCode : null);
    if (notes.bell) this.#watcher.publish({ tag: "bell" });
    for (const mark of notes.marks) if (mark.kind === "title") this.#titled(mark.title);
    if (this.#inBurst) this.#restAfterIdle();
  }

  /** Whether the output has settled. */
  get resting(): boolean {
    return !this.#inBurst;
  }

  stop(): void {
    if (this.#idleTimer) clearTimeout(this.#idleTimer);
  }

  #follow(kind: string, exitCode: number | null): void {
    if (kind === "prompt" || kind === "input") this.prompt = "at_prompt";
    if (kind === "command_started") {
      this.prompt = "running";
      this.#watcher.publish({ tag: "command_started" });
    }
    if (kind === "command_finished") {
      this.prompt = "at_prompt";
      this.lastExitCode = exitCode;
      this.#watcher.publish({ tag: "command_finished", exit_code: exitCode });
      this.#pollCwd();
    }
  }

  #titled(title: string): void {
    if (title === this.#title) return;
    const asked = this.#title !== null && questionInTitle(this.#title) !== null;
    this.#title = title;
    this.#watcher.publish({ tag: "title_changed", title });
    const question = questionInTitle(title);
    if (question || asked) this.#watcher.asked(question);
  }

  #restAfterIdle(): void {
    if (this.#idleTimer) clearTimeout(this.#idleTimer);
    this.#idleTimer = setTimeout(() => {
      this.#inBurst = false;
      this.#watcher.publish({ tag: "idle" });
      this.#pollCwd();
      this.occupant = this.#probe.occupant() ?? this.occupant;
    }, this.#idleMs);
  }

  #pollCwd(): void {
    const cwd = this.#probe.cwd();
    if (cwd === null || cwd === this.#cwd) return;
    this.#cwd = cwd;
    this.#watcher.publish({ tag: "cwd_changed", cwd });
  }
}
