import type { Command, CommandResult } from "../../src/wire/command.ts";
import { limits } from "../../src/wire/limits.ts";
import { json, refuse } from "./answer.ts";
import type { Pane } from "./pane.ts";
import { rendered } from "./screen-render.ts";
import { type ProcessFacts, screenState, terminalState } from "./screen-state.ts";
import type { LabServer } from "./server.ts";

type GetScreen = Extract<Command, { tag: "GET_SCREEN" }>;

/** GET_SCREEN (wire.md 11). 0.8 reads no format byte and renders nothing. */
export async function getScreen(server: LabServer, pane: Pane, ask: GetScreen): Promise<CommandResult> {
  const { terminal } = pane;
  const format = server.release.eight ? 0 : (ask.format ?? 0);
  if ((format & 0x7f) > 2) return refuse("INVALID_COMMAND", `undefined screen format ${format & 0x7f}`);
  const scrollback = ask.request_scrollback;
  const { cols, rows } = terminal;
  const state = await terminal.screen.read((screen) => {
    const whole = screenState(screen, { pane: pane.id, cols, rows, scrollback, cells: ask.cells ?? false });
    if ((format & 0x7f) === 0) return whole;
    const { lines: _lines, scrollback: _scrollback, soft_wrap: _wraps, ...rest } = whole;
    return { ...rest, rendered: rendered(screen, format, scrollback) };
  });
  if ((state.rendered?.data.length ?? 0) > limits.rendered_capture) {
    return refuse("RESOURCE_EXHAUSTED", `the rendering is over ${limits.rendered_capture} bytes`);
  }
  return json(JSON.stringify(state));
}

type GetTerminalState = Extract<Command, { tag: "GET_TERMINAL_STATE" }>;

/** GET_TERMINAL_STATE (wire.md 12): on 0.8 without the facts about the process. */
export async function getTerminalState(server: LabServer, pane: Pane, ask: GetTerminalState): Promise<CommandResult> {
  const { terminal } = pane;
  const history = ask.include_scrollback ? ask.max_scrollback_lines : null;
  const facts = server.release.eight ? null : processFacts(pane);
  const state = await terminal.screen.read((screen) =>
    terminalState(screen, terminal, history, facts, server.nowSeconds),
  );
  return json(JSON.stringify(state));
}

const reasonNames = ["exited", "killed", "parent_closed", "server_shutdown"];

function processFacts({ terminal, activity, retained }: Pane): ProcessFacts {
  return {
    child: terminal.child,
    foreground: terminal.foreground,
    cwd: terminal.cwd,
    prompt: { state: activity.prompt, last_exit_code: activity.lastExitCode },
    exit: retained && {
      status: retained.exit.status,
      signal: retained.exit.signal,
      reason: reasonNames[retained.reason] ?? "exited",
      exited_at_ms: retained.atMs,
    },
  };
}
