import { fail, ok, type Result } from "../wire/result.ts";
import { type Refusal, refuse } from "./errors.ts";
import { layoutKey } from "./layouts.ts";

const MARK = ".layout/v1/";
const MAX_SESSION = 0xffff_ffff;

/**
 * The session that a projection key is for, or null when it is none: `<prefix>.layout/v1/<session id>` with some prefix
 * that does not hold the mark itself, and an id without leading zeros, sign or blanks (client.md 8.1).
 */
export function projectionSession(key: string): number | null {
  const [prefix, id, ...more] = key.split(MARK);
  if (!prefix || id === undefined || more.length > 0 || !/^(0|[1-9][0-9]{0,9})$/.test(id)) return null;
  const session = Number(id);
  return session <= MAX_SESSION ? session : null;
}

/** The layout key of an edit within one session: its own, or the one projection that the caller names. */
export function keyWithin(projection: readonly string[], session: number): Result<string, Refusal> {
  const [key, ...more] = projection;
  if (key === undefined) return ok(layoutKey(session));
  if (more.length > 0) {
    return fail(refuse("projection_arity", `both panes are in session ${session}: one layout key is enough`));
  }
  return projectionSession(key) === session ? ok(key) : fail(foreign(key, `session ${session}`));
}

/** The layout keys of a move between two sessions: their own, or one projection for each, in either order. */
export function keysBetween(
  projection: readonly string[],
  source: number,
  destination: number,
): Result<{ readonly source: string; readonly destination: string }, Refusal> {
  const [one, other, ...more] = projection;
  if (one === undefined) return ok({ source: layoutKey(source), destination: layoutKey(destination) });
  if (other === undefined || more.length > 0) {
    const message = `the panes are in sessions ${source} and ${destination}: name two layout keys, one for each, or none`;
    return fail(refuse("projection_arity", message));
  }
  const wanted = `session ${source} or ${destination}`;
  const sessions = [one, other].map(projectionSession);
  const stray = [one, other].find((_, at) => sessions[at] !== source && sessions[at] !== destination);
  if (stray !== undefined) return fail(foreign(stray, wanted));
  if (sessions[0] === sessions[1]) {
    return fail(refuse("projection_invalid", `both layout keys name session ${sessions[0]}: each needs one`));
  }
  return ok(sessions[0] === source ? { source: one, destination: other } : { source: other, destination: one });
}

function foreign(key: string, wanted: string): Refusal {
  return refuse("projection_invalid", `${JSON.stringify(key)} is no layout key of ${wanted}`);
}
