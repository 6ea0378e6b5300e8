import { randomUUID } from "node:crypto";
import { rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { Connection } from "../../../src/phux/connection.ts";
import { refuse, sentence } from "../../../src/phux/errors.ts";
import { Inventory } from "../../../src/phux/inventory.ts";
import { parseJsonObject } from "../../../src/phux/json-object.ts";
import { readLayout } from "../../../src/phux/layouts.ts";
import { LocalFile } from "../../../src/phux/local-file.ts";
import { projectionSession } from "../../../src/phux/projection.ts";
import { formatResource } from "../../../src/phux/selector.ts";
import type { LayoutDocument } from "../../../src/wire/layout-document.ts";
import { fail, ok, type Result } from "../../../src/wire/result.ts";
import { captureArchive, livePanes } from "./archive-capture.ts";
import { type Archive, parseArchive } from "./archive-document.ts";
import { importArchive } from "./archive-import.ts";
import { loadIntegrations } from "./integrations.ts";
import { readOrigin, type SessionOrigin } from "./launch-plan.ts";
import { storedOrigin } from "./new-pane.ts";
import type { CliRefusal } from "./refusal.ts";
import { value, word } from "./slot.ts";
import { socket, verb } from "./verb.ts";

/** Thousands of panes; what is larger was not written by `archive save`. */
const MOST_BYTES = 16 * 1024 * 1024;

/** The layouts that a person sees. */
const SHARED_PREFIX = "phux.tui";

export const save = verb({
  name: "archive save",
  slots: { output: value("-o", "--output"), projection: value("--projection"), socket },
  exclude: ({ output }) => (output === "-" ? "without --output the archive goes to stdout" : null),
  async run(given, call) {
    const connection = await call.connect(given.socket);
    if (!connection.ok) return connection;
    const archive = await capture(connection.value, given.projection ?? SHARED_PREFIX);
    if (!archive.ok) return archive;
    const text = `${JSON.stringify(archive.value, null, 2)}\n`;
    if (given.output === undefined) return ok({ text });
    const refusal = await writeWhole(resolve(given.output), text);
    return refusal === null ? ok({}) : fail(refusal);
  },
});

export const load = verb({
  name: "archive import",
  slots: { socket, path: word("ARCHIVE") },
  exclude: ({ path }) => (path === "-" ? "an archive is read from a file, not from stdin" : null),
  async run(given, call) {
    const archive = await readArchive(given.path);
    if (!archive.ok) return archive;
    const integrations = await loadIntegrations(process.env);
    if (!integrations.ok) return integrations;
    for (const sentence of integrations.value.broken) call.remark(sentence);
    const connection = await call.connect(given.socket);
    if (!connection.ok) return connection;
    const summary = await importArchive(connection.value, archive.value, integrations.value.launchable);
    if (!summary.ok) return summary;
    // The summary is the answer also where a session failed: its exit says so, and stderr nothing.
    const exit = summary.value.failed === undefined ? 0 : 1;
    return ok({ text: `${JSON.stringify(summary.value, null, 2)}\n`, exit });
  },
});

async function capture(connection: Connection, prefix: string): Promise<Result<Archive, CliRefusal>> {
  const state = await connection.state();
  if (!state.ok) return fail(state.error.refusal);
  const inventory = new Inventory(state.value.snapshot);
  const layouts = new Map<number, LayoutDocument>();
  const origins = new Map<string, SessionOrigin>();
  for (const session of inventory.snapshot.sessions) {
    const key = keyUnder(prefix, session.id);
    if (projectionSession(key) !== session.id) {
      return fail(refuse("projection_invalid", `${JSON.stringify(prefix)} is no prefix of layout keys`));
    }
    const stored = await readLayout(connection, key);
    if (!stored.ok) return stored;
    if (stored.value.kind === "layout") layouts.set(session.id, stored.value.layout);
    for (const { id } of livePanes(inventory, session)) {
      const bytes = await storedOrigin(connection, id);
      if (!bytes.ok) return bytes;
      const origin = bytes.value === null ? null : readOrigin(parseJsonObject(bytes.value));
      if (origin !== null) origins.set(formatResource(id), origin);
    }
  }
  return ok(captureArchive({ inventory, layouts, origins }));
}

/** A prefix is what stands before `.layout/v1`, and may be written with it. */
function keyUnder(prefix: string, session: number): string {
  return `${prefix.replace(/\.layout\/v1\/?$/, "")}.layout/v1/${session}`;
}

/** Replaces the file at once: an archive that is half written would take the place of a good one. */
async function writeWhole(path: string, text: string): Promise<CliRefusal | null> {
  const draft = join(dirname(path), `.${randomUUID()}`);
  try {
    await writeFile(draft, text, { flag: "wx", mode: 0o600 });
    await rename(draft, path);
    return null;
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {});
    return refuse("io", `${path} cannot be written: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function readArchive(path: string): Promise<Result<Archive, CliRefusal>> {
  const file = await LocalFile.open(path);
  if (!file.ok) return file;
  try {
    const { size } = file.value;
    if (size > MOST_BYTES) return fail(sentence(`the archive ${path} has ${size} bytes: ${MOST_BYTES} are the most`));
    const whole = await file.value.read(size);
    if (!whole.ok) return whole;
    const archive = parseArchive(new TextDecoder().decode(whole.value.bytes));
    return archive.ok ? archive : fail(sentence(`the archive ${path} ${archive.error}`));
  } finally {
    await file.value.close();
  }
}
