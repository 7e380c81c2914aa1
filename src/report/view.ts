/** A plan or a drift report as blocks, which each format lays out. Texts are as they came: a format makes them safe where it writes them. */
import { isUnseen, undeclaredBeside } from "../model/change.ts";
import { command } from "../model/command.ts";
import { unmanagedAddress, type PlanDocument } from "../model/plan.ts";
import { firstOf, plural } from "../model/plural.ts";
import { pathTexts } from "../model/pointer.ts";
import { quoted } from "../model/quote.ts";
import { type Box, type Group, groupsOf } from "./change-groups.ts";
import { type Step, toRunnable } from "./command.ts";
import { leftOutText, shownEffects, sideNames } from "./effect/words.ts";
import { isShown } from "./marks.ts";
import { nextSteps } from "./next-steps.ts";
import { personAddress, personText } from "./person.ts";
import type { Format, RenderOptions } from "./options.ts";
import { cleanText, counts, differences, errorCount, isClean, undeclaredCount, warningCount } from "./summary.ts";

export interface View {
  /** The command that made the report. */
  readonly name: string;
  readonly title: string;
  /** What was found, in few words. */
  readonly headline: string;
  /** The same in a sentence, with all counts. */
  readonly result: string;
  readonly isClean: boolean;
  /** Above the changes: what the report is limited to. */
  readonly lead: readonly string[];
  /** What the two sides of a field are, if that is not plain. */
  readonly sides: readonly string[];
  readonly groups: readonly Group[];
  /** What blocks several changes. */
  readonly shared: readonly Box[];
  readonly steps: readonly Step[];
  readonly notes: readonly Step[];
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
  const { only } = document.options;
  const shown = changes.filter(isShown);
  const [name, title] = isDrift ? ["driftline drift", `Drift on ${url}`] : ["driftline plan", `Plan for ${url}`];
  const [found, errors, warnings] = [differences(document), errorCount(document), warningCount(document)];
  const counted = counts(document);
  const sentence = isClean(document)
    ? cleanText(document)
    : `${isDrift ? "Drift" : "Plan"}: ${counted.length === 0 ? "nothing to compare" : counted.join(", ")}.`;
  const what = errors === 0 ? "nothing differs" : plural(errors, "error");
  const [prior, planned] = sideNames(type, options);
  const hasSides = isDrift && shown.some((change) => !isUnseen(change) && change.fields.length > 0);
  return {
    name,
    title,
    headline: `${name}: ${found.length === 0 ? what : found.join(", ")}${warnings === 0 ? "" : `; ${plural(warnings, "warning")}`}`,
    result: `${sentence}${warnings === 0 ? "" : ` ${plural(warnings, "warning")}.`}`,
    isClean: isClean(document),
    lead: only.length === 0 ? [] : [`Limited to ${firstOf(only, MAX_ONLY)}.`],
    sides: hasSides ? [`In fields, - is the ${prior} value and + the ${planned} one.`] : [],
    ...groupsOf(shown, { ...options, type, effects: shownEffects(document) }),
    // A page is read later, and elsewhere.
    steps: nextSteps(document, format === "html" ? { ...options, savedAs: undefined } : options),
    notes: [
      ...(options.detail === "summary" ? [] : leftOutText(document).map((text) => ({ text }))),
      ...(format === "text" && options.showsNextSteps === false ? [] : remarks(document, options, format)),
    ],
    tables: tablesOf(document, options),
  };
}

/** More addresses are only counted. */
const MAX_ONLY = 10;

/** The most collections that are named: with the rest of the sentence they fit into a line. */
const MAX_NOT_READ = 2;

/** What a report on the live state did not look at or only counts, and what of the files has no effect any more. A plan is about its changes. */
function remarks(document: PlanDocument, options: RenderOptions, format: Format): readonly Step[] {
  const { type, summary, changes } = document;
  const isDrift = type === "driftline.drift";
  const unread = options.verbose === true ? (document.not_read ?? []) : [];
  const list = { command: toRunnable(command("drift", { unmanaged: true }), options) };
  const values = undeclaredCount(document);
  const hasMore = unread.length > 0 || (isDrift && summary.unmanaged > 0);
  const unmanaged =
    unread.length > 0 ? "all unmanaged objects" : `the ${plural(summary.unmanaged, "unmanaged object")}`;
  const undeclared = values === 1 ? "the undeclared value" : `the ${String(values)} undeclared values`;
  const done = changes.flatMap(({ address, removable }) => {
    if (removable === undefined) return [];
    const word = removable === "state" ? "absent" : removable;
    return `${address} (${word}${removable === "_create_in_folder" ? ", which only counts when an insight is created" : ""})`;
  });
  const [has, name, it] =
    done.length === 1 ? ["This has", "its name is", "it"] : ["These have", "their names are", "them"];
  return [
    ...(unread.length === 0
      ? []
      : [{ text: `Not read, as nothing is declared there: ${firstOf(unread, MAX_NOT_READ)}.` }]),
    // Readers of a comment or of a page do not run commands.
    ...(hasMore && options.unmanaged !== true && format === "text" ? [{ text: `To list ${unmanaged}:`, ...list }] : []),
    ...(values === 0
      ? []
      : [{ text: `To see ${undeclared} as drift, write "undeclared: report" at the top of the file.` }]),
    // It is known of this service only: others may still need it.
    ...(done.length === 0
      ? []
      : [
          {
            // A name that is mistyped has no effect either.
            text: `${has} no effect on this service: ${firstOf(done, format === "html" ? Infinity : MAX_REMOVABLE)}. If ${name} right, remove ${it} from the files.`,
          },
        ]),
  ];
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

/** The live objects that nothing declares. */
function unmanagedTable({ unmanaged }: Pick<PlanDocument, "unmanaged">, options: RenderOptions): Table {
  const rows = unmanaged.map((one) => {
    const [address, name] = [unmanagedAddress(one), one.key ?? undefined];
    const shown = options.verbose === true ? address : personAddress({ ...one, address, name });
    const about = personText(one.kind, one.about);
    const key = shown !== address ? [] : [name === undefined ? "(no name)" : quoted(name)];
    return [shown, [...key, ...(about === "" ? [] : [about])].join("  ")];
  });
  const [first] = unmanaged.map(unmanagedAddress);
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
