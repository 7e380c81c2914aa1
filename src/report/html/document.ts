import { createHash } from "node:crypto";
import { markup, Markup } from "./markup.ts";
import { SCRIPT } from "./script.ts";
import { EFFECT_STYLE } from "./effect/style.ts";
import { STYLE as REPORT_STYLE } from "./style.ts";

const STYLE = REPORT_STYLE + EFFECT_STYLE;

/**
 * One HTML file that needs nothing else and loads nothing. Its policy allows the script and the style of this file by their
 * hashes, and nothing besides. A text that became a tag in spite of all could not run, load, send or redirect anything.
 */
export function htmlDocument(title: string, body: Markup): string {
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Markup(policy())}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${new Markup(STYLE)}</style>
</head>
<body>
${body}
<script>${new Markup(SCRIPT)}</script>
</body>
</html>
`.text;
}

function policy(): string {
  return [
    "default-src 'none'",
    `script-src '${hash(SCRIPT)}'`,
    `style-src '${hash(STYLE)}'`,
    "img-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}

function hash(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
