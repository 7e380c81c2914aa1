/** The changes of a report as blocks, which each format lays out. Texts are as they came, but for those that say that they are safe. */
import { isRemoval, isUnseen, type Blocked } from "../model/change.ts";
import { compareText } from "../model/compare-text.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { besidesFields } from "../model/differ-text.ts";
import type { Effect } from "../model/effect.ts";
import { groupBy } from "../model/group-by.ts";
import type { Outcome, OutcomeError } from "../model/outcome.ts";
import type { ShownChange } from "../model/plan.ts";
import { plural } from "../model/plural.ts";
import { topField } from "../model/pointer.ts";
import { saysName } from "../model/resource.ts";
import { ruleText } from "../model/rule-reasons.ts";
import type { Step } from "./command.ts";
import { endEdit } from "./diff/end-edit.ts";
import {
  commonEntries,
  entriesOfChange,
  type FieldRow,
  fieldRows,
  removedInLine,
  withoutLine,
} from "./diff/entries.ts";
import { startWork } from "./diff/text-diff.ts";
import type { ShownEffects } from "./effect/words.ts";
import { ACTIONS, type Mark, markOf, nameText, type ReportType, STATUSES } from "./marks.ts";
import { sanitize } from "../model/quote.ts";
import { editRows, editsOf, foldedRows, foldedText, headingText, MIN_FOLDED, oddOnes, shapeOf } from "./folded.ts";
import type { RenderOptions } from "./options.ts";
import { byRights, isOfPerson, personAddress, personText, rightsChanged, rightsText } from "./person.ts";
import { timeText } from "./time.ts";

/** Changes of one kind that do the same for the same reason. Only the addresses and ids differ, and the texts that they edit alike. */
export type ChangeGroup<T extends ShownChange = ShownChange> = readonly [T, ...T[]];

/** A change, or several that are equal. */
export interface Group {
  readonly changes: ChangeGroup<ShownChange | Outcome>;
  readonly mark: Mark;
  /** The address, or how many objects there are. */
  readonly subject: string;
  readonly kind: string;
  /** The object's name in quotes. Empty if its address or the reason says it already. Safe. */
  readonly name: string;
  /** The page of the object. */
  readonly link: string | undefined;
  /** What the addresses of several begin with, up to a slash. */
  readonly place: string;
  /** Why, or what several objects have in common, in a line. */
  readonly reason: Step;
  /** Its words beside the names of fields that follow. */
  readonly why: string;
  /** The same without the names of the fields, where those follow. */
  readonly note: Step;
  /** How it ended; "" in a plan. Safe. */
  readonly result: string;
  readonly box: Box | undefined;
  /** What somebody has to know of it. */
  readonly warnings: readonly Diagnostic[];
  readonly fields: readonly FieldRow[];
  /** Whether the fields are those of a missing object: they are in the configuration, so only a page repeats them. */
  readonly isMissing: boolean;
  /** The fields in a terminal, which has only samples of values that differ from object to object, and none of a missing object. */
  readonly brief: readonly FieldRow[];
  readonly effect: Effect | undefined;
  /** The id of a single object, if a reader needs it. */
  readonly id: string | null;
  /** The objects of several changes. */
  readonly members: readonly Member[];
}

/** One object of several. */
export interface Member {
  /** Its whole address. */
  readonly scope: string;
  /** Its address without what all of them begin with. */
  readonly address: string;
  readonly name: string;
  readonly link: string | undefined;
  /** What is removed of it, and who changed it last. */
  readonly note: string;
  readonly id: string | null;
}

/** Why something is blocked or failed, and what to do about it. */
export interface Box {
  /** What is blocked; "" for a failure. */
  readonly lead: string;
  readonly code: string;
  readonly text: string;
  readonly remedy: Step | undefined;
}

interface GroupOptions extends Pick<RenderOptions, "verbose"> {
  readonly type: ReportType;
  readonly effects?: ShownEffects | undefined;
  /** By address. */
  readonly warnings?: ReadonlyMap<string, readonly Diagnostic[]> | undefined;
}

/** The changes as groups, and the blocks that several changes have. Those are said once, not at each change. */
export function groupsOf(
  changes: readonly (ShownChange | Outcome)[],
  options: GroupOptions,
): { readonly groups: readonly Group[]; readonly shared: readonly Box[] } {
  const { type, effects, warnings } = options;
  const work = startWork();
  const isDrift = type === "driftline.drift";
  const blocks = groupBy(type === "driftline.outcomes" ? [] : changes.flatMap(({ blocked }) => blocked ?? []), keyOf);
  const shared = [...blocks.values()].filter(({ length }) => length > 1);
  const keys = new Set(shared.map(([blocked]) => keyOf(blocked)));
  const groupOf = (group: ChangeGroup<ShownChange | Outcome>): Group => {
    const [change] = group;
    const isSingle = group.length === 1;
    const { address, kind, blocked, reason, command, link } = change;
    const noun = group.every((one) => one.kind === kind) ? kind : "resource";
    const mark = markOf(change, type);
    const isBelow = blocked !== null && keys.has(keyOf(blocked));
    const place = isSingle ? "" : commonAddress(group);
    const modified = modifiedText(modifiedOfAll(group));
    const isMissing = isUnseen(change) && (isDrift || blocked?.rule === "pin_missing");
    // For a person who is gone, the reason says all of it.
    const isSaid = isMissing && change.fields.every(({ path, planned: value }) => isOfPerson(kind, { path, value }));
    const common = commonEntries(group);
    const foldedBy = { place, type, work };
    const edit = common === undefined ? editRows(group, foldedBy) : undefined;
    const folded = edit ?? (common === undefined ? foldedRows(group.map(withoutLine), foldedBy) : undefined);
    const fields = isSaid
      ? []
      : (folded?.fields ?? fieldRows(isSingle ? change : withoutLine(change), common ?? [], foldedBy));
    const person = isSingle ? personText(kind, change.removes) : "";
    const withCommand = (text: string): Step => ({
      text: [person, text, modified].filter((one) => one !== "").join("; "),
      command,
    });
    const names = fields.length === 0 || isMissing ? [] : change.fields.map(({ path }) => topField(path));
    // What failed alike may have different reasons.
    const why = group.every((one) => one.reason === reason) ? besidesFields(reason, names) : "";
    const brief = folded?.brief ?? fields;
    const heading = folded === edit ? headingText(brief) : foldedText(group);
    const shown = options.verbose === true ? address : personAddress(change);
    return {
      changes: group,
      mark: isBelow ? { ...mark, word: `${mark.word} (${blocked.rule})` } : mark,
      subject: isSingle ? shown : plural(group.length, noun),
      kind: noun,
      name: isSingle ? nameText(change, shown) : "",
      link: isSingle ? link : undefined,
      place,
      reason: withCommand(
        isSingle || names.length === 0 ? reason : [why, heading].filter((one) => one !== "").join("; "),
      ),
      why,
      note: withCommand(folded === edit ? why : foldedText(group, ": --verbose shows them")),
      result: "status" in change ? resultText(change) : "",
      box: isBelow ? undefined : boxOf(change, isDrift ? "Apply is blocked" : "Blocked", isSingle),
      warnings: group.flatMap((one) => warnings?.get(one.address) ?? []),
      fields,
      isMissing,
      brief: isMissing ? [] : brief,
      effect: effects?.get(address),
      id: isSingle ? neededId(change) : null,
      members: isSingle ? [] : group.map((one) => memberOf(one, place, modified === "")),
    };
  };
  const what = isDrift ? "differences that apply may not correct" : "changes are blocked";
  return {
    groups: groupChanges(changes, options).map(groupOf),
    shared: shared.map(({ 0: blocked, length }) => blockedBox(`${String(length)} ${what}`, blocked)),
  };
}

function keyOf({ rule, detail, remedy, command }: Blocked): string {
  return JSON.stringify([rule, detail, remedy, command]);
}

function boxOf(change: ShownChange | Outcome, lead: string, isSingle: boolean): Box | undefined {
  if (change.blocked !== null) return blockedBox(lead, change.blocked);
  if (!("status" in change) || change.error === null) return undefined;
  return errorBox(isSingle ? change.error : sharedError(change.error));
}

/** An error without the id in the path of its request: the same for all objects that it happened to. */
export function sharedError<E extends Pick<OutcomeError, "message">>(error: E): E {
  return { ...error, message: error.message.replace(/^([A-Z]+ \/\S*\/)[^/\s]*\d[^/\s]*(?=\/? )/u, "$1...") };
}

/** Why something failed. */
export function errorBox({ code, message, hint, command }: OutcomeError): Box {
  return { lead: "", code, text: message, remedy: hint === undefined ? undefined : { text: hint, command } };
}

function blockedBox(lead: string, blocked: Blocked): Box {
  const remedy = { text: `To go ahead: ${blocked.remedy}`.trim(), command: blocked.command };
  return { lead, code: blocked.rule, text: `${ruleText(blocked)}.`, remedy };
}

/** What a change did, such as "deleted (OWNER, no second factor)"; sanitized. */
export function doneText(outcome: Outcome): string {
  const rights = rightsText(outcome);
  return `${ACTIONS[outcome.action].done}${rights === "" ? "" : ` (${rights})`}`;
}

/** The result of one change, such as "created, id 7" or "update: failed"; sanitized. */
export function resultText(outcome: Outcome): string {
  const { action, status, id, taken_back: takenBack } = outcome;
  if (action === "unknown") return "skipped: the required change is unknown";
  if (status === "yielded") {
    const own = takenBack === undefined ? "" : `; the own one, id ${sanitize(takenBack)}, was taken back`;
    return `created by another run, id ${sanitize(id ?? "")}${own}`;
  }
  if (status !== "applied") return `${ACTIONS[action].verb}: ${STATUSES[status].word}`;
  return action === "create" && id !== null ? `${doneText(outcome)}, id ${sanitize(id)}` : doneText(outcome);
}

function memberOf(change: ShownChange, place: string, saysModified: boolean): Member {
  const removed = removedInLine(change) ?? personText(change.kind, change.removes);
  const notes = [removed, saysModified ? modifiedText(change.modified) : ""].filter((note) => note !== "");
  const shown = personAddress(change);
  return {
    scope: change.address,
    address: shown.slice(place.length),
    name: isRenamed(change) ? "" : nameText(change, shown),
    link: change.link,
    note: notes.join("; "),
    id: neededId(change),
  };
}

/** Whether the address says the former name, and the group what becomes of it. */
function isRenamed({ address, name, fields }: ShownChange): boolean {
  return fields.some(({ prior, planned }) => planned === name && typeof prior === "string" && saysName(address, prior));
}

/** The id, where an object goes or comes back, and its address is not shown with it. */
function neededId(change: ShownChange): string | null {
  const isNeeded = isRemoval(change) || change.action === "restore";
  const isShown = personAddress(change).includes("/id=");
  return isNeeded && !isShown ? change.id : null;
}

/** Who changed the object last, when, and with which client, as far as the service reports it. Only drift reports have this. */
function modifiedText(modified: ShownChange["modified"]): string {
  if (modified === undefined) return "";
  const at = modified.at === null ? "" : ` ${timeText(modified.at)}`;
  const by = modified.by === null ? "" : ` by ${modified.by}`;
  return `last changed${at}${by}${modified.client === undefined ? "" : ` with ${modified.client}`}`;
}

/**
 * The last change of all objects, from the first day to the last one. Undefined if several people or clients made it. The name is
 * followed by the number of objects whose author is not known.
 */
function modifiedOfAll(group: ChangeGroup): ShownChange["modified"] {
  const known = group.flatMap(({ modified }) => (modified === undefined || modified.by === null ? [] : modified));
  const [first = group[0].modified] = known;
  if (first === undefined || group.length === 1) return first;
  if (known.some((other) => other.by !== first.by || other.client !== first.client)) return undefined;
  const unknown = known.length === 0 ? 0 : group.length - known.length;
  const by = unknown === 0 ? first.by : `${String(first.by)} (not known of ${String(unknown)})`;
  const days = group.map(({ modified }) => modified?.at?.slice(0, "2026-01-01".length) ?? "").toSorted(compareText);
  const ends = [...new Set([days[0], days.at(-1)])];
  return days[0] === "" ? undefined : { ...first, by, at: ends.join(" to ") };
}

/** Fewer equal changes are shown one by one: they are read as quickly. */
const MIN_GROUP = 3;

/**
 * Groups changes whose edits and effects are equal, so that 100 of them are read once. A change that is not like others
 * is not lost among them: it stands above all groups, of which the largest comes first. Changes without differences are one line each, and stay alone, but for removals: what many of them have in common is
 * read once. Those of people with high rights come first, and stay alone as well.
 */
export function groupChanges<T extends ShownChange>(
  changes: readonly T[],
  { verbose = false, effects, type }: GroupOptions,
): readonly ChangeGroup<T>[] {
  const inOrder = changes.toSorted(byRights);
  // Objects that get the same edit are one group, even if their old values differ.
  const editOf = editsOf(inOrder, type);
  const edits = groupBy(inOrder, (change) => foldKey(change, effects, editOf(change)));
  const editKeys = new Map(
    [...edits].flatMap(([edit, group]) =>
      edit === undefined || group.length < MIN_FOLDED ? [] : group.map((change) => [change, edit] as const),
    ),
  );
  const keys = inOrder.map((change) => {
    const isLine = change.fields.length === 0 && change.action !== "delete" && change.action !== "unknown";
    return verbose || isLine || rightsChanged(change) > 0
      ? undefined
      : (editKeys.get(change) ?? groupKey(change, effects));
  });
  const alike = groupBy(keys, (key) => key);
  const isAlike = (key: string | undefined): boolean => (alike.get(key)?.length ?? 0) >= MIN_GROUP;
  const folds = inOrder.map((change, index) =>
    keys[index] === undefined || isAlike(keys[index]) ? undefined : foldKey(change, effects, shapeOf(change)),
  );
  const folded = groupBy(inOrder, (_, index) => folds[index]);
  const alone = new Set([...folded].flatMap(([fold, group]) => (fold === undefined ? [] : [...oddOnes(group)])));
  const groups = groupBy(inOrder, (change, index) => {
    const [key, fold] = [keys[index], folds[index]];
    if (key !== undefined && isAlike(key)) return key;
    const isFolded = fold !== undefined && !alone.has(change) && (folded.get(fold)?.length ?? 0) >= MIN_FOLDED;
    return isFolded ? fold : index;
  });
  const size = ({ length }: ChangeGroup): number => (length === 1 ? Infinity : length);
  return [...groups.values()].toSorted((a, b) => (a.length === b.length ? 0 : size(b) - size(a)));
}

type Addressed = Pick<ShownChange, "address">;

/** What the addresses of several changes begin with, up to a slash; "" if they have nothing in common. */
export function commonAddress(group: readonly [Addressed, ...Addressed[]]): string {
  const [first, ...others] = group.map(({ address }) => address.split("/"));
  const parts = first?.slice(0, -1) ?? [];
  const end = parts.findIndex((part, index) => others.some((other) => other[index] !== part));
  return parts
    .slice(0, end === -1 ? parts.length : end)
    .map((part) => `${part}/`)
    .join("");
}

/** What changes have in common that only differ in their values. */
function foldKey(
  change: ShownChange | Outcome,
  effects: ShownEffects | undefined,
  shape: string | undefined,
): string | undefined {
  const isProblem = "status" in change && change.status !== "applied";
  if (isProblem || effects?.has(change.address) === true || shape === undefined) return undefined;
  return JSON.stringify([change.kind, change.reason, change.command, shape]);
}

function groupKey(change: ShownChange | Outcome, effects: ShownEffects | undefined): string {
  const { kind, action, reason, command: words, blocked } = change;
  const result = "status" in change ? resultText(change) : "";
  // What did not succeed is about the problem.
  if ("status" in change && change.error !== null) return JSON.stringify([kind, result, sharedError(change.error)]);
  const effect = { ...effects?.get(change.address), address: undefined };
  // What fits in a line stands beside each of them.
  const removed = withoutLine(change).removes;
  const entries = entriesOfChange(change).map(endEdit);
  // What could not be compared is about the reason.
  const what = action === "unknown" ? "" : kind;
  return JSON.stringify([what, action, reason, words, blocked, entries, removed, effect, result]);
}
