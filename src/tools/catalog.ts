import { agentAnswer, agentPrompt, agentSendKeys, agentStart } from "./agent-input.ts";
import { agentClear, agentSet } from "./agent-record.ts";
import { agentEmit, agentLog, agentSessionClose, agentSessionOpen } from "./agent-session.ts";
import { agentExplain, agentList, agentShow, agentWait } from "./agent-state.ts";
import { approvals, approve } from "./approval.ts";
import { claimList, claimRelease, claimRenew, claimTake } from "./claim.ts";
import { doctor, perf, perfTrace, status, whoami } from "./diagnostic.ts";
import { paste, run, sendKeys } from "./input.ts";
import { insert, move, swap } from "./layout.ts";
import { mailAck, mailRead, mailSend } from "./mail.ts";
import { operationStatus } from "./operation.ts";
import { kill, signal, spawn } from "./pane.ts";
import { pluginAction, pluginProfile } from "./plugin.ts";
import { archive, inspect, launch } from "./project.ts";
import { ask } from "./question.ts";
import { listMethods, relaunch, remove, show, waitForResource } from "./resource.ts";
import { snapshot, wait, watch } from "./screen.ts";
import { create, detach, ls, organize, rename } from "./session.ts";
import { tag } from "./tag.ts";
import type { Tool } from "./tool.ts";
import { upload } from "./upload.ts";

/** Every tool, in the order of tools/list. The one place where a tool is listed. */
export const catalog: readonly Tool[] = [
  operationStatus,
  ls,
  upload,
  snapshot,
  sendKeys,
  paste,
  run,
  wait,
  create,
  kill,
  remove,
  relaunch,
  organize,
  detach,
  watch,
  ask,
  launch,
  spawn,
  signal,
  tag,
  rename,
  insert,
  move,
  swap,
  archive,
  inspect,
  pluginAction,
  pluginProfile,
  agentList,
  agentShow,
  agentExplain,
  agentSet,
  agentClear,
  agentWait,
  agentSendKeys,
  agentPrompt,
  agentAnswer,
  agentStart,
  agentSessionOpen,
  agentSessionClose,
  agentEmit,
  agentLog,
  mailSend,
  mailRead,
  mailAck,
  claimTake,
  claimRenew,
  claimRelease,
  claimList,
  status,
  doctor,
  whoami,
  perf,
  perfTrace,
  show,
  waitForResource,
  listMethods,
  approvals,
  approve,
];
