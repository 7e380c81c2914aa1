import { CODES } from "../model/diagnostic-codes.ts";
import { isRemoval, undeclaredBeside, type Action } from "../model/change.ts";
import { type PlanDocument, type ShownChange, undeclaredAddress } from "../model/plan.ts";
import { groupBy } from "../model/group-by.ts";
import { joinWords, plural } from "../model/text/plural.ts";
import { ACTIONS, isShown } from "./marks.ts";
import { sanitize } from "../model/text/quote.ts";
import { countsOfRights, highRights, withHighRights } from "./person.ts";

const ORDER = Object.keys(ACTIONS) as readonly Action[];

/** Whether there is no change and no error. */
export function isClean(document: PlanDocument): boolean {
  return !document.changes.some(isShown) && errorCount(document) === 0;
}

/** All counts as phrases: "1 to create", "2 to delete (1 blocked)", "3 unchanged", "2 unmanaged (1 owner: rob@evil.example)". */
export function counts(document: PlanDocument): readonly string[] {
  const unmanaged = otherUnmanaged(document);
  const values = undeclaredCount(document);
  return [
    ...phrases(document.changes, document.type),
    ...undeclaredPeople(document),
    ...(unmanaged > 0 ? [`${unmanaged} ${unmanagedWord(document)}`] : []),
    ...(values > 0 ? [plural(values, "undeclared value")] : []),
  ];
}

/** With the people whom nothing declares and who may more than the others, but for those in a table of their own. Sanitized. */
export function unmanagedWord(document: PlanDocument): string {
  const rights = otherRights(document);
  return `unmanaged${rights === "" ? "" : ` (${rights})`}`;
}

/** How many live values are neither declared nor reported. A plan is not about them. */
export function undeclaredCount({ type, changes }: PlanDocument): number {
  return type === "driftline.drift" ? changes.flatMap(undeclaredBeside).length : 0;
}

/** People whom nothing declares, and who differ for what they may do, the highest rights first. */
export function differingPeople({
  unmanaged,
  diagnostics,
}: Pick<PlanDocument, "unmanaged" | "diagnostics">): PlanDocument["unmanaged"] {
  const addresses = new Set(
    diagnostics.flatMap(({ code, address }) => (code === CODES.undeclaredRights ? address : [])),
  );
  return withHighRights(unmanaged.filter((one) => addresses.has(undeclaredAddress(one))));
}

/** Such as `1 undeclared owner`, `2 undeclared admins`; nothing if none differ. */
export function undeclaredPeople(document: PlanDocument): readonly string[] {
  return countsOfRights(differingPeople(document));
}

/** How many objects are unmanaged besides those people. */
function otherUnmanaged(document: PlanDocument): number {
  return document.summary.unmanaged - differingPeople(document).length;
}

function otherRights(document: PlanDocument): string {
  const differing = differingPeople(document);
  return highRights(document.unmanaged.filter((one) => !differing.includes(one)));
}

/** The counts of resources that differ, as phrases. */
export function differences({ type, changes }: Pick<PlanDocument, "type" | "changes">): readonly string[] {
  return phrases(
    changes.filter(({ action }) => action !== "no_op"),
    type,
  );
}

function phrases(changes: readonly ShownChange[], type: PlanDocument["type"]): readonly string[] {
  const isDrift = type === "driftline.drift";
  const wordOf = (action: Action): string => ACTIONS[action][isDrift ? "drift" : "todo"];
  const groups = groupBy(changes, ({ action }) => wordOf(action));
  // A word of several actions stands where the first of them does.
  return [...new Set(ORDER.map(wordOf))].flatMap((word) => {
    const all = groups.get(word) ?? [];
    if (all.length === 0) return [];
    const blocked = all.filter((change) => change.blocked !== null).length;
    // A drift report counts differences. Whether apply may correct them is a separate question.
    if (blocked === 0 || isDrift) return `${all.length} ${word}`;
    return `${all.length} ${word} (${blocked === all.length ? "blocked" : `${blocked} blocked`})`;
  });
}

/** What was found, in few words: `1 to create, 2 undeclared admins; 3 warnings`. */
export function foundText(document: PlanDocument): string {
  const differing = [...differences(document), ...undeclaredPeople(document)].join(", ");
  const errors = errorCount(document);
  const others = errors === 0 ? "nothing differs" : plural(errors, "error");
  return [differing || others, ...warningsText(document)].join("; ");
}

/** The same in sentences, with all counts. */
export function summaryText(document: PlanDocument): string {
  const counted = counts(document).join(", ") || "nothing to compare";
  const said = `${document.type === "driftline.drift" ? "Drift" : "Plan"}: ${counted}.`;
  const differing = isFiltered(document) ? [said, "Other differences are left out."] : [said];
  const sentences = isClean(document) ? [cleanText(document)] : differing;
  return [...sentences, ...warningsText(document).map((text) => `${text}.`)].join(" ");
}

function warningsText(document: PlanDocument): readonly string[] {
  const warnings = warningCount(document);
  return warnings === 0 ? [] : [plural(warnings, "warning")];
}

/** The result if nothing differs. */
function cleanText(document: PlanDocument): string {
  const { changes, options } = document;
  const people = joinWords(undeclaredPeople(document), "and");
  const nothing = people === "" ? "Nothing differs" : `${people}. Nothing else differs`;
  const where = options.only.length === 0 ? "" : ` in ${sanitize(options.only.join(", "))}`;
  const unmanaged = otherUnmanaged(document);
  const values = undeclaredCount(document);
  const others = [
    ...(unmanaged === 0 ? [] : [plural(unmanaged, "unmanaged object")]),
    ...(values === 0 ? [] : [plural(values, "undeclared value")]),
  ];
  const verb = unmanaged + values === 1 ? "is" : "are";
  const rights = otherRights(document);
  const among = rights === "" ? "" : `, ${verb === "is" ? "" : "among them "}${rights}`;
  const ignored = others.length === 0 ? "" : `; ${others.join(" and ")} ${verb} left alone${among}`;
  if (isFiltered(document))
    return `${nothing}${where} among the changes that were asked for; other differences are left out${ignored}.`;
  if (changes.length === 0) return `Nothing is declared${where}, so there is nothing to compare${ignored}.`;
  const all = changes.length === 1 ? "the only resource is" : `all ${changes.length} resources are`;
  return `${nothing}${where}: ${all} as declared${ignored}.`;
}

/** Whether a report shows only the changes of some people, or since some time. */
export function isFiltered({ diagnostics }: Pick<PlanDocument, "diagnostics">): boolean {
  return diagnostics.some(({ code }) => code === CODES.filtered);
}

/** How many warnings a report has, without those that are a table. They stand far from the counts of the changes. */
export function warningCount({ diagnostics }: PlanDocument): number {
  return diagnostics.filter(({ severity, code }) => severity === "warning" && code !== CODES.undeclaredRights).length;
}

export function errorCount({ diagnostics }: PlanDocument): number {
  return diagnostics.filter(({ severity }) => severity === "error").length;
}

/** What apply does about a difference, where the word for it leaves that open. */
const CORRECTED: Readonly<Partial<Record<Action, string>>> = {
  replace: ", apply replaces it",
  restore: ", apply restores it",
};

/** The symbols that are in use, each with its meaning. */
export function legend(changes: readonly ShownChange[], type: PlanDocument["type"]): readonly string[] {
  const isDrift = type === "driftline.drift";
  const used = ORDER.filter(
    (action) => action !== "no_op" && changes.some((change) => change.action === action && hasOwnSymbol(change)),
  );
  const words = used.map((action) => {
    const { symbol, verb, drift } = ACTIONS[action];
    return `${symbol} ${isDrift ? `${drift}${CORRECTED[action] ?? ""}` : verb}`;
  });
  return changes.every(hasOwnSymbol) ? words : [...words, isDrift ? "! apply is blocked" : "! blocked"];
}

function hasOwnSymbol(change: ShownChange): boolean {
  return change.blocked === null || isRemoval(change);
}
