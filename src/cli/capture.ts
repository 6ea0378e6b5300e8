/** What one pipe of a child gave so far, never more than its cap. */
export interface Capture {
  /** Resolves when nothing more is read: the pipe ended, the cap was passed, or `close` was called. Never rejects. */
  readonly finished: Promise<void>;
  /** The bytes so far, at most the cap. */
  bytes(): Uint8Array;
  /** Lets go of our end of the pipe, whoever still holds the other. */
  close(): void;
}

/**
 * Drains a pipe from this moment on: what nobody reads, Bun keeps in memory without a bound (300 MB in 0.3 s of a
 * child that prints for ever). `overflow` is called once, with the first byte past `cap`.
 */
export function capture(pipe: ReadableStream<Uint8Array>, cap: number, overflow: () => void): Capture {
  const reader = pipe.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;

  const drain = async (): Promise<void> => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      if (size + value.length > cap) {
        overflow();
        return;
      }
      chunks.push(value);
      size += value.length;
    }
  };

  return {
    // A pipe that breaks has ended: what was read before counts.
    finished: drain().catch(() => {}),
    bytes: () => Buffer.concat(chunks),
    close: () => void reader.cancel().catch(() => {}),
  };
}
