import { expect, setDefaultTimeout, test } from "bun:test";
import { hostname } from "node:os";
import type { LabOptions } from "../options.ts";
import { errorOf, Workbench } from "./workbench.ts";

setDefaultTimeout(30_000);

async function asked(options: Partial<LabOptions>) {
  const bench = await Workbench.open(options);
  const ran = await bench.phux(["whoami", "--json"]).finally(() => bench.close());
  return { ran, bench };
}

test("tells who we are to the server", async () => {
  const { ran } = await asked({});
  expect(ran).toMatchObject({ exit: 0, stderr: "" });
  const uid = process.getuid?.() ?? 0;
  expect(JSON.parse(ran.stdout)).toMatchObject({
    ...{ schema_version: 1, principal: null, credential_id: null, auth_route: "uds", peer_uid: uid },
    ...{ serving_user: { uid }, host: hostname(), server_version: "1.0.0", ssh_client: null },
    grant: [{ verbs: expect.arrayContaining(["observe", "input"]), selector: "global" }],
  });
});

test.each<[string, Partial<LabOptions>]>([
  ["an older server", { version: "0.8" }],
  ["a server without the convention", { without: ["whoami"] }],
])("%s is too old, and not guessed about", async (_, options) => {
  const { ran } = await asked(options);
  expect(ran).toMatchObject({ exit: 1, stdout: "" });
  expect(errorOf(ran)).toEqual({ code: "server_too_old", exit: 1 });
});

test("a server that refuses is not believed to be too old", async () => {
  const refuse = { GET_METADATA: { code: 202, message: "not for you" } };
  const { ran } = await asked({ faults: { refuse } });
  expect(ran).toMatchObject({ stdout: "", stderr: expect.stringContaining("not for you") });
  expect(ran.exit).not.toBe(0);
});
