/** Lines of every kind, good and bad, as a seed makes them. What they must be answered with is the oracle's to say. */
import { lines as table } from "../e2e/protocol-lines.ts";
import type { Dice } from "./k-dice.ts";
import { SLOW } from "./k-oracle.ts";

const bytesOf = (text: string | Uint8Array) => (typeof text === "string" ? Buffer.from(text) : text);

/** Ids that a careless server mixes up, loses or takes for none. */
const ids = [0, 1, -1, 1.5, 2 ** 53 - 1, 1 - 2 ** 53, 1e-9, "", "0", "1", "null", "a\nb", "漢😀é", "\u2028", "\ud800"];
const words = ["", "a", "漢字", "😀", "é", "\u2028", "\u0000", "\ud83d", "\\", '"', "\u007f", "x".repeat(300), "\t"];
const unusableIds = ["null", "true", "{}", "[1]", "1e400", "9007199254740993", '{"toString":1}'];
const unknownMethods = [
  "server/discover",
  "resources/list",
  "prompts/list",
  "resources/templates/list",
  "logging/setLevel",
  "completion/complete",
  "sampling/createMessage",
  "roots/list",
  "shutdown",
  "exit",
  "rpc.discover",
  "initialized",
  "Ping",
  "tools/list ",
  "tools",
  "",
  "__proto__",
  "toString",
];
const immediate = ["ping", "ping", "ping", "initialize", "tools/list"];
const notifications = [
  "notifications/initialized",
  "notifications/progress",
  "notifications/roots/list_changed",
  "$/x",
];

/** Writes one line after another. Never two answers that could come in either order for the same id. */
export class Lines {
  readonly #dice: Dice;
  readonly #wait: Readonly<Record<string, unknown>>;
  readonly #running: (string | number)[] = [];
  #serial = 0;

  /** `socket`: where a slow call waits. */
  constructor(dice: Dice, socket: string) {
    this.#dice = dice;
    this.#wait = { socket, target: "@1", until: "never there", timeout_secs: 600 };
  }

  /** One line with its newline, which is answered as `when` says; "later" may be any of the three. */
  next(when: "at once" | "at once or never" | "later" = "later"): Uint8Array {
    const dice = this.#dice;
    const kinds = [this.#immediate, this.#immediate, this.#junk, this.#notification, this.#unknown, this.#mutant];
    if (when !== "at once") kinds.push(this.#slow, this.#again, this.#cancels);
    if (when === "later") kinds.push(this.#quick);
    const made = dice.pick(kinds).call(this);
    return Buffer.concat([bytesOf(made), Buffer.from(dice.chance(0.2) ? "\r\n" : "\n")]);
  }

  /** Cancels of everything that still runs. */
  last(): Uint8Array {
    return Buffer.from(
      this.#running
        .splice(0)
        .map((id) => `${this.#cancel(id)}\n`)
        .join(""),
    );
  }

  #id(): string | number {
    const dice = this.#dice;
    if (dice.chance(0.5)) return dice.pick(ids);
    return dice.chance(0.5) ? dice.below(2 ** 31) : `${dice.pick(words)}${dice.below(1000)}`;
  }

  #immediate(): string {
    return this.#write({ id: this.#id(), method: this.#dice.pick(immediate), params: this.#value(2) });
  }

  #unknown(): string {
    const method = this.#dice.chance(0.3) ? "notifications/cancelled" : this.#dice.pick(unknownMethods);
    // With an id it is a request, also when it looks like a notification: refused, and it cancels nothing.
    return this.#write({ id: this.#id(), method, params: { requestId: this.#id() } });
  }

  #notification(): string {
    const call = { method: "tools/call", params: { name: SLOW, arguments: this.#wait } };
    const response = this.#dice.pick([{ result: {} }, { result: null }, { error: { code: 1, message: "m" } }]);
    const method = this.#dice.pick([...notifications, "ping", "initialize", "tools/list"]);
    return this.#write(this.#dice.pick([call, { id: this.#id(), ...response }, { method, params: this.#value(1) }]));
  }

  #junk(): string | Uint8Array {
    const dice = this.#dice;
    const unusable = `{"jsonrpc":"2.0","id":${dice.pick(unusableIds)},"method":"ping"}`;
    const noise = Uint8Array.from({ length: dice.below(40) }, () => dice.pick([...noiseBytes]));
    const params = this.#value(1);
    const call = this.#write({ id: this.#id(), method: "tools/call", params: Array.isArray(params) ? params : null });
    return dice.pick([unusable, noise, call, this.#write([{ id: 1, method: "ping" }]), dice.pick(table)[1]]);
  }

  /** A good line with a byte changed, lost or put in. */
  #mutant(): Uint8Array {
    const dice = this.#dice;
    const line = Buffer.from(this.#immediate());
    const at = dice.below(line.length);
    const change = Buffer.from([dice.pick([...noiseBytes])]);
    return Buffer.concat([
      line.subarray(0, at),
      dice.pick([change, Buffer.alloc(0)]),
      line.subarray(at + dice.below(2)),
    ]);
  }

  #quick(): string {
    const args = this.#dice.pick([undefined, null, {}, [], "x", 3, false, { socket: "/no/such.sock" }]);
    const name = this.#dice.pick(["phux_ls", "phux_lss", "", "constructor", "x".repeat(500)]);
    // An id of its own: when the answer comes is not known.
    return this.#write({ id: `quick ${this.#serial++}`, method: "tools/call", params: { name, arguments: args } });
  }

  #slow(): string {
    const id = this.#id();
    if (this.#running.length >= 12) return this.#cancels();
    if (!this.#running.some((running) => Object.is(running, id))) this.#running.push(id);
    const _meta = this.#dice.chance(0.5) ? { progressToken: this.#dice.pick([0, "", 7, "t", null]) } : undefined;
    return this.#write({ id, method: "tools/call", params: { name: SLOW, arguments: this.#wait, _meta } });
  }

  /** Anything at all with the id of a call that runs. */
  #again(): string {
    if (this.#running.length === 0) return this.#slow();
    const method = this.#dice.pick([...immediate, ...unknownMethods, "tools/call"]);
    return this.#write({ id: this.#dice.pick(this.#running), method, params: { name: SLOW, arguments: this.#wait } });
  }

  /** A storm: of calls that run, of some that never did, and of what is no id. */
  #cancels(): string {
    const dice = this.#dice;
    const hit = dice.shuffle(this.#running).slice(0, dice.below(3));
    for (const id of hit) this.#running.splice(this.#running.indexOf(id), 1);
    const others = Array.from({ length: dice.below(20) }, () =>
      dice.pick([`none ${dice.below(9)}`, null, true, {}, [0], 0.25]),
    );
    return dice
      .shuffle([...hit, ...hit, ...others])
      .map((id) => this.#cancel(id))
      .join("\n");
  }

  #cancel(requestId: unknown): string {
    return this.#write({ method: "notifications/cancelled", params: { requestId, reason: "storm" } });
  }

  #value(depth: number): unknown {
    const dice = this.#dice;
    const plain = [null, true, 0, -1.5e300, dice.pick(words), this.#id()];
    if (depth === 0) return dice.pick(plain);
    const list = Array.from({ length: dice.below(4) }, () => this.#value(depth - 1));
    return dice.pick([...plain, list, Object.fromEntries(list.map((value) => [dice.pick(words), value])), undefined]);
  }

  /** JSON as nobody writes it but everybody has to read it: blanks, escapes and members in any order. */
  #write(value: unknown): string {
    const dice = this.#dice;
    const gap = () => (dice.chance(0.1) ? dice.pick([" ", "\t", "  ", "\r"]) : "");
    const text = (one: string) => (dice.chance(0.1) ? escaped(one) : JSON.stringify(one));
    if (typeof value === "string") return text(value);
    if (typeof value !== "object" || value === null) return JSON.stringify(value);
    if (Array.isArray(value)) return `[${value.map((one) => gap() + this.#write(one ?? null)).join(`${gap()},`)}]`;
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    const written = members.map(
      ([name, member]) => `${gap()}${text(name)}${gap()}:${gap()}${this.#write(member)}${gap()}`,
    );
    return `{${dice.shuffle(written).join(",")}}`;
  }
}

/** Bytes that break or nearly break a line: controls, quotes, brackets, halves of characters, marks. Never a newline. */
const noiseBytes = [
  ...Buffer.from('{}[]":,\\01enu \t\r\0'),
  0x7f,
  0x80,
  0xbf,
  0xc3,
  0xe6,
  0xed,
  0xef,
  0xbb,
  0xf0,
  0xff,
];

const escaped = (text: string) =>
  `"${[...Array(text.length).keys()].map((at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, "0")}`).join("")}"`;
