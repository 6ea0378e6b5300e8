/**
 * Text for a person's terminal: what others have named or written must neither steer it nor turn its lines around. Line
 * ends and tabs stay, and so does a JSON text's meaning.
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Bidi_Control}]/gu, (mark) => (mark === "\n" || mark === "\t" ? mark : escaped(mark)));
}

const escaped = (mark: string) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, "0")}`;
