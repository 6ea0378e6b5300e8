import { join } from "node:path";

const here = import.meta.dir;
export const root = join(here, "..", "..");

/** What is measured and what it is held against, all compiled into one folder by the same Bun. */
export interface Programs {
  readonly adapter: string;
  /** Repeats a line. */
  readonly echo: string;
  /** An echo tool on our engine. */
  readonly echoTool: string;
  /** The frames of phux_ls without our code. */
  readonly bareClient: string;
}

export async function buildPrograms(folder: string): Promise<Programs> {
  const at = (name: string) => join(folder, name);
  await Bun.$`${process.execPath} ${join(root, "scripts", "build.ts")} --outfile ${at("phux-mcp")}`.quiet();
  for (const name of ["echo", "echo-tool", "bare-client"]) {
    const source = join(here, `${name}.ts`);
    await Bun.$`${process.execPath} build --compile --minify ${source} --outfile ${at(name)}`.quiet();
  }
  return {
    adapter: at("phux-mcp"),
    echo: at("echo"),
    echoTool: at("echo-tool"),
    bareClient: at("bare-client"),
  };
}
