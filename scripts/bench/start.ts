import { lifeOf, line, startOf } from "./process.ts";
import type { Programs } from "./programs.ts";
import { paired } from "./sample.ts";
import type { Row } from "./table.ts";

const STARTS = 25;

/** From the start of the process to its first answer, and what it then holds (design.md section 9). */
export async function startRows({ adapter, echo }: Programs): Promise<Row[]> {
  const answer = (program: string, first?: string) => async () => (await startOf([program], first)).ms;
  const memory = (program: string) => async () => (await startOf([program])).mib;
  const life = (flag: string) =>
    paired(
      STARTS,
      () => lifeOf([adapter, flag]),
      () => lifeOf([echo]),
    );
  const list = line(1, "tools/list");
  return [
    {
      figure: "start to initialize",
      unit: "ms",
      atMost: 1.5,
      ...(await paired(STARTS, answer(adapter), answer(echo))),
    },
    {
      figure: "start to tools/list",
      unit: "ms",
      atMost: 1.6,
      ...(await paired(STARTS, answer(adapter, list), answer(echo))),
    },
    { figure: "--schema", unit: "ms", atMost: 1.3, ...(await life("--schema")) },
    { figure: "--help", unit: "ms", atMost: 1.3, ...(await life("--help")) },
    { figure: "memory idle", unit: "MiB", atMost: 1.5, ...(await paired(10, memory(adapter), memory(echo))) },
  ];
}
