// SIGKILL gives us no last word, so another process has to hold it: one that reads the numbers of the running groups
// from a pipe, and kills those still on the list when our end closes, whatever closed it (design.md section 4).

/** The groups of the children that run now and are not reaped: their numbers are certainly still theirs. */
const running = new Set<number>();

type Watcher = Bun.Subprocess<"pipe", "ignore", "ignore">;
let watcher: Watcher | null = null;

// Lines are "?phux run" (a child with this command is about to start, or none when empty), "+7" (watch group 7) and
// "-7" (its child is reaped, the number may be another's soon). Builtins only, but for a sleep that it can do without.
// The traps: a host that ends its whole process tree must not end the one who cleans up.
//
// A SIGKILL can fall between the start of a child and its "+": half a millisecond, which a busy machine stretches.
// Then, on Linux, the child is the process a second old at most that leads its session, has our streams, was left to
// the same reaper as this shell, and runs that very command. It is looked for until its own exec is surely over.
const IN_SHELL = `
trap '' HUP INT TERM
groups=' '
starting=
while IFS= read -r line; do
  rest=\${line#?}
  case $line in
    '?'*) starting=$rest ;;
    +*) groups="$groups$rest " ;;
    -*) case $groups in
      *" $rest "*) groups="\${groups%%" $rest "*} \${groups#*" $rest "}" ;;
    esac ;;
  esac
done
for group in $groups; do kill -9 "-$group"; done
[ -n "$starting" ] || exit 0

for attempt in 1 2 3 4 5 6 7 8 9 10; do
  read -r uptime idle < /proc/uptime || exit 0
  now=\${uptime%.*}\${uptime#*.}
  read -r stat < /proc/$$/stat
  set -- \${stat##*) }
  reaper=$2
  for process in /proc/[0-9]*; do
    number=\${process#/proc/}
    read -r stat < "$process/stat" || continue
    set -- \${stat##*) }
    [ "$2 $3 $4" = "$reaper $number $number" ] && [ $((now - \${20})) -lt 100 ] || continue
    [ "$process/fd/0" -ef /dev/null ] && [ -S "$process/fd/1" ] && [ -S "$process/fd/2" ] || continue
    command=
    IFS= read -r command < "$process/cmdline"
    case $command in *"$starting"*) kill -9 "-$number"; exit 0 ;; esac
  done
  sleep 0.03
done
`;

const IN_JAVASCRIPT = `
for (const name of ["SIGHUP", "SIGINT", "SIGTERM"]) process.on(name, () => {});
const groups = new Set();
let rest = "";
process.stdin.on("data", (bytes) => {
  const lines = (rest + bytes).split("\\n");
  rest = lines.pop();
  for (const line of lines) {
    if (line[0] === "+") groups.add(line.slice(1));
    if (line[0] === "-") groups.delete(line.slice(1));
  }
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

/** Starts the watcher unless it runs. */
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

/**
 * Starts a child that leads a process group of its own, and takes the group under watch: it dies with us from here on,
 * however we end. `command` is its argument vector; what `spawn` throws goes through.
 */
export function spawnWatched<T extends Bun.Subprocess>(command: readonly string[], spawn: () => T): T {
  prepareWatcher();
  tell(`?${telling(command)}\n`);
  try {
    const child = spawn();
    // One that is reaped already has given its number away.
    if (child.exitCode === null && child.signalCode === null) watchGroup(child.pid);
    return child;
  } finally {
    tell("?\n");
  }
}

function watchGroup(group: number): void {
  running.add(group);
  if (tell(`+${group}\n`)) return;
  // The watcher was killed and we had not heard of it yet: the new one is told of every group.
  watcher = null;
  prepareWatcher();
}

// As much of a command as tells it from every other, the way the kernel shows it to a shell: one line, no NULs.
const TELLING_CHARACTERS = 200;

function telling(command: readonly string[]): string {
  const [line = ""] = command.join("").split("\n", 1);
  return line.slice(0, TELLING_CHARACTERS).replace(/[\ud800-\udbff]$/, "");
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
