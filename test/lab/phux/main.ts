import { Call } from "./call.ts";
import { dispatch } from "./dispatch.ts";
import { verbs } from "./verbs.ts";

/** The lab's `phux`: an ordinary client of whatever server the socket leads to. */
async function main(): Promise<void> {
  const { stdout, stderr, exit } = await dispatch(process.argv.slice(2), verbs, new Call());
  await write(Bun.stderr, stderr);
  await write(Bun.stdout, stdout);
  process.exit(exit);
}

async function write(to: typeof Bun.stdout, text: string): Promise<void> {
  // A reader that has gone away changes nothing about what was done, or about the exit status.
  if (text !== "") await Bun.write(to, text).catch(() => {});
}

await main();
