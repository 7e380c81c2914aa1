import { type AccessDocument, type AccessPerson, LOOKS_LIKE } from "../../model/access.ts";
import { sanitize } from "../../model/quote.ts";
import { accessLead, accessTitle } from "../access.ts";
import { painter } from "../color.ts";
import type { RenderOptions } from "../options.ts";
import { columns, columnWidth, padText, textWidth } from "../width.ts";
import { wrapLines, wrapList } from "../wrap.ts";

/** A longer address has a line of its own. */
const MAX_PERSON = 32;
const HEAD = ["person", "level", "second factor", "social", "joined"] as const;
const INDENT = "    ";

/** Who has access, for a terminal: a row for each person, and below it what does not fit into one. */
export function accessText(document: AccessDocument, options: Pick<RenderOptions, "color" | "width">): string {
  const paint = painter(options);
  const width = columns(options);
  const { people, since } = document;
  const rows = people.map((one) => [one.person, one.level, one.second_factor, one.social_sign_in, dayOf(one.joined)]);
  const cells = [HEAD, ...rows].map((row) => row.map(sanitize));
  const widths = HEAD.map((_, column) =>
    columnWidth(
      cells.map((row) => row[column] ?? ""),
      MAX_PERSON,
    ),
  );
  const line = ([person = "", ...others]: readonly string[], mark: string): readonly string[] => {
    const rest = others
      .map((text, index) => padText(text, widths[index + 1] ?? 0))
      .join("  ")
      .trimEnd();
    const first = widths[0] ?? 0;
    if (textWidth(person) <= first) return [`${mark} ${padText(person, first)}  ${rest}`];
    return [
      ...wrapLines(person, width - 2).map((part, index) => `${index === 0 ? mark : " "} ${part}`),
      `  ${" ".repeat(first)}  ${rest}`,
    ];
  };
  const [head = [], ...body] = cells;
  const table = body.flatMap((row, index) => {
    const person = people[index];
    if (person === undefined) return [];
    const details = wrapList(detailsOf(person).map(sanitize), width - INDENT.length);
    return [...line(row, person.changed === "yes" ? "*" : " "), ...details.map((text) => paint("dim", INDENT + text))];
  });
  const marks = since === null ? [] : [`* changed since ${since}`];
  return `${[
    paint("bold", sanitize(accessTitle(document))),
    ...[...accessLead(document), ...marks].flatMap((text) => wrapLines(sanitize(text), width)),
    "",
    ...line(head, " ").map((text) => paint("bold", text)),
    ...table,
  ].join("\n")}\n`;
}

/** What does not fit into the row. */
function detailsOf(one: AccessPerson): readonly string[] {
  const { enforced_by_domain: enforced, address_domain: domain, changed } = one;
  return [
    ...(domain === "outside"
      ? ["outside the domains"]
      : domain?.startsWith(LOOKS_LIKE) === true
        ? [`domain ${domain}`]
        : []),
    `enforced by domain: ${enforced}`,
    `last changed ${dayOf(one.last_changed)}${changed === "unknown" ? " (whether since then is unknown)" : ""}`,
    ...declaration(one),
    ...(one.invite === null ? [] : [`invite ${one.invite}`]),
  ];
}

function declaration({ declared_in: file, since_commit: commit }: AccessPerson): readonly string[] {
  if (file === null && commit === "not committed") return ["taken out of the files, which is not committed"];
  if (file === null) return [commit === null ? "not declared" : `taken out of the files in ${commit}`];
  // That no configuration was read is said above.
  if (file === "unknown") return [];
  if (commit === "unknown") return [`declared in ${file}`, "since when is unknown"];
  return commit === "not committed" ? [`declared in ${file}`, commit] : [`declared in ${file} since ${commit}`];
}

/** The day of a time. What is no time is shown as it is. */
function dayOf(time: string | null): string {
  return time === null ? "not joined" : time.replace(/^(\d{4}-\d\d-\d\d)T.*$/su, "$1");
}
