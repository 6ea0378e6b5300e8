/** The id of a request whose line is too long to be parsed, out of the bytes in front. Pure. */
import { isRequestId, type RequestId } from "./message.ts";

// Sticky: where the text stops being JSON, or is cut, nothing more is read. A number counts only with its end in sight.
const token = /\s*([{}[\],:]|"(?:[^"\\]|\\.)*"|[^\s{}[\],:"]+(?=[\s{}[\],:"]))/gy;

/**
 * Finds the `id` member at the top level of the object that begins here and is cut off somewhere.
 * @param front the first bytes of the line, 4 KiB at most
 * @returns null when it is not whole within them, not a usable id, or the text is no object
 */
export function leadingId(front: Uint8Array): RequestId | null {
  const text = decodeFront(front);
  if (text === null) return null;
  let depth = 0;
  let key: unknown = null;
  let previous = "";
  for (const [, part = ""] of text.matchAll(token)) {
    if (depth === 0 && part !== "{") return null;
    if (depth === 1 && previous === ":" && key === "id") return usable(part);
    // A key of the outer object is a string that opens it or follows a comma.
    if (depth === 1 && (previous === "{" || previous === ",")) key = valueIn(part);
    if (part === "{" || part === "[") depth++;
    if (part === "}" || part === "]") depth--;
    if (depth === 0) return null;
    previous = part;
  }
  return null;
}

/** A character cut in half at the end is left out; bytes that are not UTF-8 name no id. */
function decodeFront(front: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(front, { stream: true });
  } catch {
    return null;
  }
}

function usable(part: string): RequestId | null {
  const value = valueIn(part);
  return isRequestId(value) ? value : null;
}

function valueIn(part: string): unknown {
  try {
    return JSON.parse(part);
  } catch {
    return null;
  }
}
