/** What a prompt asks for. */
export type Errand =
  | { readonly errand: "say"; readonly text: string }
  | { readonly errand: "run"; readonly command: string }
  | { readonly errand: "ask"; readonly question: string; readonly choices: readonly string[] }
  | { readonly errand: "work"; readonly seconds: number; readonly text: string }
  | { readonly errand: "help" }
  | { readonly errand: "exit" }
  | { readonly errand: "reply"; readonly words: number };

/** The errands by their first word, for `help`. */
export const vocabulary: readonly string[] = [
  "say TEXT              answers with the text",
  "run COMMAND           asks, runs it in a shell and shows what it prints",
  "ask QUESTION | A | B  asks, and says what was chosen",
  "work SECONDS TEXT     works so long, then says the text",
  "exit                  ends the agent",
];

const LONGEST_WORK_SECONDS = 3_600;

/** Reads a prompt. Total: what is none of the known errands gets a reply of its own. */
export function errandOf(prompt: string): Errand {
  const [, first = "", rest = ""] = /^\s*(\S*)\s*(.*)$/s.exec(prompt) ?? [];
  const text = rest.trim();
  const reply = { errand: "reply", words: prompt.trim().split(/\s+/).length } as const;
  switch (first.toLowerCase().replace(/^\//, "")) {
    case "say":
      return { errand: "say", text };
    case "run":
      return text === "" ? reply : { errand: "run", command: text };
    case "ask": {
      const [question = "", ...choices] = text.split("|").map((part) => part.trim());
      return question === "" ? reply : { errand: "ask", question, choices: choices.filter((choice) => choice !== "") };
    }
    case "work": {
      const [, number = "", then = ""] = /^(\d{1,4}(?:\.\d{1,3})?)\b\s*(.*)$/s.exec(text) ?? [];
      if (number === "") return reply;
      return { errand: "work", seconds: Math.min(Number(number), LONGEST_WORK_SECONDS), text: then.trim() || "Done." };
    }
    case "help":
      return { errand: "help" };
    case "exit":
    case "quit":
      return { errand: "exit" };
    default:
      return reply;
  }
}
