/**
 * Photographs what reviewers of a pull request see, for README.md: the HTML report of a plan (docs/report.png) and the comment
 * (docs/comment.png). Both are of a real run against the emulator, in the Chromium of this machine. Fonts differ between machines, so
 * no test compares the bytes. Run it with `npm run pictures`.
 */
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { loadSeed, startEmulator } from "../src/emulator/index.ts";
import { startBrowser } from "../test/support/browser.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const EXAMPLE = "examples/minimal";

const STYLE = `body { margin: 16px; font: 14px/1.5 system-ui, sans-serif; color: #1f2328; background: #fff }
article { border: 1px solid #d1d9e0; border-radius: 6px; padding: 8px 16px }
table { border-collapse: collapse } th, td { border: 1px solid #d1d9e0; padding: 6px 13px }
pre { background: #f6f8fa; border-radius: 6px; padding: 12px 0; font: 12px/1.45 monospace } details { margin: 12px 0 }
pre > * { display: block; padding: 0 12px; text-decoration: none; white-space: pre }
ins { background: #dafbe1; color: #116329 } del { background: #ffebe9; color: #82071e }
code { background: #eff1f3; border-radius: 6px; padding: 2px 5px; font: 12px monospace }`;

const seed = loadSeed(await readFile(`${ROOT}${EXAMPLE}/seed.json`, "utf8"));
const emulator = await startEmulator({ seed, dialect: "deployed" });
const browser = await startBrowser();
try {
  await photograph("docs/report.png", await planAs("html"), 900);
  await photograph("docs/comment.png", commentPage(await planAs("markdown")), 620);
} finally {
  await browser.close();
  await emulator.close();
}

async function planAs(format: string): Promise<string> {
  const env = { ...process.env, DRIFTLINE_URL: emulator.url, DRIFTLINE_API_KEY: emulator.key };
  const program = ["dist/bin/driftline.cjs", "plan", EXAMPLE, "--format", format];
  const { stdout } = await promisify(execFile)(process.execPath, program, { cwd: ROOT, env });
  const { port } = new URL(emulator.url);
  return stdout.replaceAll(port, "8010");
}

async function photograph(picture: string, html: string, height: number): Promise<void> {
  const { page } = await browser.open(html, { viewport: { width: 860, height } });
  await writeFile(`${ROOT}${picture}`, await page.screenshot());
  process.stderr.write(`${picture}\n`);
}

/** A comment as a page: of Markdown only what a plan has, which are headings, tables, fences of differences, and HTML. */
function commentPage(markdown: string): string {
  const body = markdown
    .replaceAll(
      /```diff\n([^]*?)\n```/gu,
      (_all, text: string) => `<pre>${text.split("\n").map(diffLine).join("")}</pre>`,
    )
    .replaceAll(/^### (.*)$/gmu, "<h3>$1</h3>")
    .replaceAll(/^(?:\|.*\n)+/gmu, table)
    .replaceAll(/`([^`\n]+)`/gu, "<code>$1</code>");
  return `<!doctype html><meta charset="utf-8"><style>${STYLE}</style><article>${body}</article>`;
}

function diffLine(line: string): string {
  const text = line.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const sign = line.startsWith("+") ? "ins" : line.startsWith("-") ? "del" : "span";
  return `<${sign}>${text}</${sign}>`;
}

function table(rows: string): string {
  const [head = "", , ...rest] = rows.trim().split("\n");
  const row = (line: string, cell: string): string =>
    `<tr>${line
      .slice(1, -1)
      .split("|")
      .map((text) => `<${cell}>${text}</${cell}>`)
      .join("")}</tr>`;
  return `<table>${row(head, "th")}${rest.map((line) => row(line, "td")).join("")}</table>`;
}
