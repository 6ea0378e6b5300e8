import { refuse } from "../../../src/phux/errors.ts";
import { type JsonMembers, membersOf, parseJsonObject } from "../../../src/phux/json-object.ts";
import { hasFeature } from "../../../src/wire/capability.ts";
import { fail, ok } from "../../../src/wire/result.ts";
import { json, socket, verb } from "./verb.ts";

const WHOAMI_KEY = "phux.whoami/v1";

export const whoami = verb({
  name: "whoami",
  contract: 1,
  slots: { json, socket },
  async run(given, call) {
    const connection = await call.connect(given.socket);
    if (!connection.ok) return connection;
    const { socket: path, capabilities } = connection.value.server;
    const tooOld = `the server at ${path} cannot tell who this connection is`;
    // Everybody may write a key of this name where the server does not own it, so it is not even looked at there.
    if (!hasFeature(capabilities, "whoami")) return fail(refuse("server_too_old", tooOld, undefined, 1));
    const stored = await connection.value.metadata({ tag: "global" }, WHOAMI_KEY);
    if (!stored.ok) return fail(stored.error.refusal);
    if (stored.value === null) return fail(refuse("server_too_old", tooOld, undefined, 1));
    const document = parseJsonObject(stored.value);
    if (document === null)
      return fail(refuse("transport", `${WHOAMI_KEY} of the server at ${path} holds no JSON object`));
    return ok({ document, text: identityText(document) });
  },
});

/** One line for a person: who, over what, served by whom. */
function identityText({ principal, auth_route, serving_user, host, server_version }: JsonMembers): string {
  const server = membersOf(serving_user);
  const user = server?.["name"] ?? server?.["uid"] ?? "an unknown user";
  return `${principal ?? "the owner"} over ${auth_route}, served by ${user}@${host}, version ${server_version}\n`;
}
