/**
 * `npm run hosts [-- HOST…]`: real agent hosts, each with a scripted model, drive the binary through a story on the lab: list,
 * run a command, read a long screen, be refused a kill without consent. The hosts are large and come from npm on first use,
 * so this is no part of `npm test`. Needs the contract's runner in ../shared/hosts.
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installPhux } from "../../test/lab/phux/install.ts";
import { startLab } from "../../test/lab/server.ts";
import { root } from "../binary.ts";
import { complaints, type Played, story } from "./story.ts";

const known = ["claude", "codex", "gemini", "opencode", "copilot", "qwen"];
const asked = process.argv.slice(2);
const strange = asked.filter((name) => !known.includes(name));
if (strange.length > 0) {
  console.error(`no host ${strange.join(", ")}; there are ${known.join(", ")}`);
  process.exit(2);
}
const runner = join(root, "..", "shared", "hosts", "run.mjs");
if (!existsSync(runner)) {
  console.error(`${runner} is missing: the story needs the contract beside the checkout`);
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), "phux-mcp-hosts-"));
const lab = await startLab({
  socket: join(folder, "phux.sock"),
  home: folder,
  cwd: folder,
  shell: "/bin/bash",
  session: "main",
});
let wrong = 0;
try {
  await Bun.$`${process.execPath} ${join(root, "scripts", "build.ts")}`.quiet();
  const bin = await installPhux(join(folder, "bin"));
  const plan = join(folder, "plan.json");
  writeFileSync(plan, JSON.stringify(story));
  for (const name of asked.length > 0 ? asked : known) {
    const env = [`PHUX_SOCKET=${lab.socket}`, `PATH=${bin}:/usr/local/bin:/usr/bin:/bin`].flatMap((one) => [
      "--env",
      one,
    ]);
    const command = ["node", runner, name, "--plan", plan, ...env, "--", join(root, "dist", "phux-mcp")];
    const child = Bun.spawn(command, { stdout: "pipe", stderr: "inherit", stdin: "ignore" });
    const text = await new Response(child.stdout).text();
    await child.exited;
    // Parse boundary: the runner's own document, whose members are looked at one by one.
    const played = JSON.parse(text) as Played;
    const found = complaints(name, played);
    wrong += found.length;
    const sizes = played.calls.map((call) => (call.body ?? call.text ?? "").length).join(", ");
    console.log(
      `${name} ${played.version}: ${found.length === 0 ? "ok" : "WRONG"}, ${played.seconds} s, characters ${sizes}`,
    );
    for (const complaint of found) console.log(`  ${complaint}`);
  }
} finally {
  await lab.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(wrong === 0 ? 0 : 1);
