import { expect, test } from "bun:test";
import { childEnvironment, type Environment, type SocketChoice } from "../../src/cli/environment.ts";

const nothing: SocketChoice = { ofCall: null, found: null };
const found: SocketChoice = { ofCall: null, found: "/run/phux.sock" };
const ofCall: SocketChoice = { ofCall: "/s", found: "/run/phux.sock" };

const rows: [rule: string, environment: Environment, socket: SocketChoice, child: Record<string, string> | null][] = [
  ["nobody names a socket and none was found: untouched", { A: "1" }, nothing, null],
  ["a socket found by us is passed on", { A: "1" }, found, { A: "1", PHUX_SOCKET: "/run/phux.sock" }],
  ["PHUX_SOCKET wins over what was found: untouched", { PHUX_SOCKET: "/p" }, found, null],
  ["the call's socket wins, as an argument: untouched", { A: "1" }, ofCall, null],
  ["both name one: untouched", { PHUX_SOCKET: "/p" }, ofCall, null],
  ["an empty PHUX_SOCKET is left out", { A: "1", PHUX_SOCKET: "" }, nothing, { A: "1" }],
  [
    "an empty one is replaced by what was found",
    { PHUX_SOCKET: "", B: "" },
    found,
    { B: "", PHUX_SOCKET: "/run/phux.sock" },
  ],
  ["an empty one beside the call's socket is left out", { PHUX_SOCKET: "" }, ofCall, {}],
  ["an unset name stays unset", { A: undefined, PHUX_SOCKET: undefined }, found, { PHUX_SOCKET: "/run/phux.sock" }],
];

test.each(rows)("%s", (_, environment, socket, child) => {
  expect(childEnvironment(environment, socket)).toEqual(child);
});
