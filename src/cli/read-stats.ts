import { plural } from "../model/plural.ts";
import { sanitize } from "../report/index.ts";
import type { ListReadStats } from "../snapshot/snapshot.ts";

/** What a plan cost: requests of any kind, and how many of them were pages of lists. */
export function requestSummary(requests: number, notes: readonly ListReadStats[]): string {
  const pages = notes.reduce((sum, note) => sum + note.pages, 0);
  return `${plural(requests, "request")}, ${plural(pages, "page")}`;
}

/** A line for each list that was read: how, and why so. */
export function describeReads(notes: readonly ListReadStats[]): string {
  return notes.map((note) => `${sanitize(lineOf(note))}\n`).join("");
}

function lineOf({ scope, operation, kinds, pages, rows, trimmed: reduced }: ListReadStats): string {
  const where = scope === "" ? "" : ` of ${scope}`;
  if (pages === 0)
    return `read ${plural(rows, "object")} of ${operation}${where} one by one, as no others were asked for and their ids are declared`;
  const together = pages > 1 ? ", those after the first side by side, as its count tells how many there are" : "";
  const shared = kinds.length > 1 ? `; once for ${kinds.join(", ")}` : "";
  const kept = reduced ? "; whole where declared, else only who it is" : "";
  return `listed ${operation}${where}: ${plural(rows, "row")} in ${plural(pages, "page")}${together}${shared}${kept}`;
}
