/** An environment as a program holds it, such as `process.env`: unset names are absent or undefined. */
export interface Environment {
  readonly PATH?: string | undefined;
  readonly PHUX_SOCKET?: string | undefined;
  readonly [name: string]: string | undefined;
}

/** Where a call's socket comes from, before the child looks for one itself. */
export interface SocketChoice {
  /** The call's own `socket` argument, which reaches the child as `--socket`; null when it has none. */
  readonly ofCall: string | null;
  /** What our own search for a default socket found; null when it found none, or was not made. */
  readonly found: string | null;
}

/**
 * The environment of a phux child (design.md section 6): both halves of phux-mcp must talk to the same server, and
 * releases differ in where they look for one and in what an empty PHUX_SOCKET means to them.
 *
 * Null means that nothing needs a correction: the child inherits the environment as it is, byte for byte.
 */
export function childEnvironment(environment: Environment, socket: SocketChoice): Record<string, string> | null {
  const { PHUX_SOCKET: named, ...others } = environment;
  if (named !== undefined && named !== "") return null;
  const given = socket.ofCall === null ? socket.found : null;
  if (given === null && named === undefined) return null;

  const corrected: Record<string, string> = {};
  for (const [name, value] of Object.entries(others)) if (value !== undefined) corrected[name] = value;
  return given === null ? corrected : { ...corrected, PHUX_SOCKET: given };
}
