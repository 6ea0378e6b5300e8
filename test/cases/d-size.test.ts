/** Kind D: however large what is asked for, each host gets what it can show whole, newest kept, and a way to the rest. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { PhuxScript } from "../e2e/phux-script.ts";
import { SLACK } from "../e2e/raw-host.ts";
import { errorResult, type FakeServer, requestId } from "../phux/fake-server.ts";
import { SmallPhux } from "../phux/small-phux.ts";
import { items, type Members, members } from "../wire/vector.ts";
import { admitting } from "./c-servers.ts";
import { type Answer, Host } from "./cd-host.ts";
import { PLUGIN, writePlugin } from "./cd-plugins.ts";
import {
  APPROVALS,
  badScreens,
  CLAIMS,
  claimName,
  crowd,
  EVENTS,
  FAMILY,
  SESSIONS,
  TABS,
  TAGGED,
  TAGS,
} from "./d-crowd.ts";
import { bigDocuments, CAP, DIGITS, documentOf, LARGE, padded } from "./d-documents.ts";
import { different, expectCut, expectShown, expectSize, hosts, overridden, type Shown } from "./d-fits.ts";
import { testAdvice, testRealPanes } from "./d-real.ts";

setDefaultTimeout(60_000);

const phux = new PhuxScript();
let server: FakeServer;
const open = new Map<string | null, Host>();
beforeAll(() => {
  server = crowd();
  const env = { PHUX_SOCKET: server.socket, PATH: `${phux.folder}:/usr/bin:/bin`, HOME: phux.folder };
  for (const { name } of hosts) open.set(name, new Host({ name, env }));
});
afterAll(() => {
  for (const host of open.values()) host[Symbol.dispose]();
  server.close();
  phux.remove();
});

/** The same question of several hosts at once. */
async function askEach(among: readonly Shown[], tool: string, given: Members = {}) {
  const asked = among.map(async (shown) => {
    const host = open.get(shown.name);
    if (host === undefined) throw new Error(`no host ${shown.name}`);
    return { shown, answer: await host.call(tool, given) };
  });
  return Promise.all(asked);
}
const lastOf = (list: unknown) => items(list).at(-1);

describe("a screen of any kind", () => {
  test.each(badScreens.map((bad) => [bad.what, bad] as const))("%s", async (_, { pane, given = {}, ends }) => {
    for (const { shown, answer } of await askEach(different, "phux_snapshot", { target: pane, ...given })) {
      // A character of a million marks has no part that could be shown.
      const { rendered, lines } = expectCut(answer, shown, pane === "@6" ? 0 : 0.65);
      expect(String(rendered === undefined ? lastOf(lines) : members(rendered)["data"])).toEndWith(ends);
      expect(answer.ms).toBeLessThan(3_000 * SLACK);
    }
  });

  test("one nested deeper than JSON can be written", async () => {
    for (const { shown, answer } of await askEach(different, "phux_snapshot", { target: "@50" })) {
      expect(expectCut(answer, shown, 0)).toMatchObject({ lines: ["END"] });
    }
  });

  test("does not hold up other calls for long", async () => {
    const host = open.get(null) ?? new Host();
    for (const { pane, given = {} } of badScreens) {
      const id = host.begin("phux_snapshot", { target: pane, ...given });
      while (host.runs(id)) {
        const began = performance.now();
        await host.raw.request("ping");
        expect(performance.now() - began).toBeLessThan(1_000 * SLACK);
      }
    }
  });
});

describe("thousands of entries", () => {
  const rows: [tool: string, given: Members, member: string, newest: unknown][] = [
    ["phux_ls", {}, "terminals", `@${2 * SESSIONS}`],
    ["phux_organize", {}, "sessions", { session: "session 999" }],
    ["phux_tag", { action: "ls", target: "#all" }, "terminals", { terminal: `@${TAGGED}` }],
    ["phux_claim_list", {}, "claims", { name: claimName(CLAIMS - 1) }],
    ["phux_approvals", {}, "approvals", { requested_at_ms: APPROVALS - 1 }],
    ["phux_watch", { max_events: EVENTS }, "events", { seq: EVENTS }],
    ["phux_resource_show", { target: "@1" }, "tags", `tag ${TAGS - 1}`],
  ];
  test.each(rows)("%s %j", async (tool, given, member, newest) => {
    // Reading the tags of every pane is a question for each.
    for (const { shown, answer } of await askEach(tool === "phux_tag" ? different : hosts, tool, given)) {
      const last = lastOf(expectCut(answer, shown)[member]);
      if (typeof newest === "string") expect(last).toBe(newest);
      else expect(last).toMatchObject(Object(newest));
      expect(answer.ms).toBeLessThan(10_000 * SLACK);
    }
  });

  test("profiles of plugins, and the advice reaches any of them", async () => {
    const names = Array.from({ length: 3_000 }, (_, at) => `p${at}`);
    const config = writePlugin(phux.folder, {}, names);
    for (const { shown, answer } of await askEach(hosts, "phux_plugin_profile", { config })) {
      expect(lastOf(expectCut(answer, shown)["profiles"])).toMatchObject({ profile: { id: "p2999" } });
      const narrowed = { config, plugin_id: PLUGIN, profile_id: "p0" };
      expect(await open.get(shown.name)?.document("phux_plugin_profile", narrowed)).toMatchObject({ count: 1 });
    }
  });

  test("the advice reaches any session, any pane and any claim", async () => {
    const host = open.get("codex-mcp-client") ?? new Host();
    const first = claimName(0);
    expect(await host.document("phux_organize", { session: "session 1" })).not.toHaveProperty("truncated");
    expect(await host.document("phux_tag", { action: "ls", target: "session 2" })).not.toHaveProperty("truncated");
    expect(await host.document("phux_claim_list", { prefix: first })).toMatchObject({
      claims: [{ name: first }],
      count: 1,
    });
  });

  test("tabs of a layout: counted, found by their number, and changed as long as there is room", async () => {
    const host = open.get("codex-mcp-client") ?? new Host();
    const last = await host.document("phux_resource_show", { target: `session 1:${TABS - 1}` });
    expect(last).toMatchObject({ resource: "@4" });
    const beside = { target: "@2", new_pane: `@${SESSIONS + 2}` };
    expect(await host.document("phux_insert_pane", beside)).toMatchObject({ operation: "insert-pane" });
    const full = await host.failure("phux_insert_pane", { target: "@1", new_pane: `@${SESSIONS + 1}` });
    expect(full).toMatch(/layout_rejected.* bytes; 262144 can be stored/);
  });

  test("memory stays bounded", () => {
    for (const host of open.values()) expect(host.raw.memory().peak).toBeLessThan(450e6);
  });
});

describe("words without end", () => {
  const rows: [what: string, words: string][] = [
    ["letters", "m".repeat(5e6)],
    ["lines", "漢\n".repeat(5e5)],
    ["controls", "\u0001\u202e".repeat(3e5)],
    ["families", FAMILY.repeat(3e5)],
  ];
  test.each(rows)("of the server, about a failure: %s", async (_, words) => {
    for (const [code, tool] of [
      ["INTERNAL_ERROR", "phux_ls"],
      ["PERMISSION_DENIED", "phux_snapshot"],
    ] as const) {
      const small = new SmallPhux();
      small.override = (frame, client) => {
        if (frame.name === "COMMAND") client.send(errorResult(requestId(frame), code, `begin ${words}`));
        return frame.name === "COMMAND";
      };
      const angry = admitting(small.script);
      for (const { shown, answer } of await askEach(different, tool, { socket: angry.socket })) {
        expect([answer.isError, answer.text.includes("begin ")]).toEqual([true, true]);
        expectSize(answer.text, shown);
        if (code === "PERMISSION_DENIED") expect(members(JSON.parse(answer.text))).toHaveProperty("remedy");
      }
      angry.close();
    }
  });

  test.each(rows)("of the host, in its arguments: %s", async (_, words) => {
    const calls: [tool: string, given: Members][] = [
      ["phux_snapshot", { target: words }],
      ["phux_snapshot", { format: words }],
      ["phux_send_keys", { target: words, keys: ["x"] }],
      ["phux_plugin_action", { plugin_id: words, action_id: words }],
      ["phux_plugin_profile", { config: `/tmp/${words}` }],
      ["phux_ls", { socket: `/tmp/${words}` }],
      ["phux_ls", { [words]: 1 }],
      [words, {}],
    ];
    for (const [tool, given] of calls) {
      for (const { shown, answer } of await askEach(different.slice(0, 1), tool, given)) {
        expect(answer.isError).toBe(true);
        expectSize(answer.text, shown);
      }
    }
  });
});

describe("what a person sets in PHUX_MCP_MAX_RESULT_CHARS", () => {
  const rows: [setting: string, characters: number, why: string][] = [
    ["5000", 5_000, "a number"],
    ["0", 1_000, "less than any document can do with"],
    ["999", 1_000, "the same"],
    ...["", "many", "-5", "1e5", "5000.5", " 5000", "0x1388", "NaN", "Infinity", "５０００", "9".repeat(400)].map(
      (setting): [string, number, string] => [setting, 10_000, "no number: as if it were not set"],
    ),
  ];
  const settings = (PHUX_MCP_MAX_RESULT_CHARS: string) =>
    new Host({ name: "codex-mcp-client", env: { PHUX_SOCKET: server.socket, PHUX_MCP_MAX_RESULT_CHARS } });

  test.each(rows)("%j", async (setting, characters) => {
    using host = settings(setting);
    const most = characters === 10_000 ? hosts.filter(({ name }) => name === "codex-mcp-client")[0] : null;
    expectCut(await host.call("phux_claim_list"), most ?? overridden(characters), 0.75);
    const { result } = await host.raw.request("tools/list");
    expect(JSON.stringify(result?.tools).includes("anthropic/maxResultSizeChars")).toBe(characters !== 10_000);
  });

  test.each(["8000000", "8000001", "999999999999"])(
    "%s: everything goes out whole, up to 8,000,000",
    async (setting) => {
      using host = settings(setting);
      const claims = expectShown(await host.call("phux_claim_list"), overridden(8_000_000));
      expect(claims).toMatchObject({ count: CLAIMS });
      expect(claims).not.toHaveProperty("truncated");
      // Four million controls are 24 million characters.
      expectCut(await host.call("phux_snapshot", { target: "@8" }), overridden(8_000_000), 0.7);
      expect(host.raw.memory().peak).toBeLessThan(600e6);
    },
  );
});

describe("a `phux` that prints much", () => {
  const file = join(phux.folder, "document");
  const print = (text: string) => {
    writeFileSync(file, text);
    phux.behave(`cat '${file}'`);
  };
  const advice = (tool: string) => {
    if (tool === "phux_archive") return "pass `output`";
    if (tool === "phux_run") return "send its output to a file";
    const changes = /_(run|new|launch|send_keys|prompt|answer|start|open|close|emit|trace)$/.test(tool);
    return changes ? "what it did is done" : "> FILE` in a shell";
  };
  /** A failure that says this, and that its host can show whole. */
  const expectFailure = ({ text, isError }: Answer, { characters }: Shown, says: string) => {
    expect([isError, text.includes(says) ? says : text]).toEqual([true, says]);
    expect(text.length).toBeLessThanOrEqual(characters);
  };

  test.each(bigDocuments.map((one) => [one.tool, one] as const))("%s", async (tool, one) => {
    print(documentOf(one, LARGE));
    for (const { shown, answer } of await askEach(different, tool, one.given)) {
      if (tool === "phux_archive") expectFailure(answer, shown, "`output`");
      else if (tool === "phux_agent_session_close") expectFailure(answer, shown, "stdout is not");
      else {
        const document = expectCut(answer, shown);
        const { output } = document;
        expect(JSON.stringify(output ?? lastOf(document[one.member]))).toContain("END");
        if (output === undefined) expect(answer.text).toContain(`"n": ${DIGITS}`);
      }
    }
    print(padded(documentOf(one, 500), CAP + 1));
    for (const { shown, answer } of await askEach(different.slice(0, 1), tool, one.given)) {
      expectFailure(answer, shown, `${CAP} bytes on stdout`);
      expectFailure(answer, shown, advice(tool));
    }
  });

  test("exactly the most that is taken is taken", async () => {
    const [status] = bigDocuments.filter(({ tool }) => tool === "phux_status");
    print(padded(status === undefined ? "" : documentOf(status, 500), CAP));
    for (const { shown, answer } of await askEach(hosts, "phux_status")) expectShown(answer, shown);
  });

  const floods: [what: string, body: string, says: string][] = [
    ["on stdout", "exec yes", "bytes on stdout"],
    ["on stderr", "exec yes >&2", "bytes on stderr"],
    ["on both, from children of its own", "yes & yes >&2 & wait", "bytes on std"],
  ];
  test.each(floods)("for ever: %s", async (_, body, says) => {
    phux.behave(body);
    const config = writePlugin(phux.folder, { floods: body });
    const action = { tool: "phux_plugin_action", given: { plugin_id: PLUGIN, action_id: "floods", config } };
    const some = bigDocuments.filter(({ tool }) => /run|status|log|archive/.test(tool));
    for (const { tool, given } of [...some, action]) {
      for (const { shown, answer } of await askEach(different, tool, given)) {
        expectFailure(answer, shown, says);
        expect(answer.ms).toBeLessThan(5_000 * SLACK);
      }
    }
  });

  const zeros = (byte: string) => `head -c 400000 /dev/zero | tr '\\0' '${byte}'`;
  const strange: [what: string, body: string][] = [
    ["a bare list", "printf '['; seq -s, 100000; printf ']'"],
    ["a number without end", `printf '{"a":'; ${zeros("7")}; printf '}'`],
    ["a name without end", `printf '{"'; ${zeros("k")}; printf '":1}'`],
    ["nesting without end", `printf '{"a":'; ${zeros("[")}; ${zeros("]")}; printf '}'`],
  ];
  test.each(strange)("of a strange kind: %s", async (_, body) => {
    phux.behave(body);
    for (const { shown, answer } of await askEach(different, "phux_status")) {
      expectCut(answer, shown, 0);
      expect(answer.ms).toBeLessThan(2_000 * SLACK);
    }
  });

  test("of failure: an error document stays one, with the beginning of what it says", async () => {
    print(
      `{"schema_version":1,"error":{"code":"c","message":"begin ${"m".repeat(60_000)}"},"remedy":"r","exit_code":1}`,
    );
    phux.behave(`cat '${file}' >&2; exit 1`);
    for (const { shown, answer } of await askEach(hosts, "phux_status")) {
      expectFailure(answer, shown, "begin mmm");
      expect(members(JSON.parse(answer.text))).toMatchObject({ error: { code: "c" }, remedy: "r", exit_code: 1 });
    }
  });
});

testRealPanes();
testAdvice();
