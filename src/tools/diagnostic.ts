import { socket } from "./argument.ts";
import { option } from "./argv.ts";
import { overCli } from "./tool.ts";

export const status = overCli({
  name: "phux_status",
  verb: "phux status",
  about:
    "Whether a phux server runs, and which: version, features, sessions, logs. A stopped server is an answer: " +
    "branch on `running`; a null pid is not stopped. Starts nothing: tell the human, who can run `phux`.",
  touches: { methods: ["GET_STATE"] },
  input: { socket },
  cuts: [
    { at: ["satellite_terminals"], hint: "satellite_terminals keeps the last entries: phux_ls lists panes" },
    { at: ["sessions"], hint: "sessions keeps the last entries: phux_ls lists them" },
  ],
  argv: (given) => ["status", "--json", ...option("--socket", "--socket", given.socket)],
  deadlineMs: 30_000,
  answerExits: [1],
});
