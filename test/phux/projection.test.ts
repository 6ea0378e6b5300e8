import { describe, expect, test } from "bun:test";
import { keysBetween, keyWithin, projectionSession } from "../../src/phux/projection.ts";

describe("the session of a layout key", () => {
  const keys: [key: string, session: number | null][] = [
    ["phux.tui.layout/v1/3", 3],
    ["x.layout/v1/0", 0],
    ["x.layout/v1/4294967295", 4_294_967_295],
    ["x.layout/v1/4294967296", null],
    ["x.layout/v1/03", null],
    ["x.layout/v1/+3", null],
    ["x.layout/v1/-3", null],
    ["x.layout/v1/3 ", null],
    ["x.layout/v1/", null],
    ["x.layout/v1", null],
    ["x.layout/v2/3", null],
    ["layout/v1/3", null],
    [".layout/v1/3", null],
    ["x.layout/v1/3.layout/v1/3", null],
    ["phux.tui.layout/v1", null],
    ["", null],
  ];
  test.each(keys)("%j is %p", (key, session) => expect(projectionSession(key)).toBe(session));
});

describe("the keys of an edit", () => {
  const [own, mine, yours] = ["phux.tui.layout/v1/1", "a.layout/v1/1", "a.layout/v1/2"];
  const within: [projection: string[], key: string][] = [
    [[], own],
    [[mine], mine],
    [[yours], "projection_invalid"],
    [["no key"], "projection_invalid"],
    [[mine, yours], "projection_arity"],
  ];
  test.each(within)("in session 1, %j", (projection, key) => {
    const found = keyWithin(projection, 1);
    expect(found.ok ? found.value : found.error.code).toBe(key);
  });

  const between: [projection: string[], keys: string[] | string][] = [
    [[], [own, "phux.tui.layout/v1/2"]],
    [
      [mine, yours],
      [mine, yours],
    ],
    [
      [yours, mine],
      [mine, yours],
    ],
    [[mine], "projection_arity"],
    [[mine, yours, mine], "projection_arity"],
    [[mine, mine], "projection_invalid"],
    [[mine, "b.layout/v1/3"], "projection_invalid"],
    [["no key", yours], "projection_invalid"],
  ];
  test.each(between)("from session 1 to 2, %j", (projection, keys) => {
    const found = keysBetween(projection, 1, 2);
    expect<unknown>(found.ok ? [found.value.source, found.value.destination] : found.error.code).toEqual(keys);
  });
});
