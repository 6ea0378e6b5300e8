import { describe, expect, test } from "bun:test";
import { type Occupant, parseOccupant, readsCommands } from "../../src/phux/occupant.ts";

const stored = (text: string) => parseOccupant(new TextEncoder().encode(text));

describe("who is in front of a pane", () => {
  const values: [value: string, occupant: Occupant | null][] = [
    ['{"foreground":"zsh","is_pane_shell":true}', { name: "zsh", isPaneShell: true }],
    ['{"foreground":"vi","is_pane_shell":false,"later":1}', { name: "vi", isPaneShell: false }],
    // Odd is no answer (wire.md section 21).
    ['{"foreground":"vi"}', null],
    ['{"foreground":1,"is_pane_shell":false}', null],
    ['{"foreground":"vi","is_pane_shell":"no"}', null],
    ["[]", null],
    ["vi", null],
  ];
  test.each(values)("%s", (value, occupant) => expect(stored(value)).toEqual(occupant));
  test("nothing stored", () => expect(parseOccupant(null)).toBeNull());

  const programs: [name: string, isPaneShell: boolean, reads: boolean][] = [
    ["bash", true, true],
    ["-zsh", true, true],
    ["/bin/sh", true, true],
    ["busybox", true, true],
    ["ssh", true, true],
    ["docker", true, true],
    // A shell that a program started is not the one whose prompt we know.
    ["bash", false, false],
    ["ssh", false, false],
    ["vi", false, false],
    ["vi", true, false],
    ["cat", true, false],
    // Not a POSIX shell: our markers would be errors there.
    ["fish", true, false],
    ["nu", true, false],
    // To an agent a command line is a prompt.
    ["claude", true, false],
    ["", true, false],
  ];
  test.each(programs)("%j, of its own %p: %p", (name, isPaneShell, reads) => {
    expect(readsCommands({ name, isPaneShell })).toBe(reads);
  });
});
