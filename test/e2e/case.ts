/** A rule of the contract as a test that any binary can be put to. */
import { expect, test } from "bun:test";
import { type Exit, RawHost, type RawHostOptions, SLACK, until } from "./raw-host.ts";

/** One thing that must hold, with a program of its own. */
export interface Case {
  readonly rule: string;
  readonly options?: Partial<RawHostOptions>;
  run(host: RawHost): Promise<unknown>;
}

/** Runs every case as a test, each with a fresh program, in this kind of stdin and stdout. */
export function testCases(cases: readonly Case[], options: () => RawHostOptions): void {
  test.each(cases.map((one): [string, Case] => [one.rule, one]))("%s", async (_, one) => {
    using host = new RawHost({ ...options(), ...one.options });
    await one.run(host);
  });
}

/** The end that the contract asks for: exit 0 within a second. */
export function expectEnd(exit: Exit): void {
  expect(exit.code).toBe(0);
  expect(exit.ms).toBeLessThan(1000 * SLACK);
}

/** A closed stdout shows with the next write, so the host asks until the program has ended. */
export async function pingedToEnd(host: RawHost, since: number): Promise<Exit> {
  const pinged = () => {
    host.send({ id: "again", method: "ping" });
    return !host.running;
  };
  await until(pinged, "the end of the program", 5000);
  return host.ended(5000, since);
}
