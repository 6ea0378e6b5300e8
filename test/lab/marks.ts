/** What a chunk of terminal output says besides text: marks, titles, bells (wire.md 19.3). */
export type OutputMark =
  | { readonly kind: "prompt" }
  | { readonly kind: "input" }
  | { readonly kind: "command_started" }
  | { readonly kind: "command_finished"; readonly exitCode: number | null }
  | { readonly kind: "title"; readonly title: string };

export type OutputNotes = {
  /** Whether the chunk changes the grid. A chunk of nothing but OSC sequences and bells does not. */
  readonly printed: boolean;
  /** Any byte 07, also the one that ends an OSC sequence (recorded 0.8). */
  readonly bell: boolean;
  readonly marks: readonly OutputMark[];
};

const oscCap = 8192;
const [BEL, ESC, CAN, SUB, ST8] = [0x07, 0x1b, 0x18, 0x1a, 0x9c];

type Place = "ground" | "escape" | "csi" | "osc" | "osc_escape" | "string" | "string_escape" | "skip_one";

/** Follows the escape sequences of one pane's output across chunks. Holds at most one OSC of 8 KiB. */
export class MarkScanner {
  #place: Place = "ground";
  #osc: number[] = [];

  scan(chunk: Uint8Array): OutputNotes {
    const marks: OutputMark[] = [];
    let printed = false;
    let bell = false;
    for (const byte of chunk) {
      if (byte === BEL) bell = true;
      if (this.#step(byte, marks)) printed = true;
    }
    return { printed, bell, marks };
  }

  /** Takes one byte; true when it can change the grid. */
  #step(byte: number, marks: OutputMark[]): boolean {
    switch (this.#place) {
      case "ground":
        if (byte === ESC) this.#place = "escape";
        return byte !== ESC && byte !== BEL;
      case "escape":
        return this.#introduce(byte);
      case "skip_one":
        this.#place = "ground";
        return false;
      case "csi":
        if (byte >= 0x40 && byte <= 0x7e) this.#place = "ground";
        return true;
      case "osc":
        if (byte === BEL || byte === ST8) this.#finish(marks);
        else if (byte === CAN || byte === SUB) this.#place = "ground";
        else if (byte === ESC) this.#place = "osc_escape";
        else if (this.#osc.length < oscCap) this.#osc.push(byte);
        return false;
      case "osc_escape":
        if (byte === 0x5c) this.#finish(marks);
        else this.#introduce(byte);
        return false;
      case "string":
        if (byte === ESC) this.#place = "string_escape";
        else if (byte === CAN || byte === SUB || byte === ST8) this.#place = "ground";
        return false;
      case "string_escape":
        this.#place = byte === 0x5c ? "ground" : "string";
        return false;
    }
  }

  #introduce(byte: number): boolean {
    const ch = String.fromCharCode(byte);
    if (ch === "[") this.#place = "csi";
    else if (ch === "]") {
      this.#place = "osc";
      this.#osc = [];
    } else if ("P_^X".includes(ch)) this.#place = "string";
    else if ("()*+-./#% ".includes(ch)) this.#place = "skip_one";
    else {
      this.#place = "ground";
      return true;
    }
    return ch === "[";
  }

  #finish(marks: OutputMark[]): void {
    this.#place = "ground";
    const mark = oscMark(new TextDecoder().decode(new Uint8Array(this.#osc)));
    if (mark) marks.push(mark);
  }
}

function oscMark(text: string): OutputMark | null {
  const title = /^[02];([\s\S]*)$/.exec(text)?.[1];
  if (title !== undefined) return { kind: "title", title };
  const [code, letter, status] = text.split(";");
  if (code !== "133") return null;
  switch (letter) {
    case "A":
      return { kind: "prompt" };
    case "B":
      return { kind: "input" };
    case "C":
      return { kind: "command_started" };
    case "D":
      return { kind: "command_finished", exitCode: /^-?\d{1,9}$/.test(status ?? "") ? Number(status) : null };
    default:
      return null;
  }
}

export type Question = { readonly id: string; readonly question: string; readonly suggestions: readonly string[] };

/** A question that a program asks through its title: `phux-ask[id]:question?s=one|two` (recorded 0.8). */
export function questionInTitle(title: string): Question | null {
  const parts = /^phux-ask\[([^\]]*)\]:([\s\S]+?)(?:\?s=([\s\S]*))?$/.exec(title);
  if (!parts?.[2]) return null;
  const suggestions = (parts[3] ?? "").split("|").filter((word) => word.trim() !== "");
  return { id: parts[1] ?? "", question: parts[2], suggestions };
}
