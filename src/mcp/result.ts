/** The envelope of a `tools/call` result: one text block and whether it tells of a failure. Pure. */

import { cleanText } from "../text/clean.ts";
import { type Line, lineAround } from "./line.ts";
import { type RequestId, resultHead } from "./message.ts";

export interface ToolAnswer {
  /** A document or a sentence. Cleaned on its way out, so it may hold what a pane or a program wrote. */
  readonly text: string;
  readonly isError: boolean;
}

/** The whole reply to a call. Never `structuredContent`: hosts show one of the two. `trailer`: see generation.ts. */
export function answerLine(id: RequestId, { text, isError }: ToolAnswer, trailer: string): Line {
  const head = `${resultHead(id)}{"content":[{"type":"text","text":"`;
  return lineAround(head, cleanText(text), `"}],"isError":${isError}${trailer}}}`);
}

export function unusableArguments(value: unknown): ToolAnswer {
  const kind = Array.isArray(value) ? "an array" : `a ${typeof value}`;
  return { text: `arguments is ${kind}; it must be an object with one member for each argument`, isError: true };
}

/** A tool never throws but by mistake; the host gets an answer all the same. */
export function brokenTool(name: string, error: unknown): ToolAnswer {
  return { text: `${name} failed because of a mistake in this server: ${reasonOf(error)}`, isError: true };
}

/** What an exception says of itself. Never throws: anything can be thrown, also what has no text. */
export function reasonOf(error: unknown): string {
  try {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  } catch {
    return "an exception without a text";
  }
}

/**
 * What the log says of a mistake of ours: its kind and its place. Nothing of its text, which may repeat what a call was
 * given, what a pane showed or what stood in the environment; hosts keep logs. Never throws.
 */
export function mistakeOf(error: unknown): string {
  try {
    if (!(error instanceof Error)) return `something of type ${typeof error} was thrown`;
    const code = "code" in error && /^[A-Z_0-9]+$/.test(String(error.code)) ? ` ${error.code}` : "";
    const place = /^\s+at .*?([^\s/()]+:\d+:\d+)\)?$/m.exec(error.stack ?? "")?.[1] ?? "no known place";
    return `${/^\w+$/.test(error.name) ? error.name : "Error"}${code} at ${place}`;
  } catch {
    return "an exception without a text";
  }
}
