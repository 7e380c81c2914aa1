/**
 * Draws the plan that README.md shows: docs/plan.svg. The command runs against the emulator with colours, and what it
 * prints is drawn as it is. Run it with `npm run generate`; a test compares the bytes.
 */
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify, stripVTControlCharacters } from "node:util";
import { loadSeed, startEmulator } from "../src/emulator/index.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
/** Where the emulator of the documentation listens. */
const SHOWN_URL = "http://127.0.0.1:8010";
const EXAMPLE = "examples/security-baseline";

/** The picture, by its path from the root of the repository. */
const PICTURE = "docs/plan.svg";

/**
 * Draws the picture.
 *
 * @param program what Node runs as driftline, from the root of the repository
 */
export async function planPicture(program: readonly string[]): Promise<string> {
  const command = ["plan", EXAMPLE];
  return draw(`driftline ${command.join(" ")}`, await print([...program, ...command]));
}

/** What a program prints with colours. */
async function print(program: readonly string[]): Promise<string> {
  const seed = loadSeed(await readFile(`${ROOT}${EXAMPLE}/seed.json`, "utf8"));
  const emulator = await startEmulator({ seed, dialect: "deployed" });
  const { NO_COLOR: _off, ...inherited } = process.env;
  const env = { ...inherited, FORCE_COLOR: "1", DRIFTLINE_URL: emulator.url, DRIFTLINE_API_KEY: emulator.key };
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [...program], { cwd: ROOT, env });
    return stdout.replaceAll(emulator.url, SHOWN_URL);
  } finally {
    await emulator.close();
  }
}

/** How codes of a terminal change the class of the text after them; undefined ends what the code began. */
const CODES: Readonly<Record<string, readonly ["weight" | "color", string | undefined]>> = {
  1: ["weight", "bold"],
  2: ["weight", "dim"],
  22: ["weight", undefined],
  31: ["color", "red"],
  32: ["color", "green"],
  33: ["color", "yellow"],
  35: ["color", "magenta"],
  36: ["color", "cyan"],
  39: ["color", undefined],
};

const FONT = 13;
const LINE = 19;
/** The width of a character, with some room: fonts differ. */
const COLUMN = 7.9;
const MARGIN = 20;

/** A dark terminal, which can be read on a light page and on a dark one. */
const STYLE = `text { font: ${String(FONT)}px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; fill: #d1d7e0; white-space: pre }
.bold { font-weight: 700; fill: #f0f6fc } .dim { fill: #9198a1 } .red { fill: #ff7b72 } .green { fill: #56d364 }
.yellow { fill: #e3b341 } .magenta { fill: #d2a8ff } .cyan { fill: #76e3ea }`;

function draw(command: string, output: string): string {
  const lines = [`\u001B[2m$\u001B[22m ${command}`, ...output.trimEnd().split("\n")];
  const columns = Math.max(...lines.map((line) => stripVTControlCharacters(line).length));
  const [width, height] = [Math.ceil(columns * COLUMN) + 2 * MARGIN, lines.length * LINE + 2 * MARGIN];
  const size = `width="${String(width)}" height="${String(height)}"`;
  const texts = lines.map((line, index) => {
    const y = MARGIN + (index + 1) * LINE - 5;
    return line === "" ? "" : `<text x="${String(MARGIN)}" y="${String(y)}">${spansOf(line)}</text>\n`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} viewBox="0 0 ${String(width)} ${String(height)}" role="img">
<title>The plan that ${escapeXml(command)} prints</title>
<style>
${STYLE}
</style>
<rect ${size} rx="8" fill="#0d1117" stroke="#3d444d"/>
${texts.join("")}</svg>
`;
}

/** A line of a terminal as texts with classes. Styles end with their line. */
function spansOf(line: string): string {
  const style: { weight?: string | undefined; color?: string | undefined } = {};
  const [first = "", ...rest] = line.split("\u001B[");
  const spans = rest.map((part) => {
    const [, code = "", text = ""] = /^(\d+)m(.*)$/.exec(part) ?? [];
    const [member, value] = CODES[code] ?? fail(`code ${code} of a terminal has no style`);
    style[member] = value;
    return span(text, [style.weight, style.color]);
  });
  return span(first, []) + spans.join("");
}

function span(text: string, classes: readonly (string | undefined)[]): string {
  if (text === "") return "";
  const names = classes.filter((name) => name !== undefined).join(" ");
  return names === "" ? escapeXml(text) : `<tspan class="${names}">${escapeXml(text)}</tspan>`;
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function fail(message: string): never {
  throw new Error(message);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await writeFile(`${ROOT}${PICTURE}`, await planPicture(["node_modules/jiti/lib/jiti-cli.mjs", "src/cli/main.ts"]));
  process.stderr.write(`${PICTURE}\n`);
}
