import { Asked } from "./process.ts";
import type { Programs } from "./programs.ts";
import { timed } from "./sample.ts";
import type { Row } from "./table.ts";

const CALLS = 5_000;
const IN_FLIGHT = 64;
const ROUNDS = 5;

/** Calls a second with 64 in flight; throws when one is lost. */
async function rate(ask: () => Promise<string>, calls = CALLS): Promise<number> {
  let started = 0;
  let answered = 0;
  const lane = async () => {
    while (started < calls) {
      started += 1;
      const answer = await ask();
      if (!answer.includes('"result"')) throw new Error(`no result: ${answer.slice(0, 200)}`);
      answered += 1;
    }
  };
  const ms = await timed(() => Promise.all(Array.from({ length: IN_FLIGHT }, lane)));
  if (answered !== calls) throw new Error(`${calls - answered} of ${calls} calls were lost`);
  return (calls / ms) * 1_000;
}

/** Many calls at once: a tool that needs no server against an echo tool, then one that needs it, for orientation. */
export async function loadRows(programs: Programs, socket: string): Promise<Row[]> {
  const adapter = new Asked([programs.adapter], { ...process.env, PHUX_SOCKET: socket });
  const echo = new Asked([programs.echoTool], process.env);

  const status = () => adapter.tool("phux_operation_status");
  const repeat = () => echo.tool("echo");
  await rate(status);
  await rate(repeat);
  const measured = { ours: [] as number[], baseline: [] as number[] };
  const listed: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    measured.ours.push(await rate(status));
    measured.baseline.push(await rate(repeat));
    listed.push(await rate(() => adapter.tool("phux_ls")));
  }
  await adapter.end();
  await echo.end();
  const name = `${CALLS} calls, ${IN_FLIGHT} in flight`;
  return [
    { figure: `${name}: phux_operation_status`, unit: "/s", atLeast: 0.6, ...measured },
    { figure: `${name}: phux_ls, through the lab's server`, unit: "/s", ours: listed, baseline: measured.baseline },
  ];
}
