import guide from "../skill/SKILL.md" with { type: "text" };
import { print } from "./print.ts";

/** Prints the operating guide for an agent that has these tools. */
export function printSkill(): Promise<void> {
  return print(guide);
}
