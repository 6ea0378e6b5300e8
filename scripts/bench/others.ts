import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { mibOf } from "./process.ts";
import { timed } from "./sample.ts";
import { quantile } from "./table.ts";

const STARTS = 7;
const COMMANDS = 15;
const CALL_MS = 20_000;

/** Another server, or ours, as a host starts it. */
export interface Contender {
  readonly name: string;
  readonly command: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** The call that runs `exit 3`, where it has one that runs commands. */
  readonly run?: { readonly tool: string; readonly arguments: Readonly<Record<string, unknown>> };
}

/** What a host sees of a server. Milliseconds, MiB, and the bytes of its tool list. */
export interface Standing {
  readonly name: string;
  readonly startMs: number;
  readonly idleMib: number;
  readonly tools: number;
  readonly catalogBytes: number;
  /** Null where it runs no commands. */
  readonly commandMs: number | null;
  /** Whether the answer to `exit 3` has the 3 as a value, by the word for it. */
  readonly tellsExitCode: boolean | null;
}

/** Servers of others that npm has, pinned; those that cannot be installed here are left out, and named. */
const published = [
  { package: "mcp-server-commands@0.5.0", entry: "mcp-server-commands/build/index.js", tool: "run_command", more: {} },
  {
    package: "@wonderwhy-er/desktop-commander@0.2.52",
    entry: "@wonderwhy-er/desktop-commander/dist/index.js",
    tool: "start_process",
    more: { timeout_ms: 5_000 },
  },
];

export async function installOthers(folder: string): Promise<Contender[]> {
  const contenders: Contender[] = [];
  for (const other of published) {
    const home = join(folder, other.tool);
    mkdirSync(home);
    const install = ["npm", "install", "--prefix", home, "--ignore-scripts", "--no-audit", "--no-fund", other.package];
    const ended = await Bun.spawn(install, { stdout: "ignore", stderr: "ignore" }).exited;
    if (ended !== 0) {
      console.log(`${other.package} could not be installed: left out`);
      continue;
    }
    contenders.push({
      name: other.package,
      command: ["node", join(home, "node_modules", other.entry)],
      environment: { HOME: home },
      run: { tool: other.tool, arguments: { command: "exit 3", ...other.more } },
    });
  }
  return contenders;
}

export async function standingOf(contender: Contender): Promise<Standing> {
  const starts: number[] = [];
  for (let sample = 0; sample < STARTS; sample += 1) {
    starts.push(await timed(async () => (await connect(contender)).close()));
  }
  const host = await connect(contender);
  await Bun.sleep(500);
  const idleMib = mibOf(host.pid, "VmRSS");
  const { tools } = await host.client.listTools();
  const run = contender.run;
  const commands: number[] = [];
  let said = "";
  for (let sample = 0; run !== undefined && sample < COMMANDS; sample += 1) {
    commands.push(
      await timed(async () => {
        const call = { name: run.tool, arguments: { ...run.arguments } };
        said = JSON.stringify(await host.client.callTool(call, undefined, { timeout: CALL_MS }));
      }),
    );
  }
  await host.close();
  return {
    name: contender.name,
    startMs: quantile(starts, 0.5),
    idleMib,
    tools: tools.length,
    catalogBytes: Buffer.byteLength(JSON.stringify({ tools })),
    commandMs: run === undefined ? null : quantile(commands, 0.5),
    tellsExitCode: run === undefined ? null : /exit[ _-]?code\W{1,8}3\b/i.test(said.replaceAll("\\", "")),
  };
}

async function connect({ command: [program = "", ...args], environment = {} }: Contender) {
  const env = { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "", ...environment };
  const transport = new StdioClientTransport({ command: program, args, env, stderr: "ignore" });
  const client = new Client({ name: "bench", version: "1.0.0" });
  await client.connect(transport);
  return { client, pid: transport.pid ?? 0, close: () => client.close() };
}

/** The rows of the table that a person reads. */
export function standingCells(standings: readonly Standing[]): string[][] {
  return standings.map((one) => [
    one.name,
    `${one.startMs.toFixed(0)} ms`,
    `${one.idleMib.toFixed(0)} MiB`,
    String(one.tools),
    String(one.catalogBytes),
    one.commandMs === null ? "" : `${one.commandMs.toFixed(0)} ms`,
    one.tellsExitCode === null ? "" : one.tellsExitCode ? "yes" : "no",
  ]);
}
