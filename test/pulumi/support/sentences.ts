import { stripVTControlCharacters } from "node:util";
import { normalized } from "../../support/normalized.ts";

/**
 * The parts of lines that match a pattern, each once and sorted: the engine prints a diagnostic while it runs and again
 * at the end, and resources run in any order. It throws if no line matches.
 */
export function matchesIn(output: string, pattern: RegExp): readonly string[] {
  const lines = stripVTControlCharacters(output).split("\n");
  const found = new Set(lines.flatMap((line) => pattern.exec(line)?.[0] ?? []));
  if (found.size === 0) throw new Error(`no line matches ${String(pattern)}:\n${output}`);
  return [...found].map((text) => normalized(text.trim())).toSorted();
}
