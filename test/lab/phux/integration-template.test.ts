import { describe, expect, test } from "bun:test";
import { PLUGIN_ROOT, parseTemplate, SESSION_ID } from "./integration-template.ts";
import type { Integration } from "./integrations.ts";
import { planLaunch } from "./launch-plan.ts";

const launch = { command: ["agent", `${PLUGIN_ROOT}/a:${PLUGIN_ROOT}/b`] };
const identity = { mode: "native-or-phux", restore: "external-cli", native_env: "PHUX_X_SESSION_ID" };

describe("a template", () => {
  test("has defaults, and room for what others read", () => {
    expect(parseTemplate({ id: " x ", launch, package_version: "1", detect: { mode: "opt-in" } })).toEqual({
      ok: true,
      value: { id: "x", launch: { ...launch, required_executables: [], working_directory: "workspace" } },
    });
  });

  test.each<[string, object, string]>([
    ["no id", {}, "id is missing"],
    ["an empty command", { launch: { command: [] } }, "launch.command"],
    ["a blank program", { launch: { command: [" "] } }, "launch.command"],
    ["a path for a required program", { launch: { ...launch, required_executables: ["/bin/sh"] } }, "not a path"],
    ["a folder of its own invention", { launch: { ...launch, working_directory: "/" } }, "working_directory"],
    ["another variable", { session_identity: { ...identity, native_env: "PATH" } }, "native_env"],
    ["resume words without an id", { session_identity: { ...identity, resume_args: ["-r"] } }, "resume_args"],
    ["an id inside a word", { session_identity: { ...identity, resume_args: [`-r=${SESSION_ID}`] } }, "resume_args"],
    ["two ids", { session_identity: { ...identity, resume_args: [SESSION_ID, SESSION_ID] } }, "resume_args"],
    ["fresh words alone", { session_identity: { ...identity, fresh_args: [SESSION_ID] } }, "without resume_args"],
    [
      "resume words for what cannot resume",
      { session_identity: { ...identity, mode: "phux", resume_args: [SESSION_ID] } },
      "native-or-phux",
    ],
  ])("is refused for %s", (name, tables, named) => {
    const id = name === "no id" ? {} : { id: "x" };
    expect(parseTemplate({ ...id, ...tables })).toEqual({ ok: false, error: expect.stringContaining(named) });
  });
});

describe("a plan", () => {
  const plain: Integration = {
    ...{ id: "x", plugin: "p", root: "/plug" },
    launch: { ...launch, required_executables: [], working_directory: "workspace" },
  };
  const named: Integration = {
    ...plain,
    session_identity: {
      ...{ mode: "native-or-phux", restore: "external-cli", native_env: "PHUX_X_SESSION_ID" },
      resume_args: ["-r", SESSION_ID],
      fresh_args: [SESSION_ID, "-n"],
    },
  };
  const now = { cwd: "/here", extra: ["e"], nativeId: null, freshId: () => "new" };
  const argv = ["agent", "/plug/a:/plug/b", "e"];

  test.each<[string, Integration, string | null, object]>([
    ["without a session", plain, "old", { argv, env: [], origin: null }],
    [
      "of a new session",
      named,
      null,
      { argv: [...argv, "new", "-n"], env: [{ name: "PHUX_X_SESSION_ID", value: "new" }] },
    ],
    [
      "of an old session",
      named,
      "old",
      { argv: [...argv, "-r", "old"], origin: { plugin_id: "p", integration_id: "x", native_id: "old" } },
    ],
  ])("%s", (_, integration, nativeId, plan) => {
    expect(planLaunch(integration, { ...now, nativeId })).toMatchObject({ ok: true, value: { cwd: "/here", ...plan } });
  });

  test.each(["", " x", "-x", "a\nb", "x".repeat(1025)])("takes no session id %j", (nativeId) => {
    expect(planLaunch(named, { ...now, nativeId }).ok).toBe(false);
  });

  test("runs in the plugin's folder when the template says so", () => {
    const rooted: Integration = { ...plain, launch: { ...plain.launch, working_directory: "plugin-root" } };
    expect(planLaunch(rooted, now)).toMatchObject({ ok: true, value: { cwd: "/plug" } });
  });
});
