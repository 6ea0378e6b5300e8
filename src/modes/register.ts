import { parseArguments } from "../hosts/arguments.ts";
import { listing } from "../hosts/listing.ts";
import { register } from "../hosts/register.ts";
import { printRegisterHelp } from "./help.ts";
import { complain, print } from "./print.ts";
import { selectionFor } from "./wish.ts";

/** Registers this program with an agent host, or takes it out again. Exit 0, 1 (could not), 2 (usage). */
export async function runRegister(argv: readonly string[]): Promise<void> {
  const around = { environment: process.env, folder: process.cwd(), platform: process.platform };
  const parsed = parseArguments(argv, around.folder);
  if (!parsed.ok) return refuse(2, parsed.error);
  if (parsed.value.kind === "help") return printRegisterHelp();
  if (parsed.value.kind === "no-host") {
    refuse(2, "which host? Say phux-mcp register HOST (--help tells more)");
    for (const line of listing(parsed.value.name, around)) complain(line);
    return;
  }
  // An entry with a choice that cannot be understood would be a server that does not start.
  const { tools, readOnly } = parsed.value.request;
  const choice = selectionFor({ tools, readOnly }, {});
  if (!choice.ok) return refuse(2, choice.error);
  const told = await register(parsed.value.request, around, process.execPath);
  if (!told.ok) return refuse(1, `${told.error}; nothing was changed`);
  for (const remark of told.value.remarks) complain(`phux-mcp register: ${remark}`);
  return print(`${told.value.out.join("\n")}\n`);
}

function refuse(exitCode: 1 | 2, why: string): void {
  complain(`phux-mcp register: ${why}`);
  process.exitCode = exitCode;
}
