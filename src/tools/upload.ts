import * as v from "valibot";
import type { Refusal } from "../phux/errors.ts";
import { LocalFile } from "../phux/local-file.ts";
import { formatResource } from "../phux/selector.ts";
import { requireFeature, resolveOne } from "../phux/target.ts";
import { extensionOf, refuseSize, Upload } from "../phux/upload.ts";
import { fail, ok, type Result } from "../wire/result.ts";
import { optional, socket, text } from "./argument.ts";
import type { Call } from "./call.ts";
import { refuseSelectorText } from "./refusal.ts";
import { type Document, inProcess } from "./tool.ts";

const MIB = 1024 * 1024;

interface Given {
  readonly target: string;
  readonly path: string;
  readonly extension?: string | undefined;
  readonly socket?: string | undefined;
}

export const upload = inProcess({
  name: "phux_upload",
  verb: "phux upload",
  sets: ["panes"],
  about:
    "Copy a local file to the machine that owns a pane; nothing is typed. The server names the copy: put `path` from the " +
    "answer into your prompt or paste. It stays there until somebody deletes it.",
  touches: { methods: ["GET_STATE", "GET_METADATA", "PUT_FILE"] },
  input: {
    target: text("Pane selector."),
    path: text("Regular file here, at most 64 MiB."),
    extension: optional(
      v.pipe(
        v.string("must be a string"),
        v.regex(/^[A-Za-z0-9]{1,16}$/, "must be 1..16 letters or digits"),
        v.description("Suffix over there, 1..16 letters or digits; default the file's, else bin."),
      ),
    ),
    socket,
  },
  exclude: (given) => refuseSelectorText(given.target),
  async run(given, call) {
    const file = await LocalFile.open(given.path);
    if (!file.ok) return file;
    try {
      const tooLarge = refuseSize(file.value);
      return tooLarge === null ? await send(file.value, given, call) : fail(tooLarge);
    } finally {
      await file.value.close();
    }
  },
});

async function send(file: LocalFile, given: Given, call: Call): Promise<Result<Document, Refusal>> {
  const connection = await call.connect(given.socket);
  if (!connection.ok) return connection;
  const lacking = requireFeature(connection.value, "file_upload");
  if (lacking !== null) return fail(lacking);
  const pane = await resolveOne(connection.value, given.target, call);
  if (!pane.ok) return pane;
  const extension = given.extension ?? extensionOf(given.path);
  const upload = new Upload(connection.value, () => call.connect(given.socket), pane.value, extension);
  const of = `of ${Math.ceil(file.size / MIB)} MiB`;
  const uploaded = await upload.send(file, (bytes) => call.progress(`sent ${Math.floor(bytes / MIB)} ${of}`));
  if (!uploaded.ok) return uploaded;
  return ok({ schema_version: 1, uploaded: true, terminal: formatResource(pane.value), ...uploaded.value });
}
