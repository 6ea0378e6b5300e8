import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { keysToEvents } from "../../src/phux/keys.ts";
import type { InputEvent } from "../../src/wire/frame.ts";
import { inputEvent } from "../../src/wire/input.ts";
import { type PhysicalKeyName, physicalKeyNames } from "../../src/wire/physical-key.ts";
import { Writer } from "../../src/wire/writer.ts";
import { describeShared, sharedJson } from "../shared.ts";

type VectorEvent =
  | { type: "key"; key_name: string; action: number; key: number; mods: number; text: string | null }
  | { type: "paste"; trust_value: number; data_hex: string }
  | { type: "focus"; gained: boolean };

interface KeyVectors {
  named_keys: { names: string[]; bytes_hex: string }[];
  cases: { keys: string[]; note: string; events: VectorEvent[] }[];
}

/** An event as the contract's file writes it. */
function asVector(event: InputEvent): object {
  switch (event.tag) {
    case "key":
      return { type: "key", key_name: physicalKeyNames[event.event.key], ...event.event };
    case "paste": {
      const { trust, data } = event.event;
      const text = new TextDecoder().decode(data);
      return {
        type: "paste",
        trust: ["trusted", "untrusted"][trust],
        trust_value: trust,
        data_hex: data.toHex(),
        data_text: text,
      };
    }
    case "focus":
      return { type: "focus", gained: event.event === 0 };
    case "mouse":
      return { type: "mouse", ...event.event };
  }
}

describeShared("keys.json", () => {
  // A file of the contract: its own schema word says this shape.
  const vectors = sharedJson("vectors/keys.json") as KeyVectors;
  test.each(vectors.cases.map((row) => [row.keys, row.note, row] as const))("%j %s", (keys, _note, row) => {
    expect(keysToEvents(keys).map(asVector)).toEqual(row.events);
  });

  test.each(vectors.named_keys.flatMap((row) => row.names.map((name) => [name, row.bytes_hex] as const)))(
    "%s is what a terminal gets as %s",
    (name, hex) => {
      const text = new TextDecoder().decode(Uint8Array.fromHex(hex));
      for (const spelt of [name, name.toUpperCase()]) expect(keysToEvents([spelt])).toEqual(keysToEvents([text]));
    },
  );
});

/** Events in one line: the key, `^!+#` for Ctrl, Alt, Shift and Super, `=` and the text; `"..."` for a paste. */
function spelt(events: readonly InputEvent[]): string {
  return events.map(speltOne).join(" ");
}

function speltOne(event: InputEvent): string {
  if (event.tag === "paste")
    return `${event.event.trust === 0 ? "" : "un"}trusted"${new TextDecoder().decode(event.event.data)}"`;
  if (event.tag === "focus") return event.event === 0 ? "focused" : "blurred";
  if (event.tag === "mouse") {
    const { action, button, mods, x, y } = event.event;
    return `${["press", "release", "motion"][action]}(${button},${mods},${x},${y})`;
  }
  const { action, key, mods, text, unshifted_codepoint } = event.event;
  const held = [2, 4, 1, 8, 16, 32].map((bit, at) => (mods & bit ? "^!+#CN".charAt(at) : "")).join("");
  const point = unshifted_codepoint === null ? "" : `/${unshifted_codepoint}`;
  const name: PhysicalKeyName | "?" = physicalKeyNames[key] ?? "?";
  return `${["release:", "", "repeat:"][action]}${held}${name}${text === null ? "" : `=${text}`}${point}`;
}

const ESC = "\u001b";

const lists: [keys: string[], events: string, why: string][] = [
  [[], "", "nothing"],
  [["Enter"], "Enter", "a name"],
  [["bacKspace", "BACKSPACE"], "Backspace Backspace", "names fold ASCII case"],
  [
    ["bac\u212aspace"],
    "B=b/98 A=a/97 C=c/99 Unidentified=\u212a/8490 S=s/115 P=p/112 A=a/97 C=c/99 E=e/101",
    "and only ASCII: a Kelvin sign is no k",
  ],
  [["C-a", "c-A"], "^A/97 ^A/97", "Ctrl"],
  [["C-\u{1f44d}"], "+C=C/99 Minus=-/45 Unidentified=\u{1f44d}/128077", "Ctrl needs ASCII, one code point or not"],
  [["C-\u0080"], "+C=C/99 Minus=-/45 Unidentified=\u0080/128", "the first one behind ASCII"],
  [["M-\u0080"], "", "Alt has no other characters"],
  [["\u0080"], "Unidentified=\u0080/128", "the first character behind ASCII is text"],
  [["C-ab"], "+C=C/99 Minus=-/45 A=a/97 B=b/98", "two characters are text"],
  [["M-a"], "!A/97", "Alt takes the text away"],
  [["M-A"], "!+A=A/97", "but not with Shift"],
  [["ab", "Enter"], 'trusted"ab" Enter', "text before Enter is a paste"],
  [["a", "b", "Return"], 'trusted"ab" Enter', "a run is one paste"],
  [["a", "Tab", "b"], "A=a/97 Tab B=b/98", "else it is typed"],
  [["\ud83d", "\udc4d", "Enter"], 'trusted"\ufffd\ufffd" Enter', "halves in two entries do not join"],
  [["\ud83d"], "Unidentified=\ufffd/65533", "half a character is a replacement"],
  [["\u0085\u00ff"], "Unidentified=\u0085/133 Unidentified=\u00ff/255", "any other character goes by itself"],
  [["\u0000\u001c\u001f"], "", "codes no key makes"],
  [["Esc", "Esc"], "Escape Escape", "a second ESC completes the first"],
  [["Esc", "x", "Enter"], 'Escape trusted"x" Enter', "a paste flushes a lone ESC"],
  [["M-[", "A"], "ArrowUp", "a sequence may span entries"],
  [["M-[\n", "a"], "A=a/97", "a control code ends a sequence with nothing"],
  [["M-[\u00e9a"], "A=a/97", "so does a character outside ASCII"],
  [["M-Ox", "a"], "A=a/97", "an unknown letter after ESC O is dropped"],
  [["M-]0;title\u0007a"], "A=a/97", "a string ends at BEL"],
  [["M-Pdata", "M-\\a"], "A=a/97", "or at ESC and one more"],
  [["M-^", "Enter", "a"], "", "an open string swallows what follows, Enter too"],
];
test.each(lists)("%j is %j: %s", (keys, events) => {
  expect(spelt(keysToEvents(keys))).toBe(events);
});

const sequences: [sequence: string, events: string][] = [
  ["OP", "F1"],
  ["OS", "F4"],
  ["[P", "F1"],
  ["[S", "F4"],
  ["[Z", "Tab"],
  ["[1D", "ArrowLeft"],
  ["[1;2D", "+ArrowLeft"],
  ["[1;3H", "!Home"],
  ["[1;5F", "^End"],
  ["[1;9Q", "#F2"],
  ["[1;16R", "^!+#F3"],
  ["[1;0A", "ArrowUp"],
  ["[5A", ""],
  ["[1~", "Home"],
  ["[7~", "Home"],
  ["[2;5~", "^Insert"],
  ["[3~", "Delete"],
  ["[4~", "End"],
  ["[5~", "PageUp"],
  ["[6;2~", "+PageDown"],
  ["[11~", "F5"],
  ["[12~", ""],
  ["[13~", "F3"],
  ["[24~", "F12"],
  ["[25~", "F13"],
  ["[29~", "F16"],
  ["[31~", "F17"],
  ["[34~", "F20"],
  ["[201~", ""],
  ["[I", "focused"],
  ["[O", "blurred"],
  ["[1I", ""],
  ["[200~a\nb\u001b[201\u001b[201~c", 'untrusted"a\nb\u001b[201" C=c/99'],
  ["[200~never closed", ""],
  ["[97u", "A/97"],
  ["[97;5u", "^A/97"],
  ["[97:65;2;65u", "+A=A/97"],
  ["[13;3u", "!Enter/13"],
  ["[27u", "Escape/27"],
  ["[127;1u", "Backspace/127"],
  ["[1;5u", "^Unidentified/1"],
  ["[233;;233u", "Unidentified=\u00e9/233"],
  ["[97;17u", "#A/97"],
  ["[97;16u", "^!+#A/97"],
  ["[97;63u", "^!#A/97"],
  ["[97;33u", "!A/97"],
  ["[97;193u", "CNA/97"],
  ["[97;1:2u", "repeat:A/97"],
  ["[97;1:3u", "release:A/97"],
  ["[97;1:4u", ""],
  ["[97;1;7u", "A/97"],
  ["[97;1;32u", "A= /97"],
  ["[97;1;97:7u", "A/97"],
  ["[97;1;57343u", "A/97"],
  ["[97;1;1114111u", "A=\u{10ffff}/97"],
  ["[@x", "X=x/120"],
  ["[ Ax", "X=x/120"],
  ["[1114112u", ""],
  ["[55296u", ""],
  ["[0u", ""],
  ["[>1u", ""],
  ["[<0;3;4M", "press(1,0,2,3)"],
  ["[<2;1;1m", "release(2,0,0,0)"],
  ["[<35;5;6M", "motion(0,0,4,5)"],
  ["[<64;1;1M", "press(4,0,0,0)"],
  ["[<132;1;1M", "press(8,1,0,0)"],
  ["[<28;1;1M", "press(1,7,0,0)"],
  ["[<0;0;1M", ""],
  ["[<256;1;1M", ""],
  ["[32;3;4M", "press(1,0,2,3)"],
  ["[35;3;4M", "release(0,0,2,3)"],
  ["[M !!", "press(1,0,0,0)"],
  ['[M#"#a', "release(0,0,1,2) A=a/97"],
  ["[M\u001f!!", ""],
];
test.each(sequences)("ESC %j is %s", (sequence, events) => {
  expect(spelt(keysToEvents([ESC + sequence]))).toBe(events);
});

describe("of any list", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary", maxLength: 20 }),
    fc.string({ unit: fc.constantFrom(..."\u001b\u0007[]OPM<>~u;:0129amIX ".split("")), maxLength: 24 }),
    fc.constantFrom("Enter", "Esc", "C-c", "M-[200~", "\u001b[201~", "M-x", "", "\ud83d", "C-\ud83d\ude00"),
  );
  const keys = fc.array(text, { maxLength: 12 });

  test("the events can be written to the wire", () => {
    fc.assert(
      fc.property(keys, (list) => {
        for (const event of keysToEvents(list)) inputEvent.write(new Writer(), event);
      }),
      { numRuns: 3_000 },
    );
  });

  test("the last entry of printing text is typed character by character, unless something was left open", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme-ascii" }), (typed) => {
        const texts = keysToEvents(["Tab", typed, "Tab"]).map((event) => (event.tag === "key" ? event.event.text : ""));
        const isName = /^(?:[cm]-.*|enter|return|tab|esc|escape|space|bspace|backspace|up|down|left|right|home|end)$/is;
        return isName.test(typed) || texts.join("") === typed;
      }),
    );
  });
});

test("a text of any length is taken from a kitty form", () => {
  const [event] = keysToEvents([`${ESC}[97;;${"97:".repeat(300_000)}97u`]);
  expect(event?.tag === "key" && event.event.text?.length).toBe(300_001);
});

test("a long paste is read in time that grows with its length", () => {
  const text = "~".repeat(300_000);
  const [event] = keysToEvents([`${ESC}[200~${text}${ESC}[201~`]);
  expect(event?.tag === "paste" && event.event.data.length).toBe(300_000);
});
