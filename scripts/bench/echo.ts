/** The baseline of the start rows: a bare compiled Bun program that answers one line with itself. */
const out = Bun.stdout.writer();
for await (const chunk of Bun.stdin.stream()) {
  out.write(chunk);
  out.flush();
}

export {};
