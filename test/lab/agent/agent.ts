import { runCommand } from "./command.ts";
import { type Errand, errandOf, vocabulary } from "./errand.ts";
import type { Key } from "./keys.ts";
import type { Publisher, Question } from "./publisher.ts";
import type { Showing } from "./view.ts";

/** Where an agent shows itself. */
export interface Display {
  show(said: readonly string[], showing: Showing, input: string, notice: string | null): void;
  /** The agent has ended. */
  leave(): void;
}

/** No answer comes sooner: a person, and whoever looks at the screen, is to see that work was done. */
const THINK_MS = 200;
const TICK_MS = 120;
/** A second C-c within this time ends the agent. */
const AGAIN_MS = 2_000;
/** Keys that leave a question open took its publication away (wire.md 17): it is told again when they rest. */
const ASK_AGAIN_MS = 150;
const MOST_CHOICES = 16;
const LONGEST_CHOICE = 120;
const MOST_OUTPUT_ROWS = 200;

interface OpenQuestion extends Question {
  settle(answer: string | null): void;
}

/** A small agent: it takes a prompt at a time, works, asks and answers. All that it knows is in errand.ts. */
export class LabAgent {
  readonly #display: Display;
  readonly #publisher: Publisher;
  readonly #waiting: string[] = [];
  #input = "";
  #turn: { readonly abort: AbortController; readonly began: number } | null = null;
  #question: OpenQuestion | null = null;
  #asked = 0;
  #askAgain: ReturnType<typeof setTimeout> | null = null;
  #tick = 0;
  #interruptedAt = Number.NEGATIVE_INFINITY;
  #notice: string | null = null;

  constructor(display: Display, publisher: Publisher) {
    this.#display = display;
    this.#publisher = publisher;
  }

  begin(prompt: string | null): void {
    this.#show([`lab agent in ${process.cwd()}`, ""]);
    if (prompt !== null) this.#submit(prompt);
  }

  /** Draws what there is once more: the terminal has another size. */
  redraw(): void {
    this.#show([]);
  }

  press(key: Key): void {
    this.#notice = null;
    switch (key.key) {
      case "text":
        this.#input += key.text;
        break;
      case "backspace":
        this.#input = [...this.#input].slice(0, -1).join("");
        break;
      case "clear":
        this.#input = "";
        break;
      case "enter":
        this.#enter();
        break;
      case "escape":
        if (this.#question !== null) this.#settle(null);
        else if (this.#turn !== null) this.#turn.abort.abort();
        else this.#input = "";
        break;
      case "interrupt":
        this.#interrupt();
        break;
      case "end":
        if (this.#turn !== null || this.#input !== "") break;
        this.#display.leave();
        return;
    }
    this.#publishAgain();
    this.#show([]);
  }

  #enter(): void {
    const text = this.#input.trim();
    if (text === "") return;
    this.#input = "";
    if (this.#question !== null) this.#settle(text);
    else this.#submit(text);
  }

  #interrupt(): void {
    if (this.#turn !== null) {
      this.#turn.abort.abort();
      this.#settle(null);
      return;
    }
    const again = performance.now() - this.#interruptedAt < AGAIN_MS && this.#input === "";
    this.#interruptedAt = performance.now();
    this.#input = "";
    this.#notice = "C-c again exits";
    if (again) this.#display.leave();
  }

  #submit(prompt: string): void {
    if (this.#turn !== null) this.#waiting.push(prompt);
    else void this.#take(prompt);
  }

  /** One turn, from the prompt to the last word of the answer. */
  async #take(prompt: string): Promise<void> {
    const abort = new AbortController();
    this.#turn = { abort, began: performance.now() };
    const ticker = setInterval(() => {
      this.#tick++;
      this.#show([]);
    }, TICK_MS);
    this.#show([`> ${prompt}`]);
    this.#publisher.state("working");
    const said = await this.#answer(errandOf(prompt), abort.signal);
    clearInterval(ticker);
    this.#turn = null;
    if (said === null) return this.#display.leave();
    this.#show([...(abort.signal.aborted ? ["* Interrupted."] : said), ""]);
    this.#publisher.state("done");
    const next = this.#waiting.shift();
    if (next !== undefined) void this.#take(next);
  }

  /** The rows of an answer; null when there is nobody any more to give one. */
  async #answer(errand: Errand, signal: AbortSignal): Promise<readonly string[] | null> {
    await pause(THINK_MS, signal);
    if (signal.aborted) return [];
    switch (errand.errand) {
      case "say":
        return [`* ${errand.text}`];
      case "work":
        await pause(errand.seconds * 1_000, signal);
        return [`* ${errand.text}`];
      case "ask": {
        const answer = await this.#ask(errand.question, errand.choices);
        return [answer === null ? "* Nobody answered." : `* The answer is: ${answer}`];
      }
      case "run":
        return this.#run(errand.command, signal);
      case "help":
        return ["* What I do:", ...vocabulary.map((line) => `  ${line}`)];
      case "reply":
        return [`* That was ${errand.words} ${errand.words === 1 ? "word" : "words"}. Say help for what I do.`];
      case "exit":
        return null;
    }
  }

  async #run(command: string, signal: AbortSignal): Promise<readonly string[]> {
    const answer = await this.#ask(`Run \`${command}\`?`, ["Yes", "No"]);
    if (answer === null || !/^y(es)?$/i.test(answer)) return ["* Not run."];
    const { output, exitCode } = await runCommand(command, signal);
    const printed = output.replace(/\n$/, "").split("\n").slice(-MOST_OUTPUT_ROWS);
    const rows = output === "" ? [] : printed.map((row) => `  ${Bun.stripANSI(row).replaceAll(/[^\P{Cc}\t]/gu, "")}`);
    return [...rows, `* It ended with ${exitCode ?? "a signal"}.`];
  }

  /** The choice, or other words; null when it was declined or the turn was interrupted. */
  async #ask(question: string, choices: readonly string[]): Promise<string | null> {
    const { promise, resolve } = Promise.withResolvers<string | null>();
    const offered = choices.slice(0, MOST_CHOICES).map((choice) => choice.slice(0, LONGEST_CHOICE).toWellFormed());
    const id = `${process.pid}-${++this.#asked}`;
    this.#question = { id, question, choices: offered, settle: resolve };
    this.#publisher.asked(this.#question);
    this.#publisher.state("blocked");
    this.#show([]);
    const answer = await promise;
    this.#show([`? ${question}`, `> ${answer ?? "(declined)"}`]);
    if (answer !== null) this.#publisher.state("working");
    return answer;
  }

  #settle(answer: string | null): void {
    const question = this.#question;
    this.#question = null;
    question?.settle(choiceOf(answer, question.choices));
  }

  #publishAgain(): void {
    if (this.#askAgain !== null) clearTimeout(this.#askAgain);
    const question = this.#question;
    if (question === null) return;
    this.#askAgain = setTimeout(() => {
      if (this.#question === question) this.#publisher.asked(question);
    }, ASK_AGAIN_MS);
  }

  #show(said: readonly string[]): void {
    this.#display.show(said, this.#showing(), this.#input, this.#notice);
  }

  #showing(): Showing {
    if (this.#question !== null) return { showing: "question", ...this.#question };
    if (this.#turn === null) return { showing: "rest" };
    const seconds = Math.floor((performance.now() - this.#turn.began) / 1_000);
    return { showing: "work", seconds, tick: this.#tick, waiting: this.#waiting.length };
  }
}

/** A number stands for the choice of that number. */
function choiceOf(answer: string | null, choices: readonly string[]): string | null {
  const number = answer !== null && /^\d{1,2}$/.test(answer) ? Number(answer) : 0;
  return choices[number - 1] ?? answer;
}

/** Waits, or until an abort. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  signal.addEventListener("abort", () => resolve(), { once: true });
  await promise;
  clearTimeout(timer);
}
