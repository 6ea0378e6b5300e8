/**
 * `npm run bench`: every figure of design.md section 9 as a ratio against a baseline measured in the same run, and the same
 * work on servers of others. `--only NAME` measures one group, `--json FILE` also writes the figures as JSON.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { installPhux } from "../../test/lab/phux/install.ts";
import { callRows } from "./calls.ts";
import { endRows } from "./ends.ts";
import { loadRows } from "./load.ts";
import { type Contender, installOthers, type Standing, standingCells, standingOf } from "./others.ts";
import { buildPrograms, type Programs, root } from "./programs.ts";
import { until } from "./sample.ts";
import { sizeRows } from "./size.ts";
import { startRows } from "./start.ts";
import { judged, printCells, printTable, type Row } from "./table.ts";

const { values } = parseArgs({ options: { only: { type: "string" }, json: { type: "string" } } });
const folder = mkdtempSync(join(tmpdir(), "phux-mcp-bench-"));
const socket = join(folder, "phux.sock");

type Group = (programs: Programs) => Promise<Row[]>;
const groups: Readonly<Record<string, Group>> = {
  start: startRows,
  calls: (programs) => callRows(programs, socket),
  load: (programs) => loadRows(programs, socket),
  size: sizeRows,
  ends: (programs) => endRows(programs, socket, folder),
};
const wanted = [...Object.keys(groups), "others"].filter((name) => values.only === undefined || name === values.only);
if (wanted.length === 0) {
  console.error(`--only takes one of ${[...Object.keys(groups), "others"].join(", ")}`);
  process.exit(2);
}

/** Ours beside an echo server on the official SDK and what npm has of others. */
async function standings(programs: Programs): Promise<Standing[]> {
  const path = `${await installPhux(join(folder, "phux-bin"))}:${process.env["PATH"] ?? ""}`;
  const ours: Contender = {
    name: "phux-mcp, through the lab's phux",
    command: [programs.adapter],
    environment: { PATH: path, PHUX_SOCKET: socket },
    run: { tool: "phux_run", arguments: { target: "@1", command: "(exit 3)" } },
  };
  const echo: Contender = {
    name: "echo on the SDK, Node",
    command: ["node", join(root, "scripts", "bench", "node-echo.mjs")],
  };
  mkdirSync(join(folder, "others"));
  const found: Standing[] = [];
  for (const contender of [ours, echo, ...(await installOthers(join(folder, "others")))]) {
    found.push(await standingOf(contender));
  }
  return found;
}

try {
  const programs = await buildPrograms(folder);
  // A process of its own, so that a round trip costs both clients the same changes of process.
  const serverMain = join(root, "test", "lab", "server-main.ts");
  const lab = Bun.spawn([process.execPath, serverMain, "--socket", socket, "--session", "main"], {
    stdio: ["pipe", "ignore", "inherit"],
  });
  await until(() => existsSync(socket), "the lab's socket");
  const rows: Row[] = [];
  for (const [name, group] of Object.entries(groups)) {
    if (!wanted.includes(name)) continue;
    const found = await group(programs);
    printTable(name, found);
    rows.push(...found);
  }
  const others = wanted.includes("others") ? await standings(programs) : [];
  const head = ["server", "start", "memory", "tools", "catalogue bytes", "exit 3", "tells the code"];
  if (others.length > 0) printCells("others", head, standingCells(others));
  if (values.json !== undefined) {
    writeFileSync(values.json, `${JSON.stringify({ rows: rows.map(judged), others }, null, 2)}\n`);
  }
  lab.kill("SIGTERM");
  await lab.exited;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
