import { flag, integer, optional, socket, text } from "./argument.ts";
import { option } from "./argv.ts";
import { inFile } from "./rest.ts";
import { overCli } from "./tool.ts";

export const status = overCli({
  name: "phux_status",
  verb: "phux status",
  sets: ["core"],
  about:
    "Whether a phux server runs, and which: version, features, sessions, logs. A stopped server is an answer: " +
    "branch on `running`; a null pid is not stopped. Starts nothing: tell the human, who can run `phux`.",
  touches: { methods: ["GET_STATE"] },
  input: { socket },
  cuts: [
    {
      at: ["satellite_terminals"],
      hint: `satellite_terminals keeps the last entries: phux_ls lists panes, and for all ${inFile("phux status --json")}`,
    },
    {
      at: ["sessions"],
      hint: `sessions keeps the last entries: phux_ls lists them, and for all ${inFile("phux status --json")}`,
    },
  ],
  argv: (given) => ["status", "--json", ...option("--socket", "--socket", given.socket)],
  deadlineMs: 30_000,
  answerExits: [1],
});

export const doctor = overCli({
  name: "phux_doctor",
  verb: "phux doctor",
  sets: ["core"],
  about:
    "The installation's health checks. A failing check is an answer: branch on `ok` and read every row; names repeat, and " +
    "`warn` is not `pass`. Repairs nothing: pass hints on to the human.",
  touches: { methods: ["GET_STATE"] },
  input: { socket },
  cuts: [{ at: ["checks"], hint: `checks keeps the last rows: for all of them ${inFile("phux doctor --json")}` }],
  argv: (given) => ["doctor", "--json", ...option("--socket", "--socket", given.socket)],
  deadlineMs: 30_000,
  answerExits: [1],
});

export const whoami = overCli({
  name: "phux_whoami",
  verb: "phux whoami",
  sets: ["core"],
  about: "Who this connection is to the server, and what it may do.",
  touches: { methods: ["GET_METADATA"] },
  input: { socket },
  argv: (given) => ["whoami", "--json", ...option("--socket", "--socket", given.socket)],
  deadlineMs: 30_000,
});

export const perf = overCli({
  name: "phux_perf",
  verb: "phux perf",
  sets: [],
  about: "The server's performance counters; resets nothing.",
  touches: { methods: ["GET_PERF"] },
  input: { desktop: optional(flag("Add the dev-mode desktop's report.")), socket },
  cuts: [{ at: ["metrics"], hint: `metrics keeps the last ones: for all of them ${inFile("phux perf --json")}` }],
  argv: (given) => [
    "perf",
    "--json",
    ...(given.desktop === true ? ["--desktop"] : []),
    ...option("--socket", "--socket", given.socket),
  ],
  deadlineMs: 30_000,
});

const DEFAULT_TRACE_SECONDS = 5;

export const perfTrace = overCli({
  name: "phux_perf_trace",
  verb: "phux perf trace",
  sets: [],
  about: "Record a timeline and write it to a file on the adapter's machine; gives its path, not the trace.",
  touches: { methods: ["GET_PERF"], writesFile: true },
  input: {
    duration_secs: optional(integer("Seconds. Default 5.", 1, 60)),
    output: optional(text("File to write; must not exist.")),
    desktop: optional(flag("Merge the dev-mode desktop's timeline.")),
    socket,
  },
  argv: (given) => [
    "perf",
    "trace",
    "--json",
    "--duration",
    String(given.duration_secs ?? DEFAULT_TRACE_SECONDS),
    ...option("-o", "--output", given.output),
    ...(given.desktop === true ? ["--desktop"] : []),
    ...option("--socket", "--socket", given.socket),
  ],
  deadlineMs: (given) => ((given.duration_secs ?? DEFAULT_TRACE_SECONDS) + 30) * 1_000,
  waitsFor: (given) => `recording for ${given.duration_secs ?? DEFAULT_TRACE_SECONDS} s`,
});
