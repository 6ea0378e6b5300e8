#!/usr/bin/env bun
/** argv to mode. Each mode is loaded only when it is asked for, so that none pays for another. */
const [flag, ...rest] = process.argv.slice(2);

const choosesTools = (argument: string) =>
  argument === "--read-only" || argument === "--tools" || argument.startsWith("--tools=");
const lessTools =
  process.env["PHUX_MCP_READ_ONLY"] || process.env["PHUX_MCP_TOOLS"] || [flag ?? "", ...rest].some(choosesTools);
const offersTools = flag === undefined || flag === "--schema" || choosesTools(flag);

if (process.platform === "win32") (await import("./modes/unsupported.ts")).refuseSystem();
else if (offersTools && lessTools) await (await import("./modes/selected.ts")).runSelected(process.argv.slice(2));
else if (flag === undefined) (await import("./modes/adapter.ts")).serveAdapter(null);
else if (flag === "check") await (await import("./modes/check.ts")).runCheck(rest);
else if (flag === "register") await (await import("./modes/register.ts")).runRegister(rest);
else if (rest.length > 0) (await import("./modes/help.ts")).refuseArguments([flag, ...rest]);
else if (flag === "--schema") await (await import("./modes/schema.ts")).printSchema(null);
else if (flag === "--skill") await (await import("./modes/skill.ts")).printSkill();
else if (flag === "-h" || flag === "--help") await (await import("./modes/help.ts")).printHelp();
else if (flag === "-V" || flag === "--version") await (await import("./modes/version.ts")).printVersion();
else (await import("./modes/help.ts")).refuseArguments([flag]);

export {};
