import { dirname, join } from "node:path";
import { type Display, LabAgent } from "./agent.ts";
import { KeyReader } from "./keys.ts";
import { PhuxPublisher, type Publisher, silent } from "./publisher.ts";
import { block, Canvas } from "./view.ts";

/** An escape that nothing follows for so long is the key. */
const ESCAPE_MS = 30;
const USAGE = `Usage: lab-agent [--report] [PROMPT...]

An agent in a terminal, to develop against. --report tells phux its states, as hooks would.
`;

const pasteMode = (on: boolean) => `\x1b[?2004${on ? "h" : "l"}`;

/** The lab's agent: as much of an agent as somebody needs who drives agents. */
function main(): void {
  const { stdin, stdout } = process;
  const argv = process.argv.slice(2);
  const reports = argv[0] === "--report";
  const words = reports ? argv.slice(1) : argv;
  if (words[0]?.startsWith("-") || !stdin.isTTY || !stdout.isTTY) {
    process.stderr.write(words[0] === "--help" ? USAGE : `${USAGE}It needs a terminal.\n`);
    process.exit(words[0] === "--help" ? 0 : 2);
  }
  const canvas = new Canvas((text) => stdout.write(text));
  const display: Display = {
    show: (said, showing, input, notice) => canvas.draw(said, block(showing, input, notice, stdout.columns || 80)),
    leave() {
      canvas.clear();
      stdout.write(`${pasteMode(false)}bye\r\n`);
      stdin.setRawMode(false);
      process.exit(0);
    },
  };
  const agent = new LabAgent(display, publisher(reports));
  stdin.setRawMode(true);
  stdout.write(pasteMode(true));
  for (const signal of ["SIGTERM", "SIGHUP"] as const) process.once(signal, () => display.leave());
  stdout.on("resize", () => agent.redraw());
  const keys = new KeyReader();
  stdin.on("data", (bytes: Buffer) => {
    for (const key of keys.read(bytes)) agent.press(key);
    if (!keys.waits) return;
    setTimeout(() => {
      const key = keys.settle();
      if (key !== null) agent.press(key);
    }, ESCAPE_MS);
  });
  stdin.on("end", () => display.leave());
  agent.begin(words.length === 0 ? null : words.join(" "));
}

/** The phux that this agent lies beside, for the pane that it runs in. */
function publisher(reports: boolean): Publisher {
  const pane = process.env["PHUX_TERMINAL_ID"];
  if (pane === undefined || !/^\d+$/.test(pane)) return silent;
  // This script lies in a folder beside the executables (phux/install.ts).
  return new PhuxPublisher(join(dirname(dirname(Bun.main)), "phux"), `@${pane}`, reports);
}

main();
