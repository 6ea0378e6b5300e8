import { describe, expect, test } from "bun:test";
import { readCommandLine } from "./command-line.ts";
import {
  behindDashes,
  flag,
  oneOf,
  optionalWord,
  value,
  values,
  verbatim,
  wholeNumber,
  wholeNumberOr,
  word,
  words,
} from "./slot.ts";

const run = {
  json: flag("--json"),
  timeout: wholeNumber("--timeout"),
  socket: value("--socket"),
  target: word("TARGET"),
  command: verbatim("COMMAND"),
};
const create = {
  session: value("-s", "--session"),
  env: values("-e", "--env"),
  json: flag("--json"),
  name: optionalWord("NAME"),
  command: behindDashes("COMMAND"),
};
const look = {
  tail: wholeNumberOr(0, "--tail"),
  format: oneOf(["html", "vt"], "--format"),
  json: flag("--json"),
  target: optionalWord("TARGET"),
};
const keys = { socket: value("--socket"), target: word("TARGET"), keys: words("KEYS") };

describe("what is understood", () => {
  test.each<[string[], object]>([
    [["--json", "@1", "ls"], { json: true, target: "@1", command: ["ls"] }],
    [["--", "@1", "ls"], { target: "@1", command: ["ls"] }],
    [["--json", "--timeout", "5", "--", "-t", "-c", "--"], { timeout: 5, target: "-t", command: ["-c", "--"] }],
    [["@1", "--", "echo", "two"], { command: ["echo", "two"] }],
    [["@1", "echo", "--json", "--", "x"], { json: false, command: ["echo", "--json", "--", "x"] }],
    [["@1", "--help"], { command: ["--help"] }],
    [["--timeout=0", "--socket=-s", "@1", ""], { timeout: 0, socket: "-s", command: [""] }],
    [["--socket=", "@1", "x"], { socket: "" }],
  ])("run %j", (argv, given) => {
    expect(readCommandLine(run, argv)).toMatchObject({ ok: true, value: given });
  });

  test.each<[string[], object]>([
    [["-s", "a b"], { session: "a b", command: [] }],
    [["-sab"], { session: "ab" }],
    [["-s=-ab", "--json"], { session: "-ab", json: true }],
    [["--session=a=b"], { session: "a=b" }],
    [["-s", "-"], { session: "-" }],
    [["name", "--", "sh", "-c", "--", "x"], { name: "name", command: ["sh", "-c", "--", "x"] }],
    [["--", "sh"], { name: undefined, command: ["sh"] }],
    [["-e", "A=1", "-e", "B=2"], { env: ["A=1", "B=2"] }],
  ])("new %j", (argv, given) => {
    expect(readCommandLine(create, argv)).toMatchObject({ ok: true, value: given });
  });

  test.each<[string[], object]>([
    [[], { tail: undefined, format: undefined, target: undefined }],
    [["--tail", "3", "x"], { tail: 3, target: "x" }],
    [["x", "--tail"], { tail: 0, target: "x" }],
    [["--tail", "--json"], { tail: 0, json: true }],
    [["--format", "vt", "--", "-x"], { format: "vt", target: "-x" }],
  ])("snapshot %j", (argv, given) => {
    expect(readCommandLine(look, argv)).toMatchObject({ ok: true, value: given });
  });

  test("words keep coming, options between them", () => {
    const given = readCommandLine(keys, ["t", "a", "--socket", "s", "b", "--", "-c"]);
    expect(given).toEqual({ ok: true, value: { socket: "s", target: "t", keys: ["a", "b", "-c"] } });
  });
});

describe("what is refused", () => {
  test.each([
    [run, ["--bogus", "@1", "x"], "there is no option --bogus"],
    [run, ["-x", "@1", "x"], "there is no option -x"],
    [run, ["--socket", "-s", "@1", "x"], "--socket needs a value"],
    [run, ["--socket", "--json", "@1", "x"], "--socket needs a value"],
    [run, ["--json=yes", "@1", "x"], "--json takes no value"],
    [run, ["--json", "--json", "@1", "x"], "--json is given twice"],
    [run, ["--timeout", "1", "--timeout=2", "@1", "x"], "--timeout is given twice"],
    [run, ["--timeout", "soon", "@1", "x"], "--timeout takes a whole number, not soon"],
    [run, ["--timeout=-1", "@1", "x"], "--timeout takes a whole number, not -1"],
    [run, ["--timeout=1.5", "@1", "x"], "--timeout takes a whole number, not 1.5"],
    [run, ["@1"], "<COMMAND> is missing"],
    [run, [], "<TARGET> is missing"],
    [create, ["a", "b"], 'nothing takes the word "b"'],
    [look, ["--format", "png"], "--format is one of html, vt, not png"],
    [keys, ["t"], "<KEYS> is missing"],
  ] as const)("%#: %j %j", (slots, argv, error) => {
    expect(readCommandLine<typeof slots>(slots, argv)).toEqual({ ok: false, error });
  });
});
