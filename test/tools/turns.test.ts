import { describe, expect, test } from "bun:test";
import { type Turn, Turns } from "../../src/tools/turns.ts";

const turn = (key: string, ms = 60_000): Turn => ({ key, ms, refusal: "" });
/** Waits for a turn as a tool does: what gives it up gives its place up too. */
async function take(turns: Turns, one: Turn, signal: AbortSignal): Promise<(() => void) | null> {
  const place = turns.enter(one);
  if (await place.wait(signal)) return place.leave;
  place.leave();
  return null;
}

const never = new AbortController().signal;

describe("turns", () => {
  test("come in the order of the calls, one key at a time", async () => {
    const turns = new Turns();
    const seen: string[] = [];
    const work = async (name: string, key: string) => {
      const end = await take(turns, turn(key), never);
      seen.push(`${name} begins`);
      await Bun.sleep(1);
      seen.push(`${name} ends`);
      end?.();
    };
    await Promise.all([work("a", "x"), work("b", "x"), work("other", "y"), work("c", "x")]);
    const x = seen.filter((line) => !line.startsWith("other"));
    expect(x).toEqual(["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
    expect(seen.indexOf("other begins")).toBeLessThan(seen.indexOf("a ends"));
  });

  test("a call that gives up lets nobody pass the one in front", async () => {
    const turns = new Turns();
    const first = await take(turns, turn("x"), never);
    const abort = new AbortController();
    const cancelled = take(turns, turn("x"), abort.signal);
    const late = take(turns, turn("x", 5), never);
    let came = false;
    const last = take(turns, turn("x"), never).then((end) => {
      came = true;
      return end;
    });
    abort.abort();
    expect([await cancelled, await late]).toEqual([null, null]);
    expect(came).toBe(false);
    first?.();
    (await last)?.();
    expect(await take(turns, turn("x"), never)).not.toBeNull();
  });

  test("none for a call that is cancelled already", async () => {
    expect(await take(new Turns(), turn("x"), AbortSignal.abort())).toBeNull();
  });
});
