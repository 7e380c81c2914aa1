import { diffLines } from "../diff/text-diff.ts";
import { sanitize } from "../escape.ts";
import type { RenderOptions } from "../options.ts";
import { painter } from "./style.ts";

const STYLES = { "+": "green", "-": "red", " ": "dim" } as const;

/**
 * Renders the edit of a file as a unified diff, for the person who approves it.
 *
 * @example
 * process.stdout.write(renderFileDiff("acme.yaml", before, after, { color: true }));
 */
export function renderFileDiff(
  file: string,
  before: string,
  after: string,
  { color }: Pick<RenderOptions, "color">,
): string {
  const paint = painter(color);
  const hunks = diffLines(before, after).flatMap(({ priorStart, lines }) => [
    paint("cyan", `@@ line ${priorStart}`),
    ...lines.map(({ sign, text }) => paint(STYLES[sign], `${sign} ${sanitize(text)}`.trimEnd())),
  ]);
  return `${[paint("bold", sanitize(file)), ...hunks].join("\n")}\n`;
}
