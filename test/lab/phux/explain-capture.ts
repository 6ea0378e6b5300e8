import { parseScreen } from "../../../src/phux/screen.ts";
import { fail, ok, type Result } from "../../../src/wire/result.ts";
import { manifestOf } from "../detect/manifest.ts";
import { type AgentEntry, agentEntry } from "./agent-report.ts";
import { type CliRefusal, refuseCli } from "./refusal.ts";

/**
 * What detection makes of a screen that was captured with `snapshot --json`, taken for one of an agent of that kind.
 * Refusals: `unknown_agent_kind`, `capture_unreadable`, `capture_invalid`.
 */
export async function explainCapture(
  path: string,
  kind: string,
  title: string | null,
): Promise<Result<AgentEntry, CliRefusal>> {
  const manifest = manifestOf(kind);
  if (manifest === null) return fail(refuseCli("unknown_agent_kind", `no manifest is of kind ${JSON.stringify(kind)}`));
  const text = await Bun.file(path)
    .text()
    .catch(() => null);
  if (text === null) return fail(refuseCli("capture_unreadable", `${path} cannot be read`));
  const screen = parseScreen(text);
  if (!screen.ok) return fail(refuseCli("capture_invalid", `${path} is no captured screen: ${screen.error.message}`));
  const { pane, lines = [] } = screen.value;
  const sighting = {
    ...{ terminal: `@${pane}`, session: null, window: null, title: title ?? screen.value.title ?? null, cwd: null },
    ...{ record: null, recordText: "", stream: null, foreground: null, rows: lines },
  };
  return ok(agentEntry(sighting, manifest));
}
