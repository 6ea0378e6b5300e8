import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, statSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { upload } from "../../src/tools/upload.ts";
import type { LabOptions } from "../lab/options.ts";
import type { Stage } from "../lab/stage.ts";
import { until } from "../lab/until.ts";
import type { Bench } from "./calls.ts";
import { membersOf, onLab } from "./lab-bench.ts";

const on = (body: (bench: Bench, stage: Stage) => Promise<void>, options: Partial<LabOptions> = {}) =>
  onLab([upload], options, body);

const MIB = 1024 * 1024;
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** Bytes that differ everywhere, so that a chunk in the wrong place is seen. */
function noise(size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  for (let at = 0; at < size; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536));
  return bytes;
}

const versions = ["1.0", "0.9", "0.8"] as const;

describe("a file arrives whole", () => {
  const sizes: [what: string, size: number][] = [
    ["empty", 0],
    ["a byte", 1],
    ["a chunk", MIB],
    ["a chunk and a byte", MIB + 1],
    ["three chunks and a half", 3.5 * MIB],
  ];
  test.each(sizes)("%s", (_, size) =>
    on(async (bench, { folder }) => {
      const bytes = noise(size);
      const path = join(folder, "picture.PNG");
      writeFileSync(path, bytes);
      const document = membersOf(await bench.document("phux_upload", { target: "main", path }));
      const remote = String(document["path"]);
      expect(document).toEqual({
        schema_version: 1,
        uploaded: true,
        terminal: "@1",
        path: expect.stringMatching(/\/phux-upload-[0-9a-f]{32}\.png$/),
        bytes: size,
        sha256: sha256(bytes),
        upload_id: /phux-upload-([0-9a-f]{32})/.exec(remote)?.[1],
      });
      expect(Object.keys(document)).toEqual([
        ...["schema_version", "uploaded", "terminal", "path", "bytes", "sha256", "upload_id"],
      ]);
      expect(sha256(readFileSync(remote))).toBe(sha256(bytes));
      expect(statSync(remote).mode & 0o777).toBe(0o600);
    }),
  );

  test.each(versions)("to a server of %s", (version) =>
    on(
      async (bench, { folder }) => {
        const path = join(folder, "notes");
        writeFileSync(path, "hello");
        symlinkSync(path, join(folder, "link"));
        const { path: remote } = membersOf(
          await bench.document("phux_upload", { target: "@1", path: join(folder, "link"), extension: "TXT" }),
        );
        expect(String(remote)).toEndWith(".txt");
        expect(readFileSync(String(remote), "utf8")).toBe("hello");
      },
      { version },
    ),
  );

  test("64 MiB, and no byte more", () =>
    on(async (bench, { lab, folder }) => {
      const path = join(folder, "large.bin");
      writeFileSync(path, "");
      truncateSync(path, 64 * MIB);
      const document = membersOf(await bench.document("phux_upload", { target: "@1", path }));
      expect(document).toMatchObject({ bytes: 64 * MIB });
      expect(bench.progress.length).toBeGreaterThan(60);
      expect(bench.progress.at(-1)).toBe("sent 63 of 64 MiB");
      truncateSync(path, 64 * MIB + 1);
      lab.faults.silent = "all";
      expect(await bench.code("phux_upload", { target: "@1", path })).toEqual(["upload_too_large", 2]);
    }));

  test("to the machine of a satellite's pane", () =>
    onLab([upload], {}, async (_, satellite) => {
      const satellites = { edge: { socket: satellite.lab.socket } };
      await on(
        async (bench, { folder }) => {
          const path = join(folder, "a.log");
          writeFileSync(path, "over there");
          const document = membersOf(await bench.document("phux_upload", { target: "edge/@1", path }));
          expect(document).toMatchObject({ terminal: "edge/@1" });
          expect(String(document["path"])).toStartWith(satellite.folder);
          expect(readFileSync(String(document["path"]), "utf8")).toBe("over there");
        },
        { satellites },
      );
    }));
});

describe("a connection that is lost", () => {
  test("once: the upload goes on where it stood, under the same id", () =>
    on(async (bench, { lab, folder }) => {
      const bytes = noise(2.5 * MIB);
      const path = join(folder, "a.bin");
      writeFileSync(path, bytes);
      for (const lost of [0, 1, 2]) {
        const { put } = lab.server.uploads;
        const offsets: number[] = [];
        lab.server.uploads.put = (chunk) => {
          offsets.push(Number(chunk.offset) / MIB);
          if (offsets.length === lost + 1) lab.faults.dropReplies = { PUT_FILE: 1 };
          return put.call(lab.server.uploads, chunk);
        };
        const document = membersOf(await bench.document("phux_upload", { target: "@1", path }));
        lab.server.uploads.put = put;
        expect(sha256(readFileSync(String(document["path"])))).toBe(sha256(bytes));
        expect(offsets).toEqual([0, 1, 2, lost].toSorted());
      }
    }));

  test("twice: the call says so", () =>
    on(async (bench, { lab, folder }) => {
      const path = join(folder, "a.bin");
      writeFileSync(path, "x");
      lab.faults.dropReplies = { PUT_FILE: 2 };
      expect(await bench.code("phux_upload", { target: "@1", path })).toEqual(["server_disconnected", 1]);
    }));
});

describe("what is refused", () => {
  test("a path that is no readable regular file, before anything is opened", () =>
    on(async (bench, { lab, folder }) => {
      lab.faults.silent = "all";
      const pipe = join(folder, "pipe");
      expect(Bun.spawnSync(["mkfifo", pipe]).exitCode).toBe(0);
      mkdirSync(join(folder, "d"));
      for (const path of [join(folder, "none"), join(folder, "d"), pipe, "/dev/zero", lab.socket]) {
        expect(await bench.code("phux_upload", { target: "@1", path })).toEqual(["io", 1]);
      }
      expect(lab.server.connections.size).toBe(0);
    }));

  const file = (folder: string) => {
    const path = join(folder, "a.txt");
    writeFileSync(path, "x");
    return path;
  };

  test.each([
    ["@99", "no_such_target", 1],
    ["nowhere", "no_such_target", 1],
    ["%nobody", "no_such_target", 1],
    ["%", "invalid_selector", 2],
  ] as const)("the target %s", (target, code, exit) =>
    on(async (bench, { folder }) => {
      expect(await bench.code("phux_upload", { target, path: file(folder) })).toEqual([code, exit]);
    }),
  );

  test("a target in a view that misses part of the fleet", () =>
    on(
      async (bench, { folder }) =>
        expect(await bench.code("phux_upload", { target: "attic/@1", path: file(folder) })).toEqual([
          "partial_view",
          3,
        ]),
      { satellites: { attic: { unreachable: "connect timed out" } } },
    ));

  test.each(versions)("a server of %s that takes no files, before a byte of it is sent", (version) =>
    on(
      async (bench, { lab, folder }) => {
        lab.faults.silent = ["GET_STATE", "PUT_FILE"];
        const args = { target: "@1", path: file(folder) };
        expect(await bench.code("phux_upload", args)).toEqual(["unsupported_server", 2]);
        expect(await bench.failure("phux_upload", args)).toContain("file_upload");
      },
      { version, without: ["file_upload"] },
    ),
  );

  test.each([
    [200, "file upload SHA-256 mismatch", null],
    [65535, "no space left", null],
    [202, "the quota is used up", "upload_too_large"],
    [201, "not yours", "permission_denied"],
  ])("what the server refuses with %i: %s", (wire, message, code) =>
    on(async (bench, { lab, folder }) => {
      lab.faults.refuse = { PUT_FILE: { code: wire, message } };
      const text = await bench.failure("phux_upload", { target: "@1", path: file(folder) });
      expect(text).toContain(message);
      if (code !== null) expect(text).toContain(code);
      else expect(text).not.toStartWith("{");
    }),
  );

  test.each(["", "a.b", "seventeenletters1"])("the extension %p", (extension) =>
    on(async (bench, { folder }) => {
      expect(await bench.failure("phux_upload", { target: "@1", path: file(folder), extension })).toContain(
        '"extension" must be 1..16 letters or digits',
      );
    }),
  );
});

test("a file that changes while it is read is refused, and its copy never becomes a file", () =>
  on(async (bench, { lab, folder }) => {
    const path = join(folder, "a.bin");
    writeFileSync(path, noise(2 * MIB));
    const { put } = lab.server.uploads;
    const finals: boolean[] = [];
    lab.server.uploads.put = (chunk) => {
      finals.push(chunk.final_chunk);
      writeFileSync(path, noise(2 * MIB));
      return put.call(lab.server.uploads, chunk);
    };
    expect(await bench.code("phux_upload", { target: "@1", path })).toEqual(["io", 1]);
    expect(finals).toEqual([false]);
  }));

test("a cancel closes the connection and sends no more", () =>
  on(async (bench, { lab, folder }) => {
    const path = join(folder, "a.bin");
    writeFileSync(path, noise(3 * MIB));
    const cancel = new AbortController();
    const { put } = lab.server.uploads;
    let chunks = 0;
    lab.server.uploads.put = (chunk) => {
      chunks += 1;
      cancel.abort();
      return put.call(lab.server.uploads, chunk);
    };
    await bench.call("phux_upload", { target: "@1", path }, { signal: cancel.signal });
    await until("the connection is gone", () => lab.server.connections.size === 0);
    expect(chunks).toBe(1);
  }));
