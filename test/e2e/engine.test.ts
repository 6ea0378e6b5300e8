/** Every row of design.md section 4 against the compiled binary, with stdin and stdout as sockets and as pipes. */
import { afterAll, describe, setDefaultTimeout } from "bun:test";
import { binary } from "./binary.ts";
import { testCases } from "./case.ts";
import { PhuxScript } from "./phux-script.ts";
import { protocol } from "./protocol.ts";
import { calls } from "./protocol-calls.ts";

setDefaultTimeout(30_000);

const phux = new PhuxScript();
afterAll(() => phux.remove());

const tools = {
  quick: { name: "phux_status", arguments: {} },
  slow: {
    name: "phux_status",
    arguments: { socket: "/slow" },
    begun: phux.begun.bind(phux),
    over: phux.over.bind(phux),
  },
};

describe.each(["socket", "pipe"] as const)("the binary on a %s", (stdio) => {
  const env = { PATH: `${phux.folder}:/usr/bin:/bin`, HOME: phux.folder, LANG: "C.UTF-8" };
  testCases([...protocol, ...calls(tools)], () => ({ bin: binary, stdio, env }));
});
