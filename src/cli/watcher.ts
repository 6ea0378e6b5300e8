// SIGKILL gives us no last word, so another process has to hold it: one that reads the numbers of the running groups
// from a pipe, and kills those still on the list when our end closes, whatever closed it (design.md section 4).

/** The groups of the children that run now and are not reaped: their numbers are certainly still theirs. */
const running = new Set<number>();

type Watcher = Bun.Subprocess<"pipe", "ignore", "ignore">;
let watcher: Watcher | null = null;

// Lines are "+7" (watch group 7) and "-7" (it ended by itself, the number may be another's soon). Builtins only, so
// that it needs no PATH. The traps: a host that ends its whole process tree must not end the one who cleans up.
const IN_SHELL = `
trap '' HUP INT TERM
groups=' '
while IFS= read -r line; do
  number=\${line#?}
  case $line in
    +*) groups="$groups$number " ;;
    -*) case $groups in
      *" $number "*) groups="\${groups%%" $number "*} \${groups#*" $number "}" ;;
    esac ;;
  esac
done
for number in $groups; do kill -9 "-$number"; done
`;

const IN_JAVASCRIPT = `
for (const name of ["SIGHUP", "SIGINT", "SIGTERM"]) process.on(name, () => {});
const groups = new Set();
let rest = "";
process.stdin.on("data", (bytes) => {
  const lines = (rest + bytes).split("\\n");
  rest = lines.pop();
  for (const line of lines) line[0] === "+" ? groups.add(line.slice(1)) : groups.delete(line.slice(1));
});
process.stdin.on("end", () => {
  for (const number of groups) try { process.kill(-number, "SIGKILL"); } catch {}
  process.exit(0);
});
`;

interface WatcherProgram {
  readonly cmd: string[];
  readonly env: Record<string, string>;
}

// An empty environment: nothing of the user's reaches or steers it.
export const SHELL_WATCHER: WatcherProgram = { cmd: ["/bin/sh", "-c", IN_SHELL, "phux-mcp-watcher"], env: {} };

/** Our own executable as a plain Bun: 25 MB where a shell takes 1.6, so only for a machine that has no shell. */
export const BUN_WATCHER: WatcherProgram = { cmd: [process.execPath, "-e", IN_JAVASCRIPT], env: { BUN_BE_BUN: "1" } };

/** Starts the watcher unless it runs. Called before a child is spawned, so that its number can be given at once. */
export function prepareWatcher(programs: readonly WatcherProgram[] = [SHELL_WATCHER, BUN_WATCHER]): void {
  if (watcher !== null) return;
  for (const program of programs) {
    watcher = startWatcher(program);
    if (watcher !== null) break;
  }
  for (const group of running) tell(`+${group}\n`);
}

function startWatcher({ cmd, env }: WatcherProgram): Watcher | null {
  try {
    const started = Bun.spawn({
      cmd,
      env,
      cwd: "/",
      stdin: "pipe",
      stdout: "ignore",
      stderr: "ignore",
      // A session of its own: hosts signal our whole group.
      detached: true,
      onExit(ended) {
        if (watcher === ended) watcher = null;
      },
    });
    started.unref();
    return started;
  } catch {
    // Without a watcher the tools still work; only a SIGKILL of ours would leave children behind.
    return null;
  }
}

/** Takes a child's group under watch: it dies with us from here on. `group` is the pid of its leader. */
export function watchGroup(group: number): void {
  running.add(group);
  if (tell(`+${group}\n`)) return;
  // The watcher was killed and we had not heard of it yet: the new one is told of every group.
  watcher = null;
  prepareWatcher();
}

/** To be called the moment a child is reaped: from then on its group is left alone by everyone. */
export function releaseGroup(group: number): void {
  if (running.delete(group)) tell(`-${group}\n`);
}

/** SIGKILL for every process of a running group. A group that is not under watch is never touched. */
export function killGroup(group: number): void {
  if (!running.has(group)) return;
  try {
    process.kill(-group, "SIGKILL");
  } catch {
    // It ended between the look and the kill.
  }
}

/** Kills every running group, at once and without waiting: the last thing before an exit. */
export function killAllRunning(): void {
  for (const group of [...running]) {
    killGroup(group);
    // We may be gone before they are reaped, and their numbers with us.
    releaseGroup(group);
  }
}

/** Writes to the watcher before it returns, so that a SIGKILL right after finds the line delivered. */
function tell(line: string): boolean {
  if (watcher === null) return false;
  try {
    watcher.stdin.write(line);
    watcher.stdin.flush();
    return true;
  } catch {
    return false;
  }
}
