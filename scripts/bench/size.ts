import { wholeLine } from "../../src/mcp/line.ts";
import { answerLine } from "../../src/mcp/result.ts";
import { stringifyDocument } from "../../src/phux/json-number.ts";
import { parseScreen, projectScreen } from "../../src/phux/screen.ts";
import { budgetOf } from "../../src/tools/budget.ts";
import { fitDocument } from "../../src/tools/cut.ts";
import { type AnyFrame, decodeFrame, encodeFrame } from "../../src/wire/frame.ts";
import { FrameReader } from "../../src/wire/frame-reader.ts";
import { FakeServer, jsonResult } from "../../test/phux/fake-server.ts";
import { plainScreen, SmallPhux } from "../../test/phux/small-phux.ts";
import { Asked, mibOf } from "./process.ts";
import type { Programs } from "./programs.ts";
import { paired, timed } from "./sample.ts";
import type { Row } from "./table.ts";

const ROWS = 10_000;
const COLUMNS = 200;
const MOST_CHARACTERS = 8_000_000;
const whole = { target: "@1", scrollback: 0 };

/** What a build prints: no two rows the same, each of the whole width. */
function bigScreen() {
  const text = (row: number) =>
    `${row} warning: unused variable \`state\` in "src/main.rs" `.repeat(5).slice(0, COLUMNS);
  const all = Array.from({ length: ROWS }, (_, row) => text(row));
  return {
    schema_version: 3,
    pane: 1,
    cols: COLUMNS,
    rows: 50,
    cursor: { x: 0, y: 0, visible: true },
    lines: all.slice(-50),
    scrollback: all.slice(0, -50),
    soft_wrap: { lines: [], scrollback: [] },
  };
}

/** Everything between the server's bytes and ours: frame, JSON, cut, line. */
function replyFrom(reply: Uint8Array): string {
  const reader = new FrameReader();
  reader.push(reply);
  const raw = reader.next();
  if (!raw.ok || raw.value === null) throw new Error("no frame");
  const frame = decodeFrame(raw.value.type, raw.value.body);
  if (!frame.ok || frame.value.name !== "COMMAND_RESULT") throw new Error("no answer");
  const { result } = frame.value.value;
  const screen = parseScreen(result.tag === "ok_with" && result.value.tag === "json" ? result.value.json : "");
  if (!screen.ok) throw new Error(screen.error.message);
  const budget = budgetOf(null, MOST_CHARACTERS);
  return wholeLine(
    answerLine(1, { text: fitDocument(projectScreen(screen.value, {}), [], budget), isError: false }, ""),
  );
}

/** A snapshot of 10,000 rows by 200 columns (design.md section 9). */
export async function sizeRows(programs: Programs): Promise<Row[]> {
  const document = bigScreen();
  const size = stringifyDocument(document).length / 1024 / 1024;
  const reply = encodeFrame(jsonResult(1, document) satisfies AnyFrame);
  const stringify = () => timed(() => stringifyDocument(document));
  const both = () => timed(() => JSON.stringify({ text: stringifyDocument(document) }));
  const inside = () => timed(() => replyFrom(reply));
  const figure = `${ROWS} rows by ${COLUMNS}`;
  const rows: Row[] = [
    {
      figure: `${figure}: bytes to line, against JSON.stringify of the document`,
      unit: "ms",
      atMost: 2,
      ...(await paired(60, inside, stringify)),
    },
    {
      figure: `${figure}: the same, against the document and its line`,
      unit: "ms",
      ...(await paired(60, inside, both)),
    },
  ];
  const phux = new SmallPhux();
  const server = new FakeServer({ script: phux.script });
  const environment = {
    ...process.env,
    PHUX_SOCKET: server.socket,
    PHUX_MCP_MAX_RESULT_CHARS: String(MOST_CHARACTERS),
  };
  const started = async () => {
    const adapter = new Asked([programs.adapter], environment);
    await adapter.ask("initialize");
    // What the first calls load is not the size's doing.
    phux.screen = () => plainScreen;
    await adapter.tool("phux_snapshot", whole);
    phux.screen = () => document;
    return adapter;
  };
  const peaks: number[] = [];
  for (let sample = 0; sample < 15; sample += 1) {
    const adapter = await started();
    const before = mibOf(adapter.pid, "VmRSS");
    await adapter.tool("phux_snapshot", whole);
    peaks.push((mibOf(adapter.pid, "VmHWM") - before) / size);
    await adapter.end();
  }
  rows.push({
    figure: `${figure}: peak memory of one call, by its size`,
    unit: "x",
    ours: peaks,
    share: 0.5,
    limit: 6,
  });
  const adapter = await started();
  const call = () => timed(() => adapter.tool("phux_snapshot", whole));
  rows.push({ figure: `${figure}: through stdio`, unit: "ms", ...(await paired(20, call, stringify)) });
  await adapter.end();
  server.close();
  return rows;
}
