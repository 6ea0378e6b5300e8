/** The choice of tools, as a host and a shell see it. */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { binary } from "./binary.ts";
import { RawHost } from "./raw-host.ts";

setDefaultTimeout(30_000);

const PLACE = { PATH: "/usr/bin:/bin", HOME: "/tmp", PHUX_SOCKET: "/tmp/none.sock" };

interface Descriptor {
  readonly name: string;
  readonly annotations: { readonly readOnlyHint: boolean };
}

async function listed(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Descriptor[]> {
  using host = new RawHost({ bin: binary, args, env: { ...PLACE, ...env } });
  const { tools } = (await host.request("tools/list")).result ?? {};
  if (!Array.isArray(tools)) throw new Error("no list");
  return tools;
}

function printed(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const ended = Bun.spawnSync([binary, ...args], { env: { ...PLACE, ...env } });
  return { code: ended.exitCode, out: ended.stdout.toString(), error: ended.stderr.toString() };
}

const names = (tools: readonly Descriptor[]) => tools.map(({ name }) => name);

describe("the tools of a host", () => {
  test("are all 59 unless a person says otherwise", async () => {
    expect(await listed([])).toHaveLength(59);
    expect(await listed([], { PHUX_MCP_READ_ONLY: "0", PHUX_MCP_TOOLS: "" })).toHaveLength(59);
    expect(await listed(["--tools", "all"])).toHaveLength(59);
  });

  const ways: [about: string, args: string[], env: Record<string, string>][] = [
    ["--read-only", ["--read-only"], {}],
    ["PHUX_MCP_READ_ONLY", [], { PHUX_MCP_READ_ONLY: "1" }],
  ];
  test.each(ways)("%s: those that change nothing", async (_, args, env) => {
    const tools = await listed(args, env);
    expect(tools.length).toBeGreaterThan(10);
    expect(tools.every(({ annotations }) => annotations.readOnlyHint)).toBe(true);
  });

  test("a list in the arguments stands above the one of the environment, read-only above both", async () => {
    expect(names(await listed(["--tools=mail"], { PHUX_MCP_TOOLS: "core" }))).toContain("phux_mail_send");
    expect(names(await listed(["--tools=mail"], { PHUX_MCP_TOOLS: "core" }))).not.toContain("phux_ls");
    expect(names(await listed(["--tools", "mail"], { PHUX_MCP_READ_ONLY: "1" }))).not.toContain("phux_mail_send");
  });

  test("one that is switched off is unknown, and says how a person switches it on", async () => {
    using host = new RawHost({ bin: binary, args: ["--tools", "core"], env: PLACE });
    const answer = await host.request("tools/call", { name: "phux_mail_send", arguments: {} });
    expect(answer.result?.isError).toBe(true);
    expect(answer.result?.content?.[0]?.text).toMatch(/unknown tool "phux_mail_send".*switched off.*--tools/);
  });

  test("--schema prints the same, in either order", () => {
    const one = printed(["--schema", "--tools", "mail"]);
    expect(one).toMatchObject({ code: 0, error: "" });
    expect(names(JSON.parse(one.out))).toEqual([
      "phux_operation_status",
      "phux_mail_send",
      "phux_mail_read",
      "phux_mail_ack",
    ]);
    expect(printed(["--tools=mail", "--schema"]).out).toBe(one.out);
    expect(printed(["--schema"], { PHUX_MCP_TOOLS: "mail" }).out).toBe(one.out);
  });

  const mistakes: [args: string[], env: Record<string, string>, says: RegExp][] = [
    [["--tools"], {}, /no tool is named/],
    [["--tools", "cores"], {}, /"cores" is neither a tool nor a set; the closest are core/],
    [["--tools", "core", "--tools=mail"], {}, /given twice/],
    [["--read-only", "--skill"], {}, /cannot use "--skill"/],
    [["--read-only", "--schema", "x"], {}, /cannot use "--schema" "x"/],
    [["--read-only=1"], {}, /cannot use "--read-only=1"/],
    // Nobody who writes "yes" means all tools.
    [[], { PHUX_MCP_READ_ONLY: "yes" }, /PHUX_MCP_READ_ONLY is "yes"/],
    [[], { PHUX_MCP_TOOLS: "phux_sl" }, /the closest are phux_ls/],
  ];
  test.each(mistakes)("%j %j is a usage error", (args, env, says) => {
    const ended = printed(args, env);
    expect(ended).toMatchObject({ code: 2, out: "" });
    expect(ended.error).toMatch(says);
    expect(ended.error.trim().split("\n")).toHaveLength(1);
  });
});
