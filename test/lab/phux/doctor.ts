import { ok } from "../../../src/wire/result.ts";
import type { Check } from "./check.ts";
import { checkAgentShim } from "./check-agent-shim.ts";
import { checkConfig, checkPlugins } from "./check-config.ts";
import { checkInstance, checkLogs } from "./check-installation.ts";
import { checkRemoteCertificate } from "./check-remote-cert.ts";
import { checkServer } from "./check-server.ts";
import { json, socket, verb } from "./verb.ts";

export const doctor = verb({
  name: "doctor",
  contract: 1,
  slots: { json, socket },
  exclude: ({ socket }) => (socket === "" ? "--socket is empty: give the path of a socket, or leave it out" : null),
  async run(given, call) {
    const environment = process.env;
    const checks: readonly Check[] = [
      await checkConfig(environment),
      checkInstance(environment),
      ...(await checkServer(call, given.socket)),
      ...(await checkPlugins(environment)),
      checkAgentShim(environment),
      checkRemoteCertificate(environment, Date.now()),
      checkLogs(),
    ];
    const failed = checks.filter(({ status }) => status === "fail").length;
    const document = { schema_version: 1, ok: failed === 0, failed, checks };
    // A failing check is an answer: the document stands, and the exit says that it is a bad one.
    return ok({ document, text: checks.map(checkText).join(""), exit: failed === 0 ? 0 : 1 });
  },
});

function checkText({ name, status, detail, hint }: Check): string {
  return `${status.padEnd(4)}  ${name}: ${detail}\n${hint === null ? "" : `      ${hint}\n`}`;
}
