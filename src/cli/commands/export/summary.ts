import { collectionOf } from "../../../kinds/registry.ts";
import type { ExportSummary } from "../../../export/types.ts";
import type { ExportSnapshot } from "../../../engine/export/export.ts";
import { plural } from "../../../model/text/plural.ts";
import { type KindName } from "../../../model/kind-name.ts";
import { sanitize } from "../../../model/text/quote.ts";
import { wrapList } from "../../../report/wrap.ts";

/**
 * What an export wrote, what is missing in it, and what to do next.
 *
 * @param next the command that comes next, or a sentence about it; undefined if it is said elsewhere
 */
export function exportSummary(
  { counts, projects, expiredInvites, secrets, incomplete, references }: ExportSummary,
  unread: ExportSnapshot["unread"],
  next?: string,
): string {
  if (counts.length === 0 && projects === 0)
    return "Nothing is exported: nothing was found, or the warnings say why.\n";
  const counted = counts.map(([kind, count]) => countOf(kind, count));
  const parts = [
    paragraph("Exported", [...counted, ...(projects === 0 ? [] : [plural(projects, "project")])]),
    paragraph("Left out:", expiredInvites === 0 ? [] : [plural(expiredInvites, "expired invite")]),
    unreadSummary(unread),
    paragraph("Secrets that an apply may send, to be set in the environment:", secrets),
    paragraph(
      "With settings that the service never returns (comments in the files name them):",
      incomplete.map(([kind, count]) => countOf(kind, count)),
    ),
    referencesSummary(references),
  ];
  return parts.join("") + (next === undefined ? "" : `Next: ${next}\n`);
}

/** What a person has chosen for the files, to be read once more before they are written. */
export function choiceSummary(
  { counts, projects }: Pick<ExportSummary, "counts" | "projects">,
  complete: readonly KindName[],
  self: string | undefined,
): string {
  const parts = [
    paragraph("The files will declare", [
      ...counts.map(([kind, count]) => countOf(kind, count)),
      ...(projects === 0 ? [] : [plural(projects, "project")]),
    ]),
    paragraph(
      "Complete are",
      complete.map((kind) => collectionOf(kind)),
    ),
    paragraph("You are", self === undefined ? [] : [sanitize(self)]),
  ];
  return `\n${parts.join("")}Ctrl-C leaves, and writes nothing.\n`;
}

/** What only the exported project has, each with its places: with variables in them, and without. */
function referencesSummary(references: ExportSummary["references"]): string {
  const placed = (found: ExportSummary["references"]): readonly string[] =>
    found.flatMap(({ name, variable = name, places }) => [
      `  ${variable}`,
      ...firstPlaces(places).map((place) => `    ${place}`),
    ]);
  const variables = placed(references.filter(({ variable }) => variable !== undefined));
  const others = placed(references.filter(({ variable }) => variable === undefined));
  const lines = [
    ...(variables.length === 0 ? [] : ["Variables to be set, because another project has other ids:", ...variables]),
    ...(others.length === 0 ? [] : ["Another project has other ids, or none, for these:", ...others]),
  ];
  return lines.map((line) => `${sanitize(line)}\n`).join("");
}

/** The most places of one id that are listed. */
const MOST_PLACES = 20;

function firstPlaces(places: readonly string[]): readonly string[] {
  const more = places.length - MOST_PLACES;
  return more > 0 ? [...places.slice(0, MOST_PLACES), `and ${String(more)} more`] : places;
}

/** The lists that could not be read; empty if there are none. A permission that the key lacks is lacking everywhere. */
export function unreadSummary(unread: ExportSnapshot["unread"]): string {
  const lists = unread.map(({ kind, scope, missingPermission }) =>
    missingPermission === undefined ? `${collectionOf(kind)} of ${sanitize(scope)}` : collectionOf(kind),
  );
  return paragraph("Could not be read:", [...new Set(lists)]);
}

/** How many objects of a kind there are, as text. */
export function countOf(kind: KindName, count: number): string {
  return plural(count, kind.replaceAll("_", " "));
}

/** The most columns of a line. */
const WIDTH = 80;
const HANGING = "  ";

/** A sentence with a list in it, on lines that are not too long. Empty if the list is. */
function paragraph(start: string, items: readonly string[]): string {
  if (items.length === 0) return "";
  const texts = items.map((item, index) => `${item}${index === items.length - 1 ? "." : ","}`);
  return `${wrapList([start, ...texts], WIDTH - HANGING.length, " ").join(`\n${HANGING}`)}\n`;
}
