/**
 * `npm run picture`: films the demo and writes docs/picture.svg, the first of its lines as a terminal shows them. A real run:
 * ids, times and sizes in it are those of that run.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./binary.ts";

const COLUMNS = 110;
const ROWS = 34;
const CHARACTER = { width: 7.8, height: 18 };
const MARGIN = 18;

/** By how a line of the demo begins. */
const colours: readonly (readonly [begins: RegExp, colour: string])[] = [
  [/^→/, "#79c0ff"],
  [/^←/, "#a5d6a7"],
  [/^ +✓/, "#7ee787"],
  [/^\d\./, "#ffa657"],
];

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
const cut = (line: string) => (line.length > COLUMNS ? `${line.slice(0, COLUMNS - 1)}…` : line);

const demo = Bun.spawn([process.execPath, join(root, "scripts", "demo", "main.ts")], {
  stdout: "pipe",
  stderr: "inherit",
});
const told = await new Response(demo.stdout).text();
if ((await demo.exited) !== 0) throw new Error("the demo failed");

const lines = ["$ npm run demo", ...told.split("\n")].slice(0, ROWS).map(cut);
const rows = lines.map((line, at) => {
  const colour = colours.find(([begins]) => begins.test(line))?.[1] ?? "#c9d1d9";
  const y = MARGIN + (at + 1) * CHARACTER.height;
  return `  <text x="${MARGIN}" y="${y}" fill="${colour}">${escaped(line)}</text>`;
});
const width = Math.ceil(2 * MARGIN + COLUMNS * CHARACTER.width);
const height = Math.ceil(2 * MARGIN + ROWS * CHARACTER.height);
const font = "ui-monospace, SFMono-Regular, Menlo, Consolas, monospace";
const page = [
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="${font}" font-size="13" xml:space="preserve">`,
  "  <title>phux-mcp at work: the demo on a phux of its own</title>",
  `  <rect width="${width}" height="${height}" rx="8" fill="#0d1117"/>`,
  ...rows,
  "</svg>",
  "",
];
writeFileSync(join(root, "docs", "picture.svg"), page.join("\n"));
