import { refuse } from "../../../src/phux/errors.ts";
import { parseJsonObject } from "../../../src/phux/json-object.ts";
import { formatResource } from "../../../src/phux/selector.ts";
import { selectorOf } from "../../../src/phux/target.ts";
import { fail, ok, type Result } from "../../../src/wire/result.ts";
import { recordTypes } from "../agent-record.ts";
import { findAgentSession } from "./agent-session-target.ts";
import type { Call } from "./call.ts";
import { RecordStream } from "./record-stream.ts";
import type { CliRefusal } from "./refusal.ts";
import { value, wholeNumber, word } from "./slot.ts";
import { json, socket, verb } from "./verb.ts";

/** Reads longer than this are a mistake: the tool asks for no more (tools.md 13, tool 42). */
const MOST_RECORDS = 10_000;

export const emit = verb({
  name: "agent emit",
  contract: 1,
  slots: { type: value("--type"), data: value("--data"), json, socket, target: word("TARGET") },
  exclude: ({ type }) => (type === undefined ? "--type is missing" : null),
  async run(given, call) {
    const { type = "", data: text = "{}" } = given;
    if (!recordTypes.has(type)) return fail(refuse("record_invalid", `${JSON.stringify(type)} is no type of record`));
    const data = parseJsonObject(text);
    if (data === null) return fail(refuse("record_invalid", "the data of a record is a JSON object"));
    const attached = await attach(given, call);
    if (!attached.ok) return attached;
    using stream = attached.value.stream;
    const record = await stream.append(type, data);
    if (!record.ok) return record;
    const { seq, ts_ms } = record.value;
    return ok({ document: { schema_version: 1, resource: attached.value.resource, seq, ts_ms, type } });
  },
});

export const log = verb({
  name: "agent log",
  contract: 1,
  slots: { json, tail: wholeNumber("--tail"), socket, target: word("TARGET") },
  exclude: ({ tail }) =>
    tail !== undefined && (tail < 1 || tail > MOST_RECORDS) ? `--tail is 1 to ${MOST_RECORDS}, not ${tail}` : null,
  async run(given, call) {
    const attached = await attach(given, call);
    if (!attached.ok) return attached;
    const { resource, facts } = attached.value;
    using stream = attached.value.stream;
    const kept = await stream.kept();
    if (!kept.ok) return kept;
    const records = kept.value.slice(given.tail === undefined ? 0 : -given.tail);
    const text = records.map(({ seq, ts_ms, type, data }) => `${seq}\t${ts_ms}\t${type}\t${JSON.stringify(data)}\n`);
    return ok({ document: { schema_version: 1, resource, ...facts, records }, text: text.join("") });
  },
});

interface Attached {
  readonly resource: string;
  readonly facts: { readonly parent: string | null; readonly provider: string; readonly native_id: string | null };
  readonly stream: RecordStream;
}

async function attach(
  given: { readonly target: string; readonly socket: string | undefined },
  call: Call,
): Promise<Result<Attached, CliRefusal>> {
  const selector = selectorOf(given.target);
  if (!selector.ok) return selector;
  const connection = await call.connect(given.socket);
  if (!connection.ok) return connection;
  const session = await findAgentSession(connection.value, given.target, call);
  if (!session.ok) return session;
  const { id, inventory } = session.value;
  const stream = await RecordStream.attach(connection.value.server, id);
  if (!stream.ok) return stream;
  const parent = inventory.parentOf(id);
  const facet = inventory.agentFacetOf(id);
  return ok({
    resource: formatResource(id),
    facts: {
      parent: parent === null ? null : formatResource(parent),
      provider: facet?.provider ?? "",
      native_id: facet?.native_id ?? null,
    },
    stream: stream.value,
  });
}
