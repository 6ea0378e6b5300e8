import type { ResourceId } from "../wire/frame.ts";
import type { Connection } from "./connection.ts";
import type { Deadline } from "./deadline.ts";
import { type Refusal, refuse } from "./errors.ts";
import { parseJsonObject } from "./json-object.ts";
import { formatResource } from "./selector.ts";

/** Metadata key under which a server says which program reads what is typed into a pane (wire.md section 21). */
export const OCCUPANT_KEY = "phux.pane-occupant/v1";

/** The program in front of a pane. */
export interface Occupant {
  readonly name: string;
  /** It is the one that the pane was started with. */
  readonly isPaneShell: boolean;
}

/** Programs that read POSIX shell commands at their prompt, by the name the system gives a process. */
const shells: ReadonlySet<string> = new Set(
  "sh bash dash ash zsh ksh ksh93 mksh oksh yash posh busybox rbash rzsh".split(" "),
);

/** Shells with a grammar of their own: a line that was written for them can be typed all the same. */
const otherShells: ReadonlySet<string> = new Set("fish csh tcsh nu elvish xonsh pwsh rc es osh".split(" "));

/** Programs behind which a shell can stand that this machine does not see: elsewhere, or as somebody else. */
const gateways: ReadonlySet<string> = new Set(
  (
    "ssh mosh mosh-client et telnet docker podman nerdctl kubectl oc lxc incus machinectl nsenter unshare chroot " +
    "sudo doas su login runuser setpriv systemd-run toolbox distrobox flatpak-spawn wsl.exe adb script env nix nix-shell"
  ).split(" "),
);

/** A server looks who is in front when the output rests: a first no may be about a command that has just ended. */
const SETTLE_MS = 500;
const POLL_MS = 25;

/** What a stored value says, null when it says nothing that can be read. */
export function parseOccupant(value: Uint8Array | null): Occupant | null {
  const read = value === null ? null : parseJsonObject(value);
  if (read === null) return null;
  const { foreground: name, is_pane_shell: isPaneShell } = read;
  return typeof name === "string" && typeof isPaneShell === "boolean" ? { name, isPaneShell } : null;
}

/**
 * Whether a command line may be typed for this program. Null is yes. A pane that was started with a program behind which a
 * shell can stand is believed; anything else in front, or of its own, is none.
 */
export function readsCommands({ name, isPaneShell }: Occupant): boolean {
  const program = programOf(name);
  return isPaneShell && (shells.has(program) || gateways.has(program));
}

/** Whether a program is a shell, of whatever grammar. */
export function isShell(name: string): boolean {
  const program = programOf(name);
  return shells.has(program) || otherShells.has(program);
}

/** A login shell puts a dash in front of its name. */
function programOf(name: string): string {
  return name.replace(/^-/, "").split("/").at(-1) ?? "";
}

/**
 * A refusal of a pane in which something else than a shell would read what is typed. A server that does not say who is in
 * front forbids nothing (tools.md 13, tool 7). Code `agent_pane_not_available`.
 */
export async function refuseOccupant(
  connection: Connection,
  pane: ResourceId,
  deadline: Deadline,
): Promise<Refusal | null> {
  const until = deadline.now() + SETTLE_MS;
  for (;;) {
    const stored = await connection.metadata({ tag: "resource", id: pane }, OCCUPANT_KEY);
    const occupant = stored.ok ? parseOccupant(stored.value) : null;
    if (occupant === null || readsCommands(occupant)) return null;
    if (deadline.hasPassed() || deadline.now() >= until) {
      const message = `${formatResource(pane)} is not at a shell's prompt: ${occupant.name} would read what is typed`;
      return refuse("agent_pane_not_available", message);
    }
    await deadline.pause(POLL_MS);
  }
}
