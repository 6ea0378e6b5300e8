import { describe, expect, test } from "bun:test";
import type { Feature } from "../../src/wire/capability.ts";
import { TerminalSignal } from "../../src/wire/enums.ts";
import { withServer } from "../phux/dialled.ts";
import { errorResult, type FakeServer, requestId } from "../phux/fake-server.ts";
import { SmallPhux } from "../phux/small-phux.ts";
import { idOf } from "../phux/snapshot.ts";
import { type Bench, benchOn } from "./calls.ts";

const KEY = "00112233445566778899aabbccddeeff";

function onPhux(
  body: (bench: Bench, server: FakeServer, phux: SmallPhux) => Promise<void>,
  features: readonly Feature[] = ["keyed_signal"],
): Promise<void> {
  const phux = new SmallPhux();
  return withServer({ script: phux.script, features }, (server) => body(benchOn(server), server, phux));
}

const signals = Object.entries(TerminalSignal);
test.each(signals)("%s is number %d", (signal, number) =>
  onPhux(async (bench, server) => {
    const call = { target: "work", signal, confirm: true };
    expect(await bench.document("phux_signal", call)).toEqual({
      schema_version: 1,
      signaled: true,
      target: "work",
      signal,
    });
    expect(server.commands.slice(1)).toEqual([{ tag: "SIGNAL_TERMINAL", terminal_id: idOf("@1"), signal: number }]);
  }),
);

test("without a key the pane is looked up, also by its id", () =>
  onPhux(async (bench, server) => {
    await bench.document("phux_signal", { target: "@1", signal: "freeze" });
    expect(server.commands.map(({ tag }) => tag)).toEqual(["GET_STATE", "SIGNAL_TERMINAL"]);
  }));

const refusals: [signal: unknown, named: string][] = [
  ["kill", "kill"],
  ["terminate", "terminate"],
  ["nonsense", "this signal"],
  [undefined, "this signal"],
];
test.each(refusals)("the refusal of %p names what it is about", (signal, named) =>
  onPhux(async (bench) => {
    expect(await bench.failure("phux_signal", { target: "@1", signal })).toContain(`phux_signal with ${named} is`);
  }),
);

describe("consent", () => {
  const cases: [signal: unknown, confirm: unknown, passes: boolean][] = [
    ["freeze", undefined, true],
    ["resume", undefined, true],
    ["freeze", null, true],
    ["interrupt", true, true],
    ["interrupt", undefined, false],
    ["terminate", "true", false],
    ["kill", 1, false],
    ["kill", false, false],
    ["stop", undefined, false],
    [undefined, undefined, false],
    [7, undefined, false],
  ];
  test.each(cases)("signal %p with confirm %p", (signal, confirm, passes) =>
    onPhux(async (bench, server) => {
      const call = { target: "@1", signal, confirm };
      if (passes) await bench.document("phux_signal", call);
      else {
        expect(await bench.failure("phux_signal", call)).toContain("confirm: true");
        expect(server.clients).toHaveLength(0);
      }
    }),
  );

  test("it comes before everything else that is wrong", () =>
    onPhux(async (bench) =>
      expect(await bench.failure("phux_signal", { target: "", signal: "kill", nonsense: 1 })).toContain(
        "confirm: true",
      ),
    ));

  test.each(["true", "false", "yes", 1])("and where it is not needed, %p is still no consent", (confirm) =>
    onPhux(async (bench) => {
      const text = await bench.failure("phux_signal", { target: "@1", signal: "freeze", confirm });
      expect(text).toBe('phux_signal: "confirm" must be true or false');
    }),
  );
});

test.each(["@9", "lab/@9"])("a keyed %s is sent unseen", (target) =>
  onPhux(async (bench, server) => {
    await bench.document("phux_signal", { target, signal: "freeze", idempotency_key: KEY });
    expect(server.commands).toEqual([
      {
        tag: "SIGNAL_TERMINAL",
        terminal_id: idOf(target),
        signal: TerminalSignal.freeze,
        operation_id: Uint8Array.fromHex(KEY),
      },
    ]);
  }),
);

test("a key on a server that knows none sends nothing", () =>
  onPhux(async (bench, server) => {
    const call = { target: "@1", signal: "freeze", idempotency_key: KEY };
    expect(await bench.code("phux_signal", call)).toEqual(["unsupported_server", 2]);
    expect(server.frames).toEqual([]);
  }, []));

test("an exited pane refuses every signal, in the server's words", () =>
  onPhux(async (bench, _server, phux) => {
    phux.override = (frame, client) => {
      const isSignal = frame.name === "COMMAND" && frame.value.command.tag === "SIGNAL_TERMINAL";
      if (isSignal) client.send(errorResult(requestId(frame), "INVALID_COMMAND", "it has exited"));
      return isSignal;
    };
    const text = await bench.failure("phux_signal", { target: "@1", signal: "freeze" });
    expect(text).toBe("signalling @1: invalid command: it has exited");
  }));

test("an agent whose claim was withdrawn is not signalled", () =>
  onPhux(async (bench, server, phux) => {
    phux.set("@2", "phux.agent/v1", '{"name":"bot","kind":"codex","state":"unknown"}');
    expect(await bench.code("phux_signal", { target: "%bot", signal: "freeze" })).toEqual(["agent_withdrawn", 2]);
    expect(server.commands.map(({ tag }) => tag)).toEqual(["GET_STATE"]);
  }));
