import { type AgentRecord, type AgentState, effectiveAttention } from "../../../src/phux/agent-record.ts";
import type { Seen } from "../detect/look.ts";
import { look, stateOf } from "../detect/look.ts";
import { declaredKind, type Manifest, manifestFor, manifestOf } from "../detect/manifest.ts";
import { questionInTitle } from "../marks.ts";

/** Everything about one pane that tells of an agent. What could not be read is null. */
export interface Sighting {
  readonly terminal: string;
  readonly session: string | null;
  readonly window: string | null;
  readonly title: string | null;
  readonly cwd: string | null;
  readonly record: AgentRecord | null;
  /** As it is stored. */
  readonly recordText: string;
  readonly stream: StreamSighting | null;
  /** The name of the process in front. */
  readonly foreground: string | null;
  /** The rows of the screen, where a manifest asks for them. */
  readonly rows: readonly string[] | null;
}

/** A live agent session under the pane. */
export interface StreamSighting {
  readonly resource: string;
  readonly provider: string;
  readonly native_id: string | null;
  readonly state: AgentState;
}

export interface Source {
  readonly kind: string;
  readonly signal: string;
  readonly confidence: number;
  readonly observed: string;
}

/** How far each kind of evidence is believed, 0 to 1. */
const confidence = {
  stream: 1,
  record: 1,
  ask: 0.9,
  screen: 0.8,
  identity: 0.5,
  declared: 0.3,
  fallback: 0.3,
  none: 0.2,
};

/** Kinds that have a word of their own in the document; detection by any other manifest is a plugin's. */
const ownWords: ReadonlySet<string> = new Set(["codex", "claude", "opencode", "pi", "omp"]);

/** The manifest that a pane's screen is read with, null when no program of an agent is in front. */
export function manifestOfPane({ record, foreground }: Pick<Sighting, "record" | "foreground">): Manifest | null {
  return foreground === null ? null : manifestFor(foreground, declaredKind(record));
}

/** One row of `agent list`, `show` and `explain` (tools.md 13, tool 29): the evidence, weighed. */
export function agentEntry(sighting: Sighting, manifest = manifestOfPane(sighting)) {
  const { terminal, session, window, record, stream, title, cwd } = sighting;
  const seen = manifest === null || sighting.rows === null ? null : look(manifest, sighting.rows);
  const sources = [...evidence(sighting, manifest, seen)].sort((a, b) => b.confidence - a.confidence);
  const verdict = weigh(sighting, manifest, seen);
  const attention = effectiveAttention({ name: "", ...record, state: verdict.state });
  return {
    ...{ terminal, session, window, agent: whoIs(sighting, manifest), state: verdict.state },
    ...{ confidence: verdict.confidence, attention, title, cwd, sources, explanation: verdict.explanation },
    agent_session: stream && { resource: stream.resource, provider: stream.provider, native_id: stream.native_id },
  };
}

export type AgentEntry = ReturnType<typeof agentEntry>;

function whoIs({ record, stream }: Sighting, manifest: Manifest | null) {
  const kind = record?.kind ?? stream?.provider ?? manifest?.kind;
  const id = kind ?? record?.name ?? "unknown";
  const label = record?.name ?? manifest?.label ?? stream?.provider ?? "Unknown agent";
  return { id, label, kind: kindWord(kind, record) };
}

function kindWord(kind: string | undefined, record: AgentRecord | null): string {
  if (kind !== undefined && ownWords.has(kind)) return kind;
  if (kind !== undefined && manifestOf(kind) !== null) return "plugin";
  return record === null && kind === undefined ? "unknown" : "declared";
}

function* evidence(sighting: Sighting, manifest: Manifest | null, seen: Seen | null): Generator<Source> {
  const { record, recordText, stream, title, foreground } = sighting;
  if (stream !== null) {
    const signal = `the agent session ${stream.resource} under this pane`;
    yield { kind: "stream", signal, confidence: confidence.stream, observed: stream.state };
  }
  if (record !== null) {
    yield {
      kind: "agent_record",
      signal: "phux.agent/v1 of this pane",
      confidence: confidence.record,
      observed: recordText,
    };
  }
  const asked = title === null ? null : questionInTitle(title);
  if (asked !== null) {
    yield {
      kind: "title_ask",
      signal: "a question in the title",
      confidence: confidence.ask,
      observed: asked.question,
    };
  }
  if (manifest !== null && foreground !== null) {
    const signal = `a program of kind ${manifest.kind} in front`;
    yield { kind: "identity", signal, confidence: confidence.identity, observed: foreground };
  }
  if (manifest !== null && sighting.rows !== null) yield screenSource(manifest, seen);
  if (record === null && stream === null && manifest === null) {
    const signal = "phux.agent/v1 of this pane is not set";
    yield { kind: "no_agent_record", signal, confidence: confidence.none, observed: foreground ?? "nothing known" };
  }
}

function screenSource({ kind }: Manifest, seen: Seen | null): Source {
  if (seen !== null) {
    const signal = `rule ${seen.rule.id} of the ${kind} manifest: ${seen.state}`;
    return { kind: "screen", signal, confidence: confidence.screen, observed: seen.row };
  }
  const signal = `no rule of the ${kind} manifest fits this screen`;
  return {
    kind: "detector_fallback",
    signal,
    confidence: confidence.fallback,
    observed: "taken to rest, never to ask",
  };
}

interface Verdict {
  readonly state: AgentState;
  readonly confidence: number;
  readonly explanation: string;
}

/** The best evidence decides: the agent's own records, then its declared state, then what its screen shows. */
function weigh({ stream, record, title }: Sighting, manifest: Manifest | null, seen: Seen | null): Verdict {
  if (stream !== null && stream.state !== "unknown") {
    return { state: stream.state, confidence: confidence.stream, explanation: "its agent session says so" };
  }
  if (record !== null && record.state !== "unknown") {
    return { state: record.state, confidence: confidence.record, explanation: "the pane's record says so" };
  }
  if (title !== null && questionInTitle(title) !== null) {
    return { state: "blocked", confidence: confidence.ask, explanation: "a question stands in its title" };
  }
  const shown = manifest === null ? null : stateOf(manifest, seen);
  if (shown !== null) {
    const sure = seen === null ? confidence.fallback : confidence.screen;
    const explanation = seen === null ? "its screen shows no sign of work" : `its screen fits the rule ${seen.rule.id}`;
    return { state: shown, confidence: sure, explanation };
  }
  if (record === null && manifest === null) {
    return { state: "unknown", confidence: confidence.none, explanation: "nothing tells of an agent here" };
  }
  const explanation = manifest === null ? "an agent is declared, and none is seen" : "its screen shows nothing yet";
  return { state: "unknown", confidence: confidence.declared, explanation };
}
