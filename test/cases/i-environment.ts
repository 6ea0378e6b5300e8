/** Environments that make a program talk, load, wait or colour where it should not: each row a reason. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** Stands in every value that is free text, so that it can be looked for where it must not be. */
export const CANARY = "c4n4ry";

export type Surrounding = readonly [why: string, env: Readonly<Record<string, string>>];

/** A script that talks on stdout and leaves a file; nobody may load it. */
export function talkingScript(folder: string): { readonly path: string; readonly mark: string } {
  const [path, mark] = [join(folder, "talks.js"), join(folder, "was-loaded")];
  writeFileSync(path, `console.log("LOADED"); require("node:fs").writeFileSync(${JSON.stringify(mark)}, "");\n`);
  return { path, mark };
}

/** `script`: what must not be loaded. `free`: a socket path that nobody listens on. */
export function surroundings(script: string, free: string): readonly Surrounding[] {
  return [
    ["DEBUG of the debug package", { DEBUG: "*" }],
    ["DEBUG with a name", { DEBUG: CANARY }],
    ["Node's own debug sections", { NODE_DEBUG: "*" }],
    ["Node's native debug sections", { NODE_DEBUG_NATIVE: "*" }],
    ["NODE_OPTIONS that loads a file", { NODE_OPTIONS: `--require ${script} --import ${script}` }],
    ["NODE_OPTIONS that nobody knows", { NODE_OPTIONS: `--${CANARY}` }],
    ["warnings of Node into stdout", { NODE_REDIRECT_WARNINGS: "/dev/stdout", NODE_PENDING_DEPRECATION: "1" }],
    ["a channel of Node's on stdout", { NODE_CHANNEL_FD: "1", NODE_CHANNEL_SERIALIZATION_MODE: "json" }],
    ["a channel of Node's on stdin", { NODE_CHANNEL_FD: "0" }],
    ["a channel that is no number", { NODE_CHANNEL_FD: CANARY }],
    ["a worker of Node's cluster", { NODE_UNIQUE_ID: "1" }],
    ["a compile cache", { NODE_COMPILE_CACHE: CANARY }],
    ["certificates that are not there", { NODE_EXTRA_CA_CERTS: `/${CANARY}` }],
    ["Bun's options: its version", { BUN_OPTIONS: "--version" }],
    ["Bun's options: its revision", { BUN_OPTIONS: "--revision" }],
    ["Bun's options: its help", { BUN_OPTIONS: "--help" }],
    ["Bun's options: a file to load first", { BUN_OPTIONS: `--preload ${script}` }],
    ["Bun's options: a file that is not there", { BUN_OPTIONS: `--preload=/${CANARY}.js` }],
    ["Bun's options: a configuration", { BUN_OPTIONS: `--config=/${CANARY}.toml` }],
    ["Bun's options: a profile", { BUN_OPTIONS: "--cpu-prof --heap-prof" }],
    ["Bun's options: the inspector", { BUN_OPTIONS: "--inspect-wait" }],
    ["Bun's options: code", { BUN_OPTIONS: "-e console.log(1)" }],
    ["Bun's options: arguments of ours", { BUN_OPTIONS: "-- --schema" }],
    ["Bun in our place", { BUN_BE_BUN: "1" }],
    ["the inspector, waiting for a client", { BUN_INSPECT: `ws+unix://${free}?wait=1` }],
    ["the inspector, stopped at the first line", { BUN_INSPECT: `ws+unix://${free}?break=1` }],
    ["an editor's debug terminal", { BUN_INSPECT_CONNECT_TO: `unix://${free}`, BUN_INSPECT_NOTIFY: `unix://${free}` }],
    ["a file for the inspector", { BUN_INSPECT_PRELOAD: script }],
    ["requests of Bun's on a terminal", { BUN_CONFIG_VERBOSE_FETCH: "curl" }],
    ["Bun's traces", { BUN_TRACE: "/dev/stdout", BUN_WATCHER_TRACE: "/dev/stdout", BUN_DEBUG: "/dev/stdout" }],
    ["all scopes of a debug build", { BUN_DEBUG_ALL: "1", BUN_DEBUG_QUIET_LOGS: "0" }],
    ["a cache of Bun's on stdout", { BUN_RUNTIME_TRANSPILER_CACHE_PATH: "/dev/stdout" }],
    ["Bun's statistics", { BUN_THREADPOOL_STATS: "1", BUN_GARBAGE_COLLECTOR_LEVEL: "2", BUN_LINT_MEMORY: "1" }],
    ["Bun's own tests", { BUN_FEATURE_FLAG_INTERNAL_FOR_TESTING: "1", BUN_DESTRUCT_VM_ON_EXIT: "1" }],
    ["no just-in-time compiler", { BUN_JSC_useJIT: "0" }],
    ["options of WebKit's without Bun's prefix", { JSC_dumpOptions: "3", JSC_logGC: "2" }],
    ["colours at any price", { FORCE_COLOR: "3", CLICOLOR_FORCE: "1", COLORTERM: "truecolor" }],
    ["no colours", { NO_COLOR: "1", NODE_DISABLE_COLORS: "1", TERM: "dumb" }],
    ["a Turkish locale", { LANG: "tr_TR.UTF-8", LC_ALL: "tr_TR.UTF-8", LANGUAGE: "tr" }],
    ["an Arabic locale with digits of its own", { LANG: "ar_EG.UTF-8", LC_NUMERIC: "ar_EG.UTF-8" }],
    ["no locale", { LANG: "", LC_ALL: "C" }],
    ["a locale that is not there", { LANG: CANARY, LC_ALL: CANARY }],
    ["a time zone that is not there", { TZ: `${CANARY}/Nowhere` }],
    ["a time zone out of a file", { TZ: ":/etc/passwd" }],
    ["no home", { HOME: "" }],
    ["a temp folder that is not there", { TMPDIR: `/${CANARY}`, BUN_TMPDIR: `/${CANARY}` }],
    ["a continuous integration", { CI: "true", GITHUB_ACTIONS: "true", NODE_ENV: "test" }],
    ["an agent's shell", { CLAUDECODE: "1", AGENT: "1", REPL_ID: "1" }],
    ["another phux-mcp's parent", { PHUX_TERMINAL_ID: CANARY, PHUX_MCP_MAX_RESULT_CHARS: CANARY }],
  ];
}
