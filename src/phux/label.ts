/** The variable by which a program in a pane knows which one it is. */
const PANE_VARIABLE = "PHUX_TERMINAL_ID";

/**
 * Who we are to others when a call does not say: the pane that the agent runs in, as its selector, or `mcp` outside of
 * one (tools.md 43 and 46). A label and no proof.
 */
export function callerLabel(environment: Readonly<Record<string, string | undefined>>): string {
  const id = environment[PANE_VARIABLE] ?? "";
  return /^[0-9]{1,10}$/.test(id) ? `@${id}` : "mcp";
}
