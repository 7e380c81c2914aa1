import { diffLines } from "../diff/text-diff.ts";
import { sanitize } from "../../model/text/quote.ts";
import { painter } from "../color.ts";
import type { RenderOptions } from "../options.ts";

const STYLES = { "+": "green", "-": "red", " ": "dim" } as const;

/** The squares of the edits of one file: some 7,000 added lines. Lines are compared much faster than words. */
const WORK = 100_000_000;

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
  const paint = painter({ color });
  // The empty line behind the last line break is no line of the file.
  const isEnded = before.endsWith("\n") && after.endsWith("\n");
  const [prior, planned] = isEnded ? [before.slice(0, -1), after.slice(0, -1)] : [before, after];
  const hunks = diffLines(prior, planned, { left: WORK }).flatMap(({ priorStart, lines }) => [
    paint("cyan", `@@ line ${priorStart}`),
    ...lines.map(({ sign, text }) => paint(STYLES[sign], `${sign} ${sanitize(text)}`.trimEnd())),
  ]);
  return `${[paint("bold", sanitize(file)), ...hunks].join("\n")}\n`;
}
