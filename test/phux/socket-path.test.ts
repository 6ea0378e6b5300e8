import { expect, test } from "bun:test";
import fc from "fast-check";
import { defaultPlaces, type SocketEnvironment, type SocketSearch, socketPath } from "../../src/phux/socket-path.ts";

const search = (given: Partial<SocketSearch>): SocketSearch => ({
  argument: undefined,
  environment: {},
  uid: 1000,
  platform: "linux",
  holdsSocket: () => false,
  ...given,
});

const choices: [why: string, given: Partial<SocketSearch>, path: string, origin: string, found: boolean][] = [
  [
    "the argument wins",
    { argument: "a.sock", environment: { PHUX_SOCKET: "/b", XDG_RUNTIME_DIR: "/run" } },
    "a.sock",
    "argument",
    false,
  ],
  ["then PHUX_SOCKET", { environment: { PHUX_SOCKET: "/b", XDG_RUNTIME_DIR: "/run" } }, "/b", "PHUX_SOCKET", false],
  [
    "an empty PHUX_SOCKET is none",
    { environment: { PHUX_SOCKET: "", XDG_RUNTIME_DIR: "/run/user/7/" } },
    "/run/user/7/phux/phux.sock",
    "default",
    false,
  ],
  [
    "a default place that holds a socket is found",
    { environment: { XDG_RUNTIME_DIR: "/run" }, holdsSocket: () => true },
    "/run/phux/phux.sock",
    "default",
    true,
  ],
  ["the numeric user id without anything", {}, "/tmp/phux-1000/phux.sock", "default", false],
  [
    "an empty XDG_RUNTIME_DIR is none",
    { environment: { XDG_RUNTIME_DIR: "" } },
    "/tmp/phux-1000/phux.sock",
    "default",
    false,
  ],
  [
    "the numeric one in the error, when no folder holds a socket",
    { environment: { UID: "7", USER: "ann" } },
    "/tmp/phux-1000/phux.sock",
    "default",
    false,
  ],
  [
    "the first folder that holds one",
    { environment: { UID: "7", USER: "ann" }, holdsSocket: (path) => /ann|default/.test(path) },
    "/tmp/phux-ann/phux.sock",
    "default",
    true,
  ],
];
test.each(choices)("%s", (_why, given, path, origin, found) => {
  expect<object>(socketPath(search(given))).toEqual({ ok: true, value: { path, origin, found } });
});

const places: [environment: SocketEnvironment, uid: number | null, folders: string[]][] = [
  [{ UID: "7", USER: "ann" }, 1000, ["1000", "7", "ann", "default"]],
  [{ UID: "1000", USER: "" }, 1000, ["1000", "default"]],
  [{ UID: "", USER: "ann" }, null, ["ann", "default"]],
  [{ USER: "../ann" }, 0, ["0", "default"]],
  [{ PHUX_PROFILE: "work" }, 5, ["5-work", "default-work"]],
  [{ PHUX_PROFILE: "default" }, 5, ["5", "default"]],
  [{ PHUX_PROFILE: "a b/\u{1f44d}c_.-" }, 5, ["5-a-b--c_", "default-a-b--c_"]],
  [{ PHUX_PROFILE: "./.." }, 5, ["5-dev", "default-dev"]],
];
test.each(places)("%j of user %p: %j", (environment, uid, folders) => {
  expect(defaultPlaces({ environment, uid })).toEqual(folders.map((folder) => `/tmp/phux-${folder}/phux.sock`));
});

test("a profile has its own folder in XDG_RUNTIME_DIR too", () => {
  const environment = { XDG_RUNTIME_DIR: "/run/user/7", PHUX_PROFILE: "work" };
  expect(defaultPlaces({ environment, uid: 7 })).toEqual(["/run/user/7/phux-work/phux.sock"]);
});

const refusals: [why: string, given: Partial<SocketSearch>, code: string | null, exitCode: number, word: string][] = [
  ["an empty argument", { argument: "" }, null, 2, "empty"],
  ["a NUL", { argument: "a\0b" }, "transport", 1, "NUL"],
  ["108 bytes on Linux", { argument: "x".repeat(108) }, "transport", 1, "108 bytes"],
  ["104 bytes on macOS", { argument: "x".repeat(104), platform: "darwin" }, "transport", 1, "at most 103"],
  ["bytes, not characters", { environment: { PHUX_SOCKET: "\u00e9".repeat(54) } }, "transport", 1, "108 bytes"],
];
test.each(refusals)("%s is refused", (_why, given, code, exitCode, word) => {
  const chosen = socketPath(search(given));
  if (chosen.ok) throw new Error(chosen.value.path);
  expect(chosen.error).toMatchObject({ code, exitCode });
  expect(chosen.error.message).toContain(word);
});

test("a path of megabytes is not repeated whole", () => {
  for (const argument of [`/${"\u{1f600}".repeat(1_000_000)}`, `/\0${"x".repeat(1_000_000)}`]) {
    const chosen = socketPath(search({ argument }));
    const message = chosen.ok ? "" : chosen.error.message;
    expect(message.length).toBeLessThan(400);
    expect(message.isWellFormed()).toBe(true);
  }
});

test.each([
  ["linux", 107],
  ["darwin", 103],
])("on %s %p bytes are accepted", (platform, bytes) => {
  expect(socketPath(search({ argument: "x".repeat(bytes), platform })).ok).toBe(true);
});

test("any environment gives a path that fits, or a refusal", () => {
  const word = fc.option(fc.string({ unit: "binary" }), { nil: undefined });
  const environment = fc.record({
    PHUX_SOCKET: word,
    PHUX_PROFILE: word,
    XDG_RUNTIME_DIR: word,
    UID: word,
    USER: word,
  });
  fc.assert(
    fc.property(word, environment, fc.boolean(), (argument, variables, held) => {
      const chosen = socketPath(search({ argument, environment: variables, holdsSocket: () => held }));
      if (!chosen.ok) return chosen.error.message !== "";
      const { path } = chosen.value;
      return path !== "" && !path.includes("\0") && Buffer.byteLength(path) <= 107;
    }),
  );
});
