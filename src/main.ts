#!/usr/bin/env bun
/** argv to mode. Each mode is loaded only when it is asked for, so that none pays for another. */
const [flag, ...rest] = process.argv.slice(2);

if (flag === undefined) (await import("./modes/adapter.ts")).serveAdapter();
else if (rest.length > 0) (await import("./modes/help.ts")).refuseArguments([flag, ...rest]);
else if (flag === "--schema") await (await import("./modes/schema.ts")).printSchema();
else if (flag === "--skill") await (await import("./modes/skill.ts")).printSkill();
else if (flag === "-h" || flag === "--help") await (await import("./modes/help.ts")).printHelp();
else if (flag === "-V" || flag === "--version") await (await import("./modes/version.ts")).printVersion();
else (await import("./modes/help.ts")).refuseArguments([flag]);

export {};
