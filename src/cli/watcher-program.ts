// The program that outlives a SIGKILL of ours: it ends every process group it was told of when our end of its stdin
// closes. Inside our binary as text, and started from there.
//
// Lines are "?phux run" (a child with this command is about to start, or none when empty), "+7" (watch group 7) and
// "-7" (its child is reaped, the number may be another's soon). Builtins only, but for a sleep that it can do without.
// The traps: a host that ends its whole process tree must not end the one who cleans up.
//
// A SIGKILL can fall between the start of a child and its "+": half a millisecond, which a busy machine stretches.
// Then, on Linux, the child is the process two seconds old at most that leads its session, has our streams, was left to
// the same reaper as this shell, and runs with those very arguments. It is looked for until its own exec is surely over, a second on a busy machine.
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

attempt=0
while [ $attempt -lt 30 ]; do
  attempt=$((attempt + 1))
  read -r uptime idle < /proc/uptime || exit 0
  now=\${uptime%.*}\${uptime#*.}
  read -r stat < /proc/$$/stat
  set -- \${stat##*) }
  reaper=$2
  for process in /proc/[0-9]*; do
    number=\${process#/proc/}
    read -r stat < "$process/stat" || continue
    set -- \${stat##*) }
    [ "$2 $3 $4" = "$reaper $number $number" ] && [ $((now - \${20})) -lt 200 ] || continue
    [ "$process/fd/0" -ef /dev/null ] && [ -S "$process/fd/1" ] && [ -S "$process/fd/2" ] || continue
    command=
    IFS= read -r command < "$process/cmdline"
    case $command in *"$starting"*) kill -9 "-$number"; exit 0 ;; esac
  done
  sleep 0.03
done
`;

const IN_JAVASCRIPT = `
const { readdirSync, readFileSync, readlinkSync } = require("node:fs");
for (const name of ["SIGHUP", "SIGINT", "SIGTERM"]) process.on(name, () => {});
const groups = new Set();
let starting = "";
let rest = "";
const kill = (group) => { try { process.kill(-group, "SIGKILL"); } catch {} };
const stat = (id) => readFileSync("/proc/" + id + "/stat", "latin1").replace(/^.*\\) /s, "").split(" ");
const stream = (id, fd) => readlinkSync("/proc/" + id + "/fd/" + fd);

function isStarting(id, now) {
  try {
    const of = stat(id);
    return of[1] === stat("self")[1] && of[2] === id && of[3] === id && now - of[19] < 200 &&
      stream(id, 0) === "/dev/null" && [1, 2].every((fd) => stream(id, fd).startsWith("socket:")) &&
      readFileSync("/proc/" + id + "/cmdline", "utf8").replaceAll("\\0", "").includes(starting);
  } catch {
    return false;
  }
}

function search() {
  const now = Number(readFileSync("/proc/uptime", "latin1").split(" ")[0].replace(".", ""));
  return readdirSync("/proc").find((id) => isStarting(id, now));
}

process.stdin.on("data", (bytes) => {
  const lines = (rest + bytes).split("\\n");
  rest = lines.pop();
  for (const line of lines) {
    const said = line.slice(1);
    if (line[0] === "?") starting = said;
    if (line[0] === "+") groups.add(said);
    if (line[0] === "-") groups.delete(said);
  }
});
process.stdin.on("end", async () => {
  for (const group of groups) kill(group);
  for (let attempt = 0; starting !== "" && attempt < 30; attempt++) {
    const found = search();
    if (found !== undefined) { kill(found); break; }
    await Bun.sleep(30);
  }
  process.exit(0);
});
`;

/** How the watcher is started; it reads its lines from stdin. */
export interface WatcherProgram {
  readonly cmd: string[];
  readonly env: Record<string, string>;
}

/** The usual one. Its environment is empty: nothing of the user's reaches or steers it. */
export const SHELL_WATCHER: WatcherProgram = { cmd: ["/bin/sh", "-c", IN_SHELL, "phux-mcp-watcher"], env: {} };

/**
 * Our own executable as a plain Bun: 25 MB where a shell takes 1.6, so only for a machine that has no shell. The variable
 * has this name in our runtime (scripts/deaf-runtime.ts).
 */
export const BUN_WATCHER: WatcherProgram = {
  cmd: [process.execPath, "-e", IN_JAVASCRIPT],
  env: { "BUN-BE_BUN": "1" },
};
