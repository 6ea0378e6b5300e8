import { quote } from "../text/clean.ts";
import { complain, print } from "./print.ts";

const USAGE = `phux-mcp: a Model Context Protocol server for phux

Usage:
  phux-mcp             serve MCP on standard input and output, for an agent host
  phux-mcp --schema    print the tools and their arguments, as tools/list returns them
  phux-mcp --skill     print the operating guide for an agent
  phux-mcp check       say what works and what does not, and what to do: exit 0 or 1
                       (--socket PATH for another server, --json for a document)
  phux-mcp --help      print this text (also -h)
  phux-mcp --version   print the version (also -V)

Options of the first two, for a host that needs less than all 59 tools:
  --read-only          offer only tools that change nothing
  --tools LIST         offer these tools or sets, with commas: core, panes, agents, mail, resources, all

Environment:
  PHUX_SOCKET                  the phux server's socket, when a call names none
  PHUX_PROFILE                 the profile whose default socket is used
  PHUX_MCP_MAX_RESULT_CHARS    the size of one result in characters, instead of what the host shows
  PHUX_MCP_READ_ONLY           1 is --read-only
  PHUX_MCP_TOOLS               the list of --tools, where the argument is not given

Register it with a host, for example: claude mcp add phux -- phux mcp
`;

export function printHelp(): Promise<void> {
  return print(USAGE);
}

/** A usage error: one line on stderr, nothing on stdout, exit 2. */
export function refuseArguments(given: readonly string[]): void {
  const shown = given.map(quote).join(" ");
  refuseUsage(`cannot use ${shown}: expected nothing, check, or one of --schema, --skill, --help, --version`);
}

/** Says in one line what was wrong with argv or with the environment. */
export function refuseUsage(why: string): void {
  complain(`phux-mcp: ${why}`);
  process.exitCode = 2;
}
