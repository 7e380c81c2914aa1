import type { AccessDocument, AccessPerson } from "../../model/access.ts";
import { groupBy } from "../../model/group-by.ts";
import { own } from "../../model/json/json.ts";
import { sanitize } from "../../model/text/quote.ts";
import { accessLead, type AccessSection, accessSections, accessTitle, dayOf } from "../access.ts";
import { type Paint, painter } from "../color.ts";
import type { RenderOptions } from "../options.ts";
import { columns, inColumns, textWidth } from "../width.ts";
import { wrapLines, wrapList } from "../wrap.ts";

/** A longer address has a line of its own. */
const MAX_PERSON = 32;
const INDENT = "    ";

/** Who has access, for a terminal: a line for each person. What all or most of a section have is said once, above it. */
export function accessText(document: AccessDocument, options: Pick<RenderOptions, "color" | "width">): string {
  const paint = painter(options);
  const width = columns(options);
  const { people, since } = document;
  const marks = since === null ? [] : [`* changed since ${since}, ? may have changed`];
  return `${[
    paint("bold", sanitize(accessTitle(document))),
    ...[...accessLead(document), ...marks].flatMap((text) => wrapLines(sanitize(text), width)),
    ...accessSections(people).flatMap((section) => ["", ...sectionLines(section, width, paint)]),
  ].join("\n")}\n`;
}

type TextOf = (one: AccessPerson) => string;

/** The cells of a row behind the person. Who is only invited has not signed in yet. */
const CELLS: readonly (readonly [head: string, text: TextOf])[] = [
  ["level", ({ level }) => level],
  ["2FA", ({ joined, second_factor: factor }) => (joined === null ? "-" : factor)],
  ["social", ({ joined, social_sign_in: social }) => (joined === null ? "-" : social)],
  ["joined", (one) => (one.joined === null ? inviteText(one) : dayOf(one.joined))],
];

const DOMAINS: Readonly<Record<string, string>> = { own: "own domain", unknown: "domain unknown" };

/** The facts behind the cells. */
const NOTES: readonly TextOf[] = [
  ({ address_domain: domain }) => own(DOMAINS, domain ?? "") ?? domain ?? "",
  ({ enforced_by_domain: enforced, address_domain: domain, person }) => {
    const isOther = enforced === "no" || enforced === "unknown";
    // No verified domain has an address that is outside.
    if (enforced === "no" && domain !== "own") return "";
    return `enforced by domain: ${enforced}${isOther ? "" : ` for ${person.replace(/^.*@/su, "")}`}`;
  },
  ({ declared_in: file, since_commit: commit }) => {
    if (file !== null) return file === "unknown" ? "" : `declared in ${file}`;
    if (commit === null) return "not declared";
    return `taken out of the files (${commit === "not committed" ? commit : `commit ${commit}`})`;
  },
  ({ declared_in: file, since_commit: commit }) => {
    if (file === null || file === "unknown" || commit === null) return "";
    if (commit === "unknown") return "since when is unknown";
    return commit === "not committed" ? commit : `since ${commit}`;
  },
  (one) => (one.joined === null || one.invite === null ? "no invite" : inviteText(one)),
];

function inviteText({ invite }: AccessPerson): string {
  return `invite ${invite ?? "unknown"}`;
}

/** Said of somebody only where most of the section have something else. */
const UNSAID = new Set(["", "own domain", "no invite"]);

/** The text that nearly all of several have, else "". */
function usualText(texts: readonly string[]): string {
  const [most = [""]] = [...groupBy(texts, (text) => text).values()].toSorted((a, b) => b.length - a.length);
  return texts.length > 1 && most.length * 4 > texts.length * 3 ? most[0] : "";
}

/** The notes that nearly all have, with how many if not all, and those that each has besides. */
function notesOf(people: readonly AccessPerson[]): {
  readonly usual: readonly string[];
  readonly own: readonly (readonly string[])[];
} {
  const usual = NOTES.map((textOf) => usualText(people.map(textOf)));
  return {
    usual: usual.flatMap((text, note) => {
      const count = people.filter((one) => NOTES[note]?.(one) === text).length;
      return UNSAID.has(text) ? [] : [count === people.length ? text : `${text} (${String(count)})`];
    }),
    own: people.map((one) =>
      NOTES.flatMap((textOf, note) => {
        const [text, most = ""] = [textOf(one), usual[note]];
        return text === "" || text === most || (UNSAID.has(text) && UNSAID.has(most)) ? [] : [text];
      }),
    ),
  };
}

function sectionLines({ title, people }: AccessSection, width: number, paint: Paint): readonly string[] {
  const isEqual = ([, textOf]: (typeof CELLS)[number]): boolean =>
    people.length > 1 && new Set(people.map(textOf)).size === 1;
  const cells = CELLS.filter((cell) => !isEqual(cell));
  const equal = CELLS.filter(isEqual).map(([head, textOf]) => `${head} ${textOf(people[0])}`);
  const { usual, own: notes } = notesOf(people);
  const head = ["person", ...cells.map(([name]) => name)];
  const rows = people.map((one) => [one.person, ...cells.map(([, textOf]) => textOf(one))].map(sanitize));
  const lineOf = inColumns([head, ...rows], MAX_PERSON);
  return [
    paint("bold", `${title} (${String(people.length)})`),
    ...wrapList([...equal, ...usual].map(sanitize), width - 2).map((text) => paint("dim", `  ${text}`)),
    paint("bold", `  ${lineOf(head)}`.trimEnd()),
    ...rows.flatMap(([person = "", ...texts], index) => {
      const besides = (notes[index] ?? []).map(sanitize);
      const isLong = textWidth(person) > MAX_PERSON;
      const row = lineOf([isLong ? "" : person, ...texts]);
      const isFitting = textWidth(`  ${row}  ${besides.join(", ")}`) <= width;
      const mark = { yes: "*", unknown: "?", no: " " }[people[index]?.changed ?? "no"];
      return [
        ...[...(isLong ? wrapLines(person, width - 2) : []), isFitting ? `${row}  ${besides.join(", ")}` : row].map(
          (text, line) => `${line === 0 ? mark : " "} ${text}`.trimEnd(),
        ),
        ...(isFitting ? [] : wrapList(besides, width - INDENT.length).map((text) => paint("dim", INDENT + text))),
      ];
    }),
  ];
}
