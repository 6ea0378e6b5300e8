/** Real panes with real shells behind the tools: what they printed, and where the advice of a cut document leads. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SLACK } from "../e2e/raw-host.ts";
import { agentConfig } from "../lab/agent/plugin.ts";
import { items, type Members, members } from "../wire/vector.ts";
import type { Host } from "./cd-host.ts";
import { Bench } from "./d-bench.ts";
import { different, expectCut, expectShown, hosts, overridden } from "./d-fits.ts";

export function testRealPanes(): void {
  describe("a real pane", () => {
    const ROWS = 200_000;
    let bench: Bench;
    let quiet: Host;
    beforeAll(async () => {
      bench = await Bench.open({ historyRows: ROWS });
      quiet = bench.host({});
      const ran = await quiet.document("phux_run", { target: "@1", command: `seq ${ROWS}`, timeout_secs: 60 });
      expect(ran).toMatchObject({
        exit_code: 0,
        truncated: true,
        truncated_hint: expect.stringContaining("phux_snapshot"),
      });
      expect(String(ran["output"])).toEndWith(String(ROWS));
    });
    afterAll(() => bench[Symbol.asyncDispose]());

    test("of 200,000 rows each host gets the newest, in every form", async () => {
      const forms: Members[] = [
        { scrollback: 0 },
        { tail: 0 },
        { scrollback: 0, unwrap: true },
        { scrollback: 0, cells: true },
      ];
      for (const shown of hosts) {
        const host = bench.host({ name: shown.name });
        for (const form of shown === hosts[0] ? forms : forms.slice(0, 1)) {
          const { scrollback } = expectCut(await host.call("phux_snapshot", { target: "@1", ...form }), shown);
          const rows = items(scrollback).map(Number);
          // No row is missing between the oldest that is kept and the newest.
          expect(rows).toEqual(rows.map((_, at) => Number(rows[0]) + at));
          expect(rows.length).toBeGreaterThan(100);
        }
      }
      expect(quiet.raw.memory().peak).toBeLessThan(200e6);
    });

    test("the rest of the rows, and of a rendering, is in the file that the hint names", async () => {
      const cut = await quiet.document("phux_snapshot", { target: "@1", scrollback: 0 });
      const rows = (await bench.follow(quiet, cut, "@1")).split("\n");
      const numbers = rows.filter((row) => /^\d+$/.test(row));
      expect([numbers.length, numbers[0], numbers.at(-1)]).toEqual([ROWS, "1", String(ROWS)]);
      const part = await quiet.document("phux_run", {
        target: "@2",
        command: `sed -n '7,9p' ${bench.file(0)}`,
        timeout_secs: 20,
      });
      expect(part["output"]).toBe(rows.slice(6, 9).join("\n"));
      const rendering = await quiet.document("phux_snapshot", { target: "@1", tail: 9_000, format: "html" });
      expect(await bench.follow(quiet, rendering, "@1")).toContain("199000");
    });

    test("a smaller tail fits, as the hint says", async () => {
      const small = await quiet.document("phux_snapshot", { target: "@1", tail: 500 });
      expect(small).toMatchObject({ truncated_reason: "row_window" });
      expect(items(small["scrollback"]).length + items(small["lines"]).length).toBe(500);
    });

    test("a row of five megabytes is kept by its end, and waited for", async () => {
      const command = "head -c 5000000 /dev/zero | tr '\\0' x; echo THE END";
      await quiet.document("phux_run", { target: "@1", command, timeout_secs: 60 });
      const shown = overridden(40_000);
      expectCut(await quiet.call("phux_snapshot", { target: "@1", scrollback: 0 }), shown);
      const whole = expectCut(await quiet.call("phux_snapshot", { target: "@1", scrollback: 0, unwrap: true }), shown);
      expect(items(whole["lines"]).some((row) => /^x{20000,}THE END$/.test(String(row)))).toBe(true);
      expect(await quiet.document("phux_wait", { target: "@1", until: "xxTHE END", timeout_secs: 5 })).toMatchObject({
        outcome: "met",
      });
    });
  });
}

export function testAdvice(): void {
  describe("the advice of what was cut", () => {
    /** So little that what a small server says is too much already. */
    const LITTLE = 1_000;
    const LETTERS = 64;
    const SESSIONS = 6;
    const [codexShows = overridden(10_000)] = different.filter(({ name }) => name === "codex-mcp-client");
    let repository = "";
    let bench: Bench;
    let little: Host;
    let codex: Host;
    let roomy: Host;

    beforeAll(async () => {
      bench = await Bench.open({ openLogs: true, hold: ["KILL_RESOURCES"] });
      const { folder } = bench.stage;
      mkdirSync(join(folder, ".config", "phux"), { recursive: true });
      writeFileSync(join(folder, ".config", "phux", "config.toml"), agentConfig(join(folder, "bin")));
      little = bench.host({ env: { PHUX_MCP_MAX_RESULT_CHARS: String(LITTLE) } });
      codex = bench.host({ name: "codex-mcp-client" });
      roomy = bench.host({ env: { PHUX_MCP_MAX_RESULT_CHARS: "8000000" } });
      const names = Array.from({ length: SESSIONS }, (_, at) => `session ${at}`);
      await Promise.all(names.map((name) => codex.document("phux_new", { name, command: ["/bin/cat"] })));
      await Promise.all(
        [1, 2, 3].map((at) => codex.document("phux_agent_set", { target: `@${at}`, name: `agent${at}` })),
      );
      repository = join(folder, "repository");
      const git = (...args: string[]) => spawnSync("git", ["-c", "user.name=x", "-c", "user.email=x@x", ...args]);
      git("init", "-q", repository);
      git("-C", repository, "commit", "-q", "--allow-empty", "-m", "first");
      for (let at = 0; at < 12; at += 1) git("-C", repository, "worktree", "add", "-q", join(folder, `tree-${at}`));
      const coloured = "printf '\\033[31m%s\\033[0m\\n' red red red";
      await codex.document("phux_run", { target: "@1", command: coloured, timeout_secs: 20 });
      await codex.document("phux_agent_session_open", { target: "@1", provider: "test" });
      for (const message of ["first", "second", "third", "fourth", "fifth", "last"]) {
        const data = { message, text: "x".repeat(80) };
        await codex.document("phux_agent_emit", { target: "@1", type: "notification", data });
      }
    });
    afterAll(() => bench[Symbol.asyncDispose]());

    const rows: [tool: string, given: Members, target: string, why: string][] = [
      ["phux_ls", {}, "", "sessions and panes"],
      ["phux_status", {}, "", "sessions and features"],
      ["phux_perf", {}, "", "counters"],
      ["phux_agent_list", {}, "", "agents"],
      ["phux_agent_log", { target: "@1" }, "@1", "records"],
      ["phux_snapshot", { target: "@1", cells: true }, "@1", "cells"],
      ["phux_project_inspect", { path: "repository" }, "repository", "worktrees"],
    ];
    test.each(rows)("%s %j: the command of the hint writes all of it (%s%s)", async (tool, given, target) => {
      const inFolder = target === "repository" ? repository : target;
      const asked = target === "repository" ? { path: repository } : given;
      const cut = expectCut(await little.call(tool, asked), overridden(LITTLE), 0.4);
      const whole = members(JSON.parse(await bench.follow(codex, cut, inFolder)));
      const { truncated: _, truncated_reason: __, truncated_hint: ___, ...left } = cut;
      expect(Object.keys(whole)).toEqual(expect.arrayContaining(Object.keys(left)));
      expect(JSON.stringify(whole).length).toBeGreaterThan(JSON.stringify(left).length);
      expect(whole).not.toHaveProperty("truncated_hint");
    });

    test("an archive is refused whole, and written whole where the refusal says", async () => {
      const text = await little.failure("phux_archive", { action: "save" });
      expect(text).toContain("`output`");
      const output = join(bench.stage.folder, "archive.json");
      expect(await little.document("phux_archive", { action: "save", output })).toMatchObject({ saved: true, output });
      const archive = members(JSON.parse(readFileSync(output, "utf8")));
      expect(items(archive["sessions"]).length).toBe(SESSIONS + 1);
      expect(await codex.document("phux_archive", { action: "import", path: output })).toMatchObject({ restored: [] });
    });

    test("a mailbox of 64 long letters is read to its end with a smaller limit", async () => {
      const letters = Array.from({ length: LETTERS }, (_, at) => `${at} ${"漢".repeat(1_000)}`);
      for (const body of letters) await codex.document("phux_mail_send", { to: "@1", body });
      const read: string[] = [];
      let limit = LETTERS;
      for (let after = 0, more = true; more; ) {
        const answer = await codex.call("phux_mail_read", { mailbox: "@1", after, limit });
        const page = members(JSON.parse(answer.text));
        if (page["truncated"] === true) {
          expect(page["truncated_hint"]).toMatch(/same after and a smaller limit/);
          limit = Math.floor(limit / 2);
          continue;
        }
        read.push(...items(page["messages"]).map((message) => String(members(message)["body"])));
        [after, more] = [Number(page["next_after"]), page["more"] === true];
      }
      expect(read).toEqual(letters);
    });

    test("of many pending operations the newest are listed, and each is told by its id", async () => {
      const given = { target: "session 0", confirm: true };
      const ids = await Promise.all(Array.from({ length: 60 }, () => codex.document("phux_kill", given)));
      expect(new Set(ids.map(({ status }) => status))).toEqual(new Set(["pending"]));
      const cut = expectCut(await codex.call("phux_operation_status"), codexShows);
      const [newest] = items(cut["operations"]).map(members);
      expect(ids.slice(-10).map(({ operation_id: id }) => id)).toContain(newest?.["operation_id"]);
      const left = new Set(items(cut["operations"]).map((row) => members(row)["operation_id"]));
      const lost = ids.find(({ operation_id: id }) => !left.has(id));
      const { operation_id } = lost ?? {};
      expect(await codex.document("phux_operation_status", { operation_id })).toMatchObject({ operation_id });
    });

    test("a pane that prints for ever is read, typed into and waited for all the same", async () => {
      const watching = codex.begin("phux_watch", { target: "@3", timeout_secs: 2 });
      // A program of its own in front of the pane, so that C-c ends all of it and nothing else.
      const forever = `sh -c "while :; do echo '漢字 👍🏽'; sleep 0.001; done"`;
      await codex.document("phux_send_keys", { target: "@1", keys: [forever, "Enter"] });
      const ask = { target: "@1", tail: 2_000 };
      const rows = async () => items((await roomy.document("phux_snapshot", ask))["scrollback"]).length;
      while ((await rows()) < 600) expect(codex.raw.running).toBe(true);
      expectCut(await codex.call("phux_snapshot", { target: "@1", scrollback: 0 }), codexShows);
      expect(await codex.document("phux_wait", { target: "@1", until: "漢字 👍🏽", timeout_secs: 10 })).toEqual({
        outcome: "met",
        polls: 1,
      });
      const ran = await codex.call("phux_run", { target: "@1", command: "true", timeout_secs: 1 });
      expect([ran.isError, ran.ms < 7_000 * SLACK]).toEqual([true, true]);
      expectShown(await codex.ended(watching), codexShows);
      await codex.document("phux_send_keys", { target: "@1", keys: ["C-c"] });
      const still = { target: "@1", idle_ms: 300, timeout_secs: 20 };
      expect(await codex.document("phux_wait", still)).toMatchObject({ outcome: "met" });
      const after = await codex.document("phux_run", { target: "@1", command: "echo usable", timeout_secs: 20 });
      expect(after["output"]).toBe("usable");
    });
  });
}
