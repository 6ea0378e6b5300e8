/** A server that has every feature, answers so many frames of each connection, and from then on says nothing. */
import { FakeServer } from "../phux/fake-server.ts";
import { SmallPhux } from "../phux/small-phux.ts";

export class SilentPhux implements Disposable {
  /** How many frames after HELLO are answered; with -1 not even HELLO is. */
  answers = 0;
  readonly server: FakeServer;
  #lastFrame = 0;
  readonly #phux = new SmallPhux();

  constructor() {
    const phux = this.#phux;
    phux.override = (_, client) => {
      this.#lastFrame = performance.now();
      return client.received.length - 1 > this.answers;
    };
    this.server = new FakeServer({ script: phux.script });
    const everything = { layers: 7, features: 0xffffffff, features_ext: 0xffffffff };
    this.server.hello = (_, client) => {
      this.#lastFrame = performance.now();
      if (this.answers >= 0) client.send(this.server.helloOk({ server_caps: everything }));
    };
  }

  /** Answers so many frames from now on, and has forgotten what was done to it. */
  reset(answers: number): void {
    this.answers = answers;
    this.#phux.state = new SmallPhux().state;
    this.#phux.metadata.clear();
  }

  /** A connection stands, and so long nothing came on any. */
  isQuiet(ms: number): boolean {
    return this.server.open > 0 && performance.now() - this.#lastFrame >= ms;
  }

  /** Frames that came, and connections that there were, so far. */
  get traffic(): readonly [frames: number, connections: number] {
    return [this.server.frames.length, this.server.clients.length];
  }

  [Symbol.dispose](): void {
    this.server.close();
  }
}
