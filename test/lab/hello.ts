import { randomBytes } from "node:crypto";
import { BootstrapProfiles, OutputMode } from "../../src/wire/enums.ts";
import type { FrameValue } from "../../src/wire/frame.ts";
import { type ProtocolVersion, speaksSame, versionText } from "../../src/wire/version.ts";
import type { Call } from "./call.ts";
import { capabilities } from "./release.ts";
import type { LabServer } from "./server.ts";

const chunkOffer = 262_144;
const pageOffer = 1_048_576;
const serverProfiles = BootstrapProfiles.synthesized_vt_raw | BootstrapProfiles.synthesized_vt_statesync;

/** The handshake: version, profile, limits (wire.md 5.1 to 5.3, 6.1). */
export async function hello(server: LabServer, call: Call, offer: FrameValue<"HELLO">): Promise<void> {
  const { connection } = call;
  const { release, faults } = server;
  if (connection.phase !== "new")
    return connection.fatal("INVALID_COMMAND", "HELLO already completed on this connection");
  const asked = { major: offer.protocol_major, minor: offer.protocol_minor, patch: offer.protocol_patch };
  if (!speaksSame(asked, release.version)) {
    return connection.fatal("VERSION_INCOMPATIBLE", incompatible(asked, release.version));
  }
  const caps = offer.client_caps;
  if ((caps.bootstrap_profiles & serverProfiles) === 0) {
    return connection.fatal("CODEC_UNAVAILABLE", noProfile(caps.bootstrap_profiles));
  }
  if (faults.freshServerId) server.serverId = new Uint8Array(randomBytes(16));
  connection.phase = "ready";
  connection.clientName = offer.client_name;
  connection.layers = caps.layers;
  const said = faults.claimVersion ?? release.version;
  await call.reply({
    name: "HELLO_OK",
    value: {
      protocol_major: said.major,
      protocol_minor: said.minor,
      protocol_patch: said.patch,
      server_caps: capabilities(release),
      server_id: server.serverId,
      selected_profile: { tag: profile(caps.output_mode, caps.bootstrap_profiles) },
      max_chunk_bytes: Math.min(caps.max_chunk_bytes, chunkOffer),
      max_history_page_bytes: Math.min(caps.max_history_page_bytes, pageOffer),
    },
  });
  if (faults.pingClients) connection.send({ name: "PING", value: { nonce: 0x7068757870696e67n } });
}

/** The synthesized profile of the wanted output mode, else the other one. */
function profile(mode: number, offered: number): "synthesized_vt_raw" | "synthesized_vt_statesync" {
  const raw = (offered & BootstrapProfiles.synthesized_vt_raw) !== 0;
  const sync = (offered & BootstrapProfiles.synthesized_vt_statesync) !== 0;
  if (mode === OutputMode.statesync) return sync ? "synthesized_vt_statesync" : "synthesized_vt_raw";
  return raw ? "synthesized_vt_raw" : "synthesized_vt_statesync";
}

function incompatible(asked: ProtocolVersion, own: ProtocolVersion): string {
  const older = asked.major < own.major || (asked.major === own.major && asked.minor < own.minor);
  const upgrade = older ? "the client" : "the phux server";
  return (
    `incompatible protocol: client offered ${versionText(asked)}, server requires ${own.major}.${own.minor}.x; ` +
    `upgrade ${upgrade} so that major and minor are equal`
  );
}

function noProfile(offered: number): string {
  const mask = (bits: number) => `0x${bits.toString(16).padStart(2, "0")}`;
  return `no common bootstrap profile: client ${mask(offered)}, server ${mask(serverProfiles)}`;
}
