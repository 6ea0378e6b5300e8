/** What may stand at a socket's path instead of a phux server: other files, and servers that do not do their part. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withDesigned } from "../../src/phux/designed-features.ts";
import { capabilitiesOf, type Feature, features } from "../../src/wire/capability.ts";
import { type AnyFrame, encodeFrame } from "../../src/wire/frame.ts";
import { type Client, FakeServer, type Script } from "../phux/fake-server.ts";

/** A folder with a file of each kind, none of which anybody listens on. */
export class Places implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), "places-"));
  /** A file that a tool may upload. */
  readonly file = join(this.folder, "file");

  constructor() {
    writeFileSync(this.file, "a file");
    mkdirSync(join(this.folder, "folder"));
    spawnSync("mkfifo", [join(this.folder, "pipe")]);
    symlinkSync("/nowhere/at/all", join(this.folder, "dangling"));
    symlinkSync("loop", join(this.folder, "loop"));
    symlinkSync("file", join(this.folder, "link"));
    const listener = Bun.listen({ unix: join(this.folder, "live"), socket: { data: () => {} } });
    renameSync(join(this.folder, "live"), join(this.folder, "stale"));
    listener.stop(true);
  }

  at(name: string): string {
    return name.startsWith("/") ? name : join(this.folder, name);
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

// `features` is the only source of these keys.
const everything = withDesigned(capabilitiesOf(Object.keys(features) as Feature[]), ["relaunch", "mail", "claims"]);

/** A server that admits everybody with every feature there is, and then does what its script says. */
export function admitting(script: Script): FakeServer {
  const server = new FakeServer({ script });
  server.hello = (_, client) => client.send(server.helloOk({ server_caps: everything }));
  return server;
}

/** A server that answers the greeting with these bytes, whoever asks, and may then leave. */
export function greeting(bytes: (server: FakeServer) => Uint8Array, leaves: boolean): FakeServer {
  const server = new FakeServer();
  server.hello = (_, client) => {
    client.sendBytes(bytes(server));
    if (leaves) client.end();
  };
  return server;
}

/** Sends a client something again and again, every so many milliseconds, as long as both are there. */
export class Dripping implements Disposable {
  readonly #timers = new Set<ReturnType<typeof setInterval>>();

  start(client: Client, ms: number, next: () => Uint8Array | null): void {
    const timer = setInterval(() => {
      const bytes = client.isOpen ? next() : null;
      if (bytes !== null) client.sendBytes(bytes);
      else clearInterval(timer);
    }, ms);
    this.#timers.add(timer);
  }

  /** These bytes, one at a time. */
  bytes(client: Client, ms: number, bytes: Uint8Array): void {
    let at = 0;
    this.start(client, ms, () => (at < bytes.length ? bytes.subarray(at, ++at) : null));
  }

  [Symbol.dispose](): void {
    for (const timer of this.#timers) clearInterval(timer);
  }
}

/** Frames that are normal at any time and answer nothing: a hundred of each. */
export const chatter = Buffer.concat(
  Array.from({ length: 100 }, (_, at): AnyFrame[] => [
    { name: "PING", value: { nonce: BigInt(at) } },
    { name: "EVENT", value: { terminal: { tag: "local", id: 1 }, event: { tag: "bell" }, seq: BigInt(at) } },
  ]).flatMap((frames) => frames.map(encodeFrame)),
);

/** The beginning of a frame that announces a megabyte, and a little of it. */
export const unfinished = Uint8Array.of(0, 16, 0, 0, 0x21, ...new Uint8Array(2_000));
