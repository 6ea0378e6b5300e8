import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startLab } from "../server.ts";
import { errorOf, until, Workbench } from "./workbench.ts";

setDefaultTimeout(30_000);

let bench: Workbench;
beforeAll(async () => {
  bench = await Workbench.open();
});
afterAll(() => bench.close());

/** A value of a report's metrics. */
function metric(report: Readonly<Record<string, unknown>>, name: string): unknown {
  const { metrics } = report;
  const found: unknown = Array.isArray(metrics) ? metrics.find((one) => one.name === name) : undefined;
  return typeof found === "object" && found !== null ? Reflect.get(found, "value") : undefined;
}

/** A desktop client that reports, for as long as the test wants it. */
async function withDesktop(work: () => Promise<void>): Promise<void> {
  const desktop = await startLab({ socket: join(bench.folder, "desktop.sock") });
  await work().finally(() => desktop.stop());
}

describe("perf", () => {
  test("shows what the server has done", async () => {
    const before = await bench.document(["perf", "--json"]);
    expect(before).toMatchObject({ schema_version: 1, role: "server", pid: process.pid });
    expect(Number(before["uptime_ms"])).toBeGreaterThan(0);
    await bench.document(["new", "-s", "busy", "--json", "--", "sh", "-c", "printf %5000s x; exec sleep 60"]);
    await until(() => Number(bench.lab.server.meter.paneOutput.metric.value) >= 5_000);
    const after = await bench.document(["perf", "--json"]);
    expect(metric(after, "panes")).toBe(Number(metric(before, "panes")) + 1);
    expect(Number(metric(after, "pane_output"))).toBeGreaterThanOrEqual(5_000);
    expect(Number(metric(after, "frames_in"))).toBeGreaterThan(Number(metric(before, "frames_in")));
    expect(metric(after, "request_time")).toMatchObject({ count: expect.any(Number), buckets: expect.any(Array) });
  });

  test("resets nothing", async () => {
    const { meter } = bench.lab.server;
    const before = Number(meter.framesIn.metric.value);
    await bench.document(["perf", "--json"]);
    expect(Number(meter.framesIn.metric.value)).toBeGreaterThan(before);
  });

  test("adds a desktop when there is one, and says so when there is none", async () => {
    const alone = await bench.document(["perf", "--json", "--desktop"]);
    expect(alone).toMatchObject({ desktop: null, desktop_error: expect.stringContaining("desktop.sock") });
    await withDesktop(async () => {
      const both = await bench.document(["perf", "--json", "--desktop"]);
      expect(both).toMatchObject({ desktop: { schema_version: 1, pid: process.pid }, desktop_error: null });
    });
  });

  test("is nothing without a server, or for one that cannot report", async () => {
    const nowhere = await bench.phux(["perf", "--json", "--socket", join(bench.folder, "none.sock")]);
    expect(errorOf(nowhere)).toEqual({ code: "no_server", exit: 1 });
    const old = await Workbench.open({ version: "0.8" });
    const refused = await Promise.all([old.phux(["perf", "--json"]), old.phux(["perf", "trace", "--json"])]);
    await old.close();
    for (const ran of refused) expect(errorOf(ran)).toEqual({ code: "unsupported_server", exit: 2 });
  });
});

describe("perf trace", () => {
  const trace = (...more: string[]) => bench.phux(["perf", "trace", "--json", "--duration", "1", ...more]);
  const eventsIn = (path: string): { name: string; ph: string; ts: number; args: Record<string, unknown> }[] =>
    JSON.parse(readFileSync(path, "utf8")).traceEvents;

  test("writes what happened meanwhile to the file it is told", async () => {
    const capturing = bench.phux(["perf", "trace", "--json", "--duration", "1", "-o", "here.json"]);
    await until(() => bench.lab.server.hub.head > 0n && bench.lab.server.connections.size > 0);
    for (let rings = 0; rings < 20; rings += 1) {
      await Bun.sleep(40);
      bench.lab.server.hub.publish({ terminal: { tag: "local", id: 1 }, event: { tag: "bell" } });
    }
    const ran = await capturing;
    expect(ran).toMatchObject({ exit: 0, stderr: "" });
    const path = join(bench.folder, "here.json");
    const document = JSON.parse(ran.stdout);
    const events = eventsIn(path);
    expect(document).toEqual({
      ...{ schema_version: 1, path, format: "chrome-trace", duration_ms: document.duration_ms },
      ...{ events: events.length, bytes: statSync(path).size, sources: ["server"], truncated: false },
    });
    expect(document.duration_ms).toBeGreaterThanOrEqual(990);
    expect(document.duration_ms).toBeLessThan(5_000);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(events.find(({ ph }) => ph === "M")).toMatchObject({ name: "process_name", args: { name: "phux server" } });
    expect(events.filter(({ name, ph }) => name === "frames_in" && ph === "C").length).toBeGreaterThan(2);
    expect(events.filter(({ name, ph }) => name === "bell" && ph === "i").length).toBeGreaterThan(0);
    expect(events.find(({ name }) => name === "bell")?.args).toMatchObject({ terminal: "@1" });
  });

  test("makes a new file under the state directory each time", async () => {
    const env = { XDG_STATE_HOME: join(bench.folder, "state") };
    const runs = [1, 2].map(() => bench.document(["perf", "trace", "--json", "--duration=1"], { env }));
    const paths = (await Promise.all(runs)).map(({ path }) => String(path));
    const folder = join(bench.folder, "state", "phux", "traces");
    expect(
      readdirSync(folder)
        .map((name) => join(folder, name))
        .sort(),
    ).toEqual(paths.sort());
    expect(new Set(paths).size).toBe(2);
  });

  test("leaves a desktop in, or out with a word", async () => {
    const alone = await trace("--desktop", "-o", "alone.json");
    expect(alone).toMatchObject({ exit: 0, stderr: expect.stringContaining("the desktop is left out") });
    expect(JSON.parse(alone.stdout).sources).toEqual(["server"]);
    await withDesktop(async () => {
      const both = await trace("--desktop", "-o", "both.json");
      expect(JSON.parse(both.stdout).sources).toEqual(["server", "desktop"]);
      const names = eventsIn(join(bench.folder, "both.json")).flatMap(({ ph, args }) =>
        ph === "M" ? [args["name"]] : [],
      );
      expect(names.sort()).toEqual(["phux desktop", "phux server"]);
    });
  });

  test("touches no file that is there, and none that cannot be", async () => {
    writeFileSync(join(bench.folder, "mine.json"), "mine");
    mkdirSync(join(bench.folder, "folder"));
    for (const path of ["mine.json", "folder", "no/such/folder.json", "", "/proc/trace.json"]) {
      const ran = await trace(`--output=${path}`);
      expect([path, ran.exit, ran.stdout, errorOf(ran)]).toEqual([path, 1, "", { code: "io", exit: 1 }]);
    }
    expect(readFileSync(join(bench.folder, "mine.json"), "utf8")).toBe("mine");
  });

  test("writes nothing when the server goes while it is recorded", async () => {
    const short = await Workbench.open();
    const capturing = short.phux(["perf", "trace", "--json", "--duration", "20", "-o", "lost.json"]);
    await until(() => Number(short.lab.server.meter.framesIn.metric.value) > 4);
    await short.lab.stop();
    const ran = await capturing;
    const left = existsSync(join(short.folder, "lost.json"));
    await short.close();
    expect(errorOf(ran)).toEqual({ code: "server_disconnected", exit: 1 });
    expect(left).toBe(false);
  });

  test.each(["0", "61", "-1", "1.5", "long"])("does not capture for %s seconds", async (seconds) => {
    const ran = await bench.phux(["perf", "trace", "--json", `--duration=${seconds}`]);
    expect(ran).toMatchObject({ exit: 2, stdout: "", stderr: expect.stringContaining("--duration takes") });
  });
});
