import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { refuse } from "../../src/phux/errors.ts";
import { LocalFile } from "../../src/phux/local-file.ts";
import { extensionOf, Upload } from "../../src/phux/upload.ts";
import { fail } from "../../src/wire/result.ts";
import { errorIn, valueIn, withConnection } from "./dialled.ts";
import { requestId } from "./fake-server.ts";
import { idOf } from "./snapshot.ts";

const MIB = 1024 * 1024;
let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "phux-upload-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  ["/a/picture.PNG", "png"],
  ["archive.tar.gz", "gz"],
  ["/a/README", "bin"],
  ["/home/.bashrc", "bin"],
  ["/a.b/c", "bin"],
  ["x.", "bin"],
  ["x.seventeenletters1", "bin"],
  ["x.jpé", "bin"],
])("%s goes under %s", (path, extension) => expect(extensionOf(path)).toBe(extension));

/** What a server says to hold after each chunk of a file of one and a half chunks, and a path with it or not. */
type Says = readonly (readonly [bytes: number, path: boolean])[];

async function uploadTo(says: Says) {
  const path = join(folder, "file");
  writeFileSync(path, new Uint8Array(1.5 * MIB));
  const offsets: number[] = [];
  const answers = [...says];
  let outcome: Awaited<ReturnType<Upload["send"]>> | undefined;
  await withConnection(
    {
      features: ["file_upload"],
      script(frame, client) {
        if (frame.name !== "COMMAND" || frame.value.command.tag !== "PUT_FILE") throw new Error(frame.name);
        offsets.push(Number(frame.value.command.offset));
        const [bytes, named] = answers.shift() ?? [0, false];
        const value = {
          tag: "file_upload",
          next_offset: BigInt(bytes),
          path: named ? "/there/file.bin" : null,
        } as const;
        const result = { tag: "ok_with", value } as const;
        client.send({ name: "COMMAND_RESULT", value: { request_id: requestId(frame), result } });
      },
    },
    async (connection) => {
      const file = valueIn(await LocalFile.open(path));
      const upload = new Upload(connection, async () => fail(refuse("no_server", "gone")), idOf("@1"), "bin");
      outcome = await upload.send(file, () => {});
      await file.close();
    },
  );
  if (outcome === undefined) throw new Error("the upload did not run");
  return { outcome, offsets };
}

test("what the server holds decides where the next chunk begins", async () => {
  const { outcome, offsets } = await uploadTo([
    [1000, false],
    [MIB, false],
    [1.25 * MIB, false],
    [1.5 * MIB, true],
  ]);
  expect(valueIn(outcome)).toMatchObject({ path: "/there/file.bin", bytes: 1.5 * MIB });
  expect(offsets).toEqual([0, 1000, MIB, 1.25 * MIB]);
});

test.each<[what: string, says: Says, message: string]>([
  ["more than was sent", [[MIB + 1, false]], "holds 1048577 bytes"],
  [
    "less than before",
    [
      [MIB, false],
      [MIB - 1, false],
    ],
    "holds 1048575 bytes",
  ],
  ["nothing of a chunk", [[0, false]], "took nothing"],
  ["a path too early", [[MIB, true]], "before the whole file"],
  [
    "a path for a part of the last chunk",
    [
      [MIB, false],
      [1.2 * MIB, true],
    ],
    "before the whole file",
  ],
  [
    "the whole file and no path",
    [
      [MIB, false],
      [1.5 * MIB, false],
    ],
    "names no path",
  ],
])("a server that says %s is not believed", async (_, says, message) => {
  const { outcome } = await uploadTo(says.map(([bytes, path]) => [Math.floor(bytes), path]));
  const refusal = errorIn(outcome);
  expect(refusal.code).toBeNull();
  expect(refusal.message).toContain(message);
});
