import { complain, print } from "./print.ts";

const USAGE = `phux-mcp: a Model Context Protocol server for phux

Usage:
  phux-mcp             serve MCP on standard input and output, for an agent host
  phux-mcp --schema    print the tools and their arguments, as tools/list returns them
  phux-mcp --skill     print the operating guide for an agent
  phux-mcp --help      print this text (also -h)
  phux-mcp --version   print the version (also -V)

Environment:
  PHUX_SOCKET                  the phux server's socket, when a call names none
  PHUX_PROFILE                 the profile whose default socket is used
  PHUX_MCP_MAX_RESULT_CHARS    the size of one result in characters, instead of what the host shows

Register it with a host, for example: claude mcp add phux -- phux mcp
`;

export function printHelp(): Promise<void> {
  return print(USAGE);
}

/** A usage error: one line on stderr, nothing on stdout, exit 2. */
export function refuseArguments(given: readonly string[]): void {
  const shown = given.map((argument) => JSON.stringify(argument.slice(0, 80))).join(" ");
  complain(`phux-mcp: cannot use ${shown}: expected nothing, or one of --schema, --skill, --help, --version`);
  process.exitCode = 2;
}
