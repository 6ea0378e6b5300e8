import type { Command, CommandResult } from "../../src/wire/command.ts";
import { limits } from "../../src/wire/limits.ts";
import { okay, refuse } from "./answer.ts";
import type { Question } from "./marks.ts";
import type { Pane } from "./pane.ts";
import type { LabServer } from "./server.ts";

const askedKey = "phux.agent.asked/v1";

/** A question in the title, or its end. On 0.8 the event is the only trace of it (wire.md 17). */
export function setAsked(server: LabServer, pane: Pane, question: Question | null): void {
  if (!server.release.eight) markAsked(server, pane, question !== null);
  if (!question) return;
  const { id, suggestions } = question;
  const offered = suggestions.length > 0 ? { suggestion: [...suggestions] } : {};
  const event = { tag: "asked", id, question: question.question, ...offered } as const;
  server.hub.publish({ terminal: pane.resource, event });
}

/** Also called when input reaches the pane: an answer was given. */
export function markAsked(server: LabServer, pane: Pane, open: boolean): void {
  const scope = { tag: "resource", id: pane.resource } as const;
  if (open) server.writeMetadata(scope, askedKey, Uint8Array.of(0x31));
  else server.deleteMetadata(scope, askedKey);
}

type ReportAsked = Extract<Command, { tag: "REPORT_ASKED" }>;

export function reportAsked(server: LabServer, pane: Pane, report: ReportAsked): CommandResult {
  const broken = brokenLimit(report);
  if (broken) return refuse("INVALID_COMMAND", broken);
  const { id = "", question, suggestion, elapsed_seconds } = report;
  const event = {
    tag: "asked",
    id,
    question,
    ...(suggestion ? { suggestion } : {}),
    ...(elapsed_seconds === undefined ? {} : { elapsed_seconds }),
  } as const;
  server.hub.publish({ terminal: pane.resource, event });
  if (!server.release.eight) markAsked(server, pane, true);
  return okay;
}

function brokenLimit({ id = "", question, suggestion = [] }: ReportAsked): string | null {
  if (question === "") return "asked question must not be empty";
  if (Buffer.byteLength(id) > limits.asked_id) return `asked id exceeds ${limits.asked_id} bytes`;
  if (Buffer.byteLength(question) > limits.asked_question) {
    return `asked question exceeds ${limits.asked_question} bytes`;
  }
  if (suggestion.length > limits.asked_suggestions) {
    return `asked suggestions exceed ${limits.asked_suggestions} entries`;
  }
  if (suggestion.some((word) => word.trim() === "")) return "asked suggestions must not be empty";
  if (suggestion.some((word) => Buffer.byteLength(word) > limits.asked_suggestion)) {
    return `asked suggestion exceeds ${limits.asked_suggestion} bytes`;
  }
  return null;
}
