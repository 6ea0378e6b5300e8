import { agentAnswer } from "./agent-answer.ts";
import { agentSendKeys } from "./agent-input.ts";
import { agentExplain, agentList, agentShow } from "./agent-list.ts";
import { emit, log } from "./agent-log.ts";
import { agentPrompt } from "./agent-prompt.ts";
import { agentClear, agentReportState, agentSet } from "./agent-record.ts";
import { close, open } from "./agent-session.ts";
import { agentStart } from "./agent-start.ts";
import { agentWait } from "./agent-wait.ts";
import { load, save } from "./archive.ts";
import { ask } from "./ask.ts";
import { doctor } from "./doctor.ts";
import { run, sendKeys } from "./input.ts";
import { launch } from "./launch.ts";
import { kill } from "./pane.ts";
import { perf } from "./perf.ts";
import { perfTrace } from "./perf-trace.ts";
import { inspect } from "./project.ts";
import { snapshot } from "./screen.ts";
import { server, status } from "./server.ts";
import { create, ls } from "./session.ts";
import type { Verb } from "./verb.ts";
import { whoami } from "./whoami.ts";

/** Every verb there is: a new one is a declaration in the file of its noun, and a word here. */
export const verbs: readonly Verb[] = [
  ...[create, kill, ls, run, sendKeys, server, snapshot, status],
  ...[close, emit, inspect, launch, load, log, open, save],
  ...[agentAnswer, agentClear, agentExplain, agentList, agentPrompt, agentReportState, agentSendKeys, agentSet],
  ...[agentShow, agentStart, agentWait, ask],
  ...[doctor, perf, perfTrace, whoami],
];
