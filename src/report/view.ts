/** A plan or a drift report as blocks, which each format lays out. Texts are as they came: a format makes them safe where it writes them. */
import { isUnseen, undeclaredBeside } from "../model/change.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { command } from "../model/command.ts";
import { groupBy } from "../model/group-by.ts";
import { type PlanDocument, type ShownChange, undeclaredAddress } from "../model/plan.ts";
import { firstOf, joinWords, MAX_ADDRESSES, plural, withArticle } from "../model/text/plural.ts";
import { own } from "../model/json/json.ts";
import { pathTexts } from "../model/pointer.ts";
import { quoted } from "../model/text/quote.ts";
import { type Box, commonAddress, type ShownGroup, groupsOf } from "./change-groups.ts";
import { type Step, toRunnable } from "./command.ts";
import { warningsAbout } from "./change-warnings.ts";
import { leftOutText, shownEffects, sideNames } from "./effect/words.ts";
import { isShown } from "./marks.ts";
import { nextSteps } from "./next-steps.ts";
import { personAddress, personText } from "./person.ts";
import type { Format, RenderOptions } from "./options.ts";
import { differingPeople, foundText, isClean, summaryText, undeclaredCount, undeclaredPeople } from "./summary.ts";

export interface View {
  /** The command that made the report. */
  readonly name: string;
  readonly title: string;
  /** What was found, in few words. */
  readonly headline: string;
  /** The headline as a sentence, with all counts. */
  readonly result: string;
  readonly isClean: boolean;
  /** Above the changes: what the report is limited to, and what the two sides of a field are, if that is not plain. */
  readonly lead: readonly string[];
  readonly groups: readonly ShownGroup[];
  /** What blocks several changes. */
  readonly shared: readonly Box[];
  /** What is warned of several changes. */
  readonly warnings: readonly Diagnostic[];
  /** All warnings and errors to show: `warnings`, and those that are not about a change. */
  readonly diagnostics: readonly Diagnostic[];
  readonly steps: readonly Step[];
  readonly notes: readonly Step[];
  /** The owners and admins whom nothing declares, above the changes; none if none differ. */
  readonly people: readonly Table[];
  readonly tables: readonly Table[];
}

/** A list of objects beside the changes. */
export interface Table {
  readonly id: string;
  readonly title: string;
  readonly head: readonly string[];
  /** The first cell of a row is an address. */
  readonly rows: readonly (readonly string[])[];
  readonly step?: Step;
  /** Whether the options ask for it. A page has it anyway. */
  readonly isRequested: boolean;
}

export function planView(document: PlanDocument, options: RenderOptions, format: Exclude<Format, "json">): View {
  const { type, url, changes } = document;
  const isDrift = type === "driftline.drift";
  const name = isDrift ? "driftline drift" : "driftline plan";
  const { only } = document.options;
  const shown = changes.filter(isShown);
  const people = peopleTable(document, options);
  const { ofOne, ofSeveral, others } = warningsAbout(document, options);
  const [prior, planned] = sideNames(type, options);
  const hasSides = isDrift && shown.some((change) => !isUnseen(change) && change.fields.length > 0);
  return {
    name,
    title: `${isDrift ? "Drift on" : "Plan for"} ${url}`,
    headline: `${name}: ${foundText(document)}`,
    result: summaryText(document),
    isClean: isClean(document) && people.length === 0,
    lead: [
      ...(only.length === 0 ? [] : [`Limited to ${firstOf(only, MAX_ADDRESSES)}.`]),
      ...(hasSides ? [`In fields, - is the ${prior} value and + the ${planned} one.`] : []),
    ],
    ...groupsOf(shown, { ...options, type, effects: shownEffects(document), warnings: ofOne }),
    warnings: ofSeveral,
    diagnostics: others,
    // A page is read later, and elsewhere.
    steps: nextSteps(document, format === "html" ? { ...options, savedAs: undefined } : options),
    notes: [
      ...(options.detail === "summary" ? [] : leftOutText(document).map((text) => ({ text }))),
      ...(format === "text" && options.showsNextSteps === false ? [] : remarks(document, options, format)),
    ],
    people,
    tables: tablesOf(document, options),
  };
}

/** The most collections that are named: with the rest of the sentence they fit into a line. */
const MAX_NOT_READ = 2;

/**
 * What a report on the live state did not look at or only counts, and what of the files has no effect any more. A plan is
 * about its changes.
 */
function remarks(document: PlanDocument, options: RenderOptions, format: Format): readonly Step[] {
  return [...notRead(document, options, format), ...undeclaredValues(document), ...removableLines(document, format)];
}

/** The collections that were not read, and how to list what nothing declares. */
function notRead(document: PlanDocument, options: RenderOptions, format: Format): readonly Step[] {
  const { type, summary } = document;
  const unread = options.verbose === true ? (document.not_read ?? []) : [];
  const steps: Step[] = [];
  if (unread.length > 0)
    steps.push({ text: `Not read, as nothing is declared there: ${firstOf(unread, MAX_NOT_READ)}.` });
  const hasMore = unread.length > 0 || (type === "driftline.drift" && summary.unmanaged > 0);
  // Readers of a comment or of a page do not run commands.
  if (!hasMore || options.unmanaged === true || format !== "text") return steps;
  const isMore = unread.length > 0 || differingPeople(document).length > 0;
  const unmanaged = isMore ? "all unmanaged objects" : `the ${plural(summary.unmanaged, "unmanaged object")}`;
  const list = toRunnable(command("drift", { unmanaged: true }), options);
  return [...steps, { text: `To list ${unmanaged}:`, command: list }];
}

function undeclaredValues(document: PlanDocument): readonly Step[] {
  const count = undeclaredCount(document);
  if (count === 0) return [];
  const values = count === 1 ? "the undeclared value" : `the ${String(count)} undeclared values`;
  return [{ text: `To see ${values} as drift, write "undeclared: report" at the top of the file.` }];
}

/** The lines of the files that have done their work, or whose object is gone. */
function removableLines({ changes }: PlanDocument, format: Format): readonly Step[] {
  const most = format === "html" ? Infinity : MAX_REMOVABLE;
  const steps: Step[] = [];
  const gone = changes.flatMap(({ address, removable }) => (removable === "gone" ? [address] : []));
  if (gone.length > 0) {
    const areRight = gone.length === 1 ? "its id is right, its" : "their ids are right, their";
    steps.push({ text: `Gone: ${firstOf(gone, most)}. If ${areRight} lines can be removed.` });
  }
  const done = changes.filter(({ removable }) => removable !== undefined && removable !== "gone");
  if (done.length === 0) return steps;
  const ofEach = [...groupBy(done, ({ removable }) => removable).values()].map((group) => withoutEffect(group, most));
  const [has, name, it] =
    done.length === 1 ? ["This has", "its name is", "it"] : ["These have", "their names are", "them"];
  // It is known of this service only: others may still need it. A name that is mistyped has no effect either.
  const text = `${has} no effect on this service: ${ofEach.join("; ")}. If ${name} right, remove ${it} from the files.`;
  return [...steps, { text }];
}

/** What of the files has no effect for one reason, with what the addresses have in common said once. */
function withoutEffect(group: readonly [ShownChange, ...ShownChange[]], most: number): string {
  const [{ removable = "", kind }] = group;
  const words = { renamed_from: "renamed_from", state: "absent" };
  const why = own(words, removable) ?? `${removable}, which only counts when ${withArticle(kind)} is created`;
  const place = group.length === 1 ? "" : commonAddress(group);
  const names = group.map(({ address }) => address.slice(place.length));
  const where = place === "" ? "" : ` in ${place}`;
  return `${firstOf(names, most)}${where} (${why})`;
}

/** More entries are only counted, but on a page. */
const MAX_REMOVABLE = 5;

/** What is beside the changes, as far as there is something. */
export function tablesOf(
  document: Pick<PlanDocument, "changes" | "unmanaged">,
  options: RenderOptions,
): readonly Table[] {
  return [unmanagedTable(document, options), uncomparedTable(document, options)].filter(({ rows }) => rows.length > 0);
}

function peopleTable(document: PlanDocument, options: RenderOptions): readonly Table[] {
  const people = differingPeople(document).map((one) => ({
    ...one,
    address: personAddress({ ...one, address: undeclaredAddress(one), name: one.key ?? undefined }),
  }));
  const [first, ...others] = people;
  if (first === undefined) return [];
  const place = commonAddress([first, ...others]);
  const text = "Declare each, with lifecycle.state: absent if the person is to go. For the first one:";
  const words = toRunnable(command("import", { only: first.address }), options);
  return [
    {
      id: "people",
      title: `${joinWords(undeclaredPeople(document), "and")}${place === "" ? "" : ` in ${place}`}`,
      head: ["person", "who it is"],
      rows: people.map((one) => [one.address.slice(place.length), personText(one.kind, one.about)]),
      step: { text, command: words },
      isRequested: true,
    },
  ];
}

/** The live objects that nothing declares. */
function unmanagedTable({ unmanaged }: Pick<PlanDocument, "unmanaged">, options: RenderOptions): Table {
  const rows = unmanaged.map((one) => {
    const [address, name] = [undeclaredAddress(one), one.key ?? undefined];
    const shown = options.verbose === true ? address : personAddress({ ...one, address, name });
    const about = personText(one.kind, one.about);
    const key = shown !== address ? [] : [name === undefined ? "(no name)" : quoted(name)];
    return [shown, [...key, ...(about === "" ? [] : [about])].join("  ")];
  });
  const [first] = unmanaged.map(undeclaredAddress);
  const words = toRunnable(command("import", { only: first }), options);
  return {
    id: "unmanaged",
    title: `${plural(unmanaged.length, "unmanaged object")}, left alone`,
    head: ["address", "name, or who it is"],
    rows,
    step: { text: "To declare the first one:", command: words },
    isRequested: options.unmanaged === true,
  };
}

/** Live values that are neither declared nor compared. */
function uncomparedTable({ changes }: Pick<PlanDocument, "changes">, options: RenderOptions): Table {
  const rows = changes.flatMap((change) => {
    const values = undeclaredBeside(change);
    return values.length === 0 ? [] : [[change.address, pathTexts(values)]];
  });
  return {
    id: "more",
    title: `Not compared: live has more in ${plural(rows.length, "resource")}`,
    head: ["address", "values that are not declared"],
    rows,
    isRequested: options.verbose === true,
  };
}
