import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { configPath } from "../../../src/phux/config-file.ts";
import { type Check, failing, pass, warn } from "./check.ts";

type Environment = Readonly<Record<string, string | undefined>>;

const NAME = "remote-cert";
const DAY_MS = 86_400_000;
const SOON_DAYS = 30;

/** The certificate with which a server would prove itself to remote clients. `now` in milliseconds since 1970. */
export function checkRemoteCertificate(environment: Environment, now: number): Check {
  const config = configPath(environment);
  const path = config === null ? null : join(dirname(config), "remote-cert.pem");
  const pem = path === null ? null : readText(path);
  if (path === null || pem === null) {
    return warn(NAME, "there is no certificate: remote clients cannot connect", "none is needed on this machine alone");
  }
  try {
    const days = Math.floor((Date.parse(new X509Certificate(pem).validTo) - now) / DAY_MS);
    if (days < 0) return failing(NAME, `${path} has expired`, "make a new one");
    if (days < SOON_DAYS) return warn(NAME, `${path} expires in ${days} days`, "make a new one before then");
    return pass(NAME, `${path} is good for ${days} days`);
  } catch {
    return failing(NAME, `${path} holds no certificate`, "replace it by one in PEM form");
  }
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
