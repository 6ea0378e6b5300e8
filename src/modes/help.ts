import { quote } from "../text/clean.ts";
import { complain, print } from "./print.ts";

const USAGE = `phux-mcp: a Model Context Protocol server for phux

Usage:
  phux-mcp             serve MCP on standard input and output, for an agent host
  phux-mcp register    write the entry into an agent host's own configuration (register --help)
  phux-mcp --schema    print the tools and their arguments, as tools/list returns them
  phux-mcp --skill     print the operating guide for an agent
  phux-mcp check       say what works and what does not, and what to do: exit 0 or 1
                       (--socket PATH for another server, --json for a document)
  phux-mcp --help      print this text (also -h)
  phux-mcp --version   print the version (also -V)

Options of serving and of --schema, for a host that needs less than all 59 tools:
  --read-only          offer only tools that change nothing
  --tools LIST         offer these tools or sets, with commas: core, panes, agents, mail, resources, all

Environment:
  PHUX_SOCKET                  the phux server's socket, when a call names none
  PHUX_PROFILE                 the profile whose default socket is used
  PHUX_MCP_MAX_RESULT_CHARS    the size of one result in characters, instead of what the host shows
  PHUX_MCP_READ_ONLY           1 is --read-only
  PHUX_MCP_TOOLS               the list of --tools, where the argument is not given

Register it with a host, for example: phux-mcp register claude-code
`;

const REGISTER_USAGE = `phux-mcp register: tell an agent host to start this server

Usage:
  phux-mcp register HOST [options]
  phux-mcp register                list the hosts found here and whether they know this server

Hosts: claude-code codex gemini opencode vscode cursor windsurf qwen copilot zed

Options:
  --scope user|project   the host's file of yours (default), or the one of this project
  --name NAME            the server's name in the host (phux)
  --command PATH         what the host starts (phux mcp where phux has it, else this program)
  --env K=V              a variable for the server; may be repeated
  --read-only            offer only tools that change nothing
  --tools LIST           offer these tools or sets of tools, with commas
  --print                show the entry and where it would go, change nothing
  --remove               take the entry out; the file is then as it was before
  --help                 print this text

All other bytes of the file stay. What an entry of this name holds besides (a time limit, variables) stays too.
Exit status: 0 done, or nothing to do; 1 could not, and nothing was changed; 2 wrong usage.
`;

export function printHelp(): Promise<void> {
  return print(USAGE);
}

export function printRegisterHelp(): Promise<void> {
  return print(REGISTER_USAGE);
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
