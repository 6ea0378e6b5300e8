/** What the system says when the other side of a stream has gone. EIO: a terminal that was hung up. */
const codes = new Set(["EPIPE", "ECONNRESET", "ENOTCONN", "ESHUTDOWN", "EIO"]);

/** Whether a stream failed because its other side went away, which is an ordinary end. */
export function isGone(error: unknown): boolean {
  return error instanceof Error && "code" in error && codes.has(String(error.code));
}
