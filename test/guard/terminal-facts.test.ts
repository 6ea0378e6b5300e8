// What is read of processes, ports and looks: any text gives an answer.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { changedLook, encodeLook, parseLook } from "../../src/guard/look.ts";
import { busyWith, type Front } from "../../src/guard/terminal/front.ts";
import { parseListening } from "../../src/guard/terminal/ports.ts";
import { parseStat } from "../../src/guard/terminal/process-table.ts";

describe("a row of /proc", () => {
  const cases: [text: string, row: unknown][] = [
    ["12 (bash) S 1 12 12 34816 12 4194304", { pid: 12, parent: 1, group: 12, session: 12, name: "bash" }],
    ["12 (a) R (b) S 7 8 9 0 -1", { pid: 12, parent: 7, group: 8, session: 9, name: "a) R (b" }],
    ["12 (gone) Z 1 12 12 0 -1", null],
    ["12 (bash) S 1 twelve 12", null],
    ["12 (bash) S 1", null],
    ["", null],
  ];
  test.each(cases)("%j", (text, row) => expect(parseStat(text)).toEqual(row as never));

  test("any text is a row or none", () => {
    fc.assert(
      fc.property(fc.string(), (text) => parseStat(text) === null || Number.isSafeInteger(parseStat(text)?.pid)),
    );
  });
});

describe("listening sockets", () => {
  const row = (local: string, state: string, inode: string) =>
    `   0: ${local} 00000000:0000 ${state} 00000000:00000000 00:00000000 00000000  1000        0 ${inode} 1 0 100 0 0 10 0`;
  test("only those that listen, by inode", () => {
    const table = ["  sl  local_address", row("0100007F:1F90", "0A", "51"), row("0100007F:1F91", "01", "52"), ""].join(
      "\n",
    );
    expect([...parseListening(table)]).toEqual([["51", 8080]]);
    const six = `head\n${row("00000000000000000000000001000000:0BB8", "0A", "7")}`;
    expect([...parseListening(six)]).toEqual([["7", 3000]]);
  });
  test("any text gives ports in range", () => {
    const line = fc.tuple(fc.string(), fc.constantFrom("0A", "01"), fc.string()).map(([a, b, c]) => row(a, b, c));
    fc.assert(
      fc.property(fc.array(fc.oneof(line, fc.string())), (lines) =>
        [...parseListening(lines.join("\n")).values()].every((port) => port > 0 && port < 65_536),
      ),
    );
  });
});

describe("an idle terminal", () => {
  const shell: Front = {
    child: { pid: 5, start: 1 },
    process: { name: "zsh", isChild: true },
    prompt: null,
    folder: null,
  };
  const cases: [what: string, front: Front, beside: string[], process: string | null | undefined][] = [
    ["a shell in front", shell, [], undefined],
    ["a login shell", { ...shell, process: { name: "-bash", isChild: true } }, [], undefined],
    ["fish", { ...shell, process: { name: "fish", isChild: true } }, [], undefined],
    ["a shell at its marked prompt", { ...shell, prompt: "at_prompt" }, [], undefined],
    ["a shell whose command runs", { ...shell, prompt: "running" }, [], "zsh"],
    ["a program that the shell started", { ...shell, process: { name: "vim", isChild: false } }, [], "vim"],
    ["a shell in the shell", { ...shell, process: { name: "bash", isChild: false } }, [], "bash"],
    ["a pane that was started with ssh", { ...shell, process: { name: "ssh", isChild: true } }, [], "ssh"],
    ["a script and what it started", shell, ["sleep"], "sleep"],
    ["nothing known", { ...shell, process: null }, [], null],
  ];
  test.each(cases)("%s", (_, front, beside, process) =>
    expect(busyWith(front, beside)?.process).toBe(process as never),
  );
});

describe("a look", () => {
  test("what is given changes, what is not stays, nothing clears", () => {
    const look = changedLook({}, { name: "api", icon: "🚀", color: "red" });
    expect(changedLook(look, { name: undefined, icon: "", color: "blue" })).toEqual({ name: "api", color: "blue" });
    expect(parseLook(encodeLook(look))).toEqual(look);
  });
  test.each([["{}"], ["[]"], ["null"], ['{"name":5}'], ['{"name":"a\\u001b"}'], ['{"color":"mauve"}'], ["\u00ff"]])(
    "%j, stored by somebody else, is none",
    (text) => expect(parseLook(new TextEncoder().encode(text))).toEqual({}),
  );
  test("any bytes are a look or none", () => {
    fc.assert(fc.property(fc.uint8Array(), (bytes) => typeof parseLook(bytes) === "object"));
  });
});
