/** A request to ask about, and a person with a clock before the sheet. */

import type { Request } from "../../../src/guard/request.ts";
import { type Asking, asking, press, taken } from "../../../src/guard/screen/ask.ts";
import { drawLetters } from "../../../src/guard/screen/challenge.ts";
import { type Key, KeyReader } from "../../../src/guard/screen/key.ts";
import type { Sheet, SheetAnswer } from "../../../src/guard/screen/port.ts";
import { rowText } from "../../../src/guard/screen/row.ts";
import { type SheetPage, type Size, sheetBodyFor, sheetPage } from "../../../src/guard/screen/sheet-page.ts";

export const request: Request = {
  asker: { client: "claude-code", pid: 4711, tab: { terminal: "@3", group: "1" } },
  capability: "run",
  target: { terminal: "@4", group: "1", title: "api server", folder: "/srv/api", process: "zsh" },
  act: "npm test -- --grep login",
  stake: "Whatever that shell may do, the command may do: change files, reach the network, end programs.",
};

export const reaches: Sheet["reaches"] = [
  { scope: "tab", covers: "terminal @4 only" },
  { scope: "group", covers: "every terminal of session 1" },
  { scope: "all", covers: "every terminal" },
];

export const sheetFor = (changes: Partial<Request> = {}): Sheet => ({ request: { ...request, ...changes }, reaches });

export const RIGHT = "\u{1b}[C";
export const LEFT = "\u{1b}[D";
export const UP = "\u{1b}[A";
export const DOWN = "\u{1b}[B";

/** The sheet and whoever sits before it. The terminal takes every frame at once. */
export class Person {
  now = 1_000;
  state: Asking;
  answer: SheetAnswer | null = null;
  readonly #reader = new KeyReader();
  readonly #size: Size;
  readonly #body: ReturnType<typeof sheetBodyFor>;
  #seed = 0.1;

  constructor(sheet: Sheet, size: Size = { columns: 80, rows: 24 }) {
    this.#size = size;
    this.state = asking(sheet);
    this.#body = sheetBodyFor(this.state, size);
    this.look();
  }

  get page(): SheetPage {
    return sheetPage(this.state, this.#body, this.#size, this.now);
  }

  get rows(): string[] {
    return this.page.rows.map(rowText);
  }

  /** The letters that the sheet asks for; null when it shows none. */
  get letters(): string | null {
    return /type ((?:[a-z] ?)+)/.exec(this.rows.at(-2) ?? "")?.[1]?.replaceAll(" ", "") ?? null;
  }

  wait(ms: number): this {
    this.now += ms;
    this.look();
    return this;
  }

  /** Everything at once, as a terminal delivers a chunk. */
  types(text: string | Uint8Array): this {
    const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
    for (const key of this.#reader.read(bytes)) this.#press(key);
    return this;
  }

  rests(): this {
    for (const key of this.#reader.settle()) this.#press(key);
    return this;
  }

  #press(key: Key): void {
    if (this.answer !== null) return;
    const letters = () => drawLetters(() => this.#random());
    const next = press(this.state, key, this.page.layout, { now: this.now, letters });
    if ("sheet" in next) this.state = next;
    else this.answer = next;
    this.look();
  }

  look(): void {
    const { seen } = this.page;
    this.state = taken(this.state, { of: this.state, seen, at: this.now }, this.now);
  }

  #random(): number {
    this.#seed = (this.#seed * 16_807) % 1;
    return this.#seed;
  }
}
