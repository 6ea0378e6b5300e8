import { quote } from "../text/clean.ts";
import { nearest } from "../text/nearest.ts";
import { claudeCode } from "./claude-code.ts";
import { codex } from "./codex.ts";
import { copilot } from "./copilot.ts";
import { cursor } from "./cursor.ts";
import { gemini } from "./gemini.ts";
import type { Host } from "./host.ts";
import { opencode } from "./opencode.ts";
import { qwen } from "./qwen.ts";
import { vscode } from "./vscode.ts";
import { windsurf } from "./windsurf.ts";
import { zed } from "./zed.ts";

/** Every host that can be registered with, in the order in which they are listed. */
export const hosts: readonly Host[] = [
  claudeCode,
  codex,
  gemini,
  opencode,
  vscode,
  cursor,
  windsurf,
  qwen,
  copilot,
  zed,
];

export const hostNames: readonly string[] = hosts.map(({ name }) => name);

export function hostNamed(name: string): Host | null {
  const wanted = name.toLowerCase();
  return hosts.find((host) => host.name === wanted || host.aliases.includes(wanted)) ?? null;
}

/** The answer to a host that nobody knows. */
export function unknownHost(name: string): string {
  const [closest] = nearest(name, hostNames, 1);
  const guess = closest === undefined ? "" : `did you mean ${closest}? `;
  return `no host ${quote(name)}: ${guess}The hosts are ${hostNames.join(", ")}`;
}
