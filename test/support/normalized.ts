/** Texts for snapshots: the parts that vary from run to run are replaced by a name. */
import { defectText } from "../../src/cli/program.ts";

const VARYING: readonly (readonly [RegExp, string])[] = [
  [/[^\s"'`(]*\/driftline-[a-z-]+-\w{6}(?=\W|$)/g, "<folder>"],
  [/\b(127\.0\.0\.1|localhost):\d+/g, "$1:<port>"],
  [/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, "<uuid>"],
  [/\bsha256:[0-9a-f]{64}\b/g, "sha256:<hash>"],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)/g, "<time>"],
  [/\b\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d)? UTC/g, "<time>"],
  [/\b\d+(\.\d+)? (ms|s|seconds?|minutes?)\b/g, "<duration>"],
  // Changes finish in any order.
  [/^\[\d+\/(\d+)\] /gm, "[<n>/$1] "],
  [/\b(driftline) \d+\.\d+\.\d+\b/g, "$1 <version>"],
];

/** The text without folders, ports, ids, hashes, times and versions of this run. */
export function normalized(text: string | undefined): string {
  if (text === undefined) throw new Error("there is no text");
  return VARYING.reduce((known, [pattern, name]) => known.replace(pattern, name), text);
}

/**
 * The lines of a text that hold a word, e.g. the code of a diagnostic, each with the lines that are indented below it. It throws
 * if no line holds the word.
 */
export function linesWith(text: string, word: string): string {
  const lines = text.split("\n");
  const kept = new Set<number>();
  lines.forEach((line, index) => {
    if (!line.includes(word)) return;
    kept.add(index);
    for (let below = index + 1; indentOf(lines[below]) > indentOf(line); below += 1) kept.add(below);
  });
  if (kept.size === 0) throw new Error(`no line holds ${word}:\n${text}`);
  return normalized([...kept].map((index) => lines[index]).join("\n"));
}

const indentOf = (line = ""): number => (line.trim() === "" ? -1 : line.search(/\S/));

/** The sentence that a user reads only if driftline itself is at fault. */
export const DEFECT = (defectText("").split("hint: ")[1] ?? "").trim();
