import { mkdtempSync, rmSync } from "node:fs";
import { LabClient } from "./client.ts";
import { startLab } from "./server.ts";

const dir = mkdtempSync("/tmp/lab-");
for (const version of ["0.8", "1.0"] as const) {
  const lab = await startLab({
    socket: `${dir}/s.sock`,
    version,
    session: "main",
    env: { PATH: process.env.PATH!, PS1: "$ " },
    shell: "/bin/sh",
    home: dir,
  });
  const c = await LabClient.open(lab.socket, lab.server.release.version);
  console.log(await c.command({ tag: "GET_STATE", scope: 0 }));
  console.log(
    await c.command({
      tag: "ROUTE_INPUT",
      terminal_id: { tag: "local", id: 1 },
      event: { tag: "paste", event: { trust: 0, data: Buffer.from("echo hi") } },
    }),
  );
  console.log(
    await c.command({
      tag: "ROUTE_INPUT",
      terminal_id: { tag: "local", id: 1 },
      event: {
        tag: "key",
        event: {
          action: 1,
          key: 58,
          mods: 0,
          consumed_mods: 0,
          composing: false,
          text: null,
          unshifted_codepoint: null,
        },
      },
    }),
  );
  await Bun.sleep(50);
  console.log(
    await c.command({
      tag: "GET_SCREEN",
      terminal_id: { tag: "local", id: 1 },
      request_scrollback: null,
      cells: true,
      format: 2,
    }),
  );
  console.log(
    await c.command({
      tag: "GET_TERMINAL_STATE",
      terminal_id: { tag: "local", id: 1 },
      include_scrollback: false,
      max_scrollback_lines: 0,
    }),
  );
  const t0 = performance.now();
  console.log(await c.command({ tag: "KILL_RESOURCE", terminal_id: { tag: "local", id: 1 } }));
  for (;;) {
    const s = await c.command({ tag: "GET_STATE", scope: 0 });
    if ((s as any).value.state.resources.length === 0) {
      console.log("gone", performance.now() - t0);
      break;
    }
  }
  const t1 = performance.now();
  await lab.stop();
  console.log("stopped", performance.now() - t1);
}
rmSync(dir, { recursive: true });
