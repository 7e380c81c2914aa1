/** The changes of a report as blocks, which each format lays out. Texts are as they came, but for those that say that they are safe. */
import { isRemoval, isUnseen, type Blocked } from "../model/change.ts";
import { besidesFields } from "../model/differ-text.ts";
import type { Effect } from "../model/effect.ts";
import { groupBy } from "../model/group-by.ts";
import type { Outcome } from "../model/outcome.ts";
import type { ShownChange } from "../model/plan.ts";
import { plural } from "../model/plural.ts";
import { topField } from "../model/pointer.ts";
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
import { type Mark, markOf, nameText, type ReportType } from "./marks.ts";
import { foldedRows, foldedText, MIN_FOLDED, shapeOf } from "./folded.ts";
import type { RenderOptions } from "./options.ts";
import { personAddress, personText, rightsRemoved } from "./person.ts";
import { outcomeProblem, resultText } from "./outcome-phrases.ts";

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
  readonly reason: Step;
  /** The same without the names of the fields, where those follow. */
  readonly note: Step;
  /** How it ended; "" in a plan. Safe. */
  readonly result: string;
  readonly box: Box | undefined;
  readonly fields: readonly FieldRow[];
  /** Whether the fields are those of a missing object: they are in the configuration, so only a page repeats them. */
  readonly isMissing: boolean;
  /** Whether the fields have values of their own for each object: a terminal has only the note that counts them. */
  readonly isFolded: boolean;
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
}

/** The changes as groups, and the blocks that several changes have. Those are said once, not at each change. */
export function groupsOf(
  changes: readonly (ShownChange | Outcome)[],
  options: GroupOptions,
): { readonly groups: readonly Group[]; readonly shared: readonly Box[] } {
  const { type, effects } = options;
  const work = startWork();
  const isDrift = type === "driftline.drift";
  const blocks = groupBy(type === "driftline.outcomes" ? [] : changes.flatMap(({ blocked }) => blocked ?? []), keyOf);
  const shared = [...blocks.values()].filter(({ length }) => length > 1);
  const keys = new Set(shared.map(([blocked]) => keyOf(blocked)));
  const groupOf = (group: ChangeGroup<ShownChange | Outcome>): Group => {
    const [change] = group;
    const isSingle = group.length === 1;
    const { address, kind, blocked, reason, command, link } = change;
    const mark = markOf(change, type);
    const isBelow = blocked !== null && keys.has(keyOf(blocked));
    const place = isSingle ? "" : commonAddress(group);
    const modified = isSingle ? modifiedText(change) : "";
    const isMissing = isDrift && isUnseen(change);
    const common = commonEntries(group);
    const isFolded = common === undefined;
    const fields = isFolded
      ? foldedRows(group.map(withoutLine), place, { type, work })
      : fieldRows(isSingle ? change : withoutLine(change), common, { type, work });
    const person = isSingle ? personText(kind, change.removes) : "";
    const withCommand = (text: string): Step => ({
      text: [person, text, modified].filter((one) => one !== "").join("; "),
      command,
    });
    const names = fields.length === 0 || isMissing ? [] : change.fields.map(({ path }) => topField(path));
    const shown = options.verbose === true ? address : personAddress(change);
    return {
      changes: group,
      mark: isBelow ? { ...mark, word: `${mark.word} (${blocked.rule})` } : mark,
      subject: isSingle ? shown : plural(group.length, kind),
      kind,
      name: isSingle ? nameText(change, shown) : "",
      link: isSingle ? link : undefined,
      place,
      reason: withCommand(reason),
      note: isFolded ? { text: foldedText(group) } : withCommand(besidesFields(reason, names)),
      result: "status" in change ? resultText(change) : "",
      box: isBelow ? undefined : boxOf(change, isDrift ? "Apply is blocked" : "Blocked"),
      fields,
      isMissing,
      isFolded,
      effect: effects?.get(address),
      id: isSingle ? neededId(change) : null,
      members: isSingle ? [] : group.map((one) => memberOf(one, place)),
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

function boxOf(change: ShownChange | Outcome, lead: string): Box | undefined {
  if (change.blocked !== null) return blockedBox(lead, change.blocked);
  const problem = "status" in change ? outcomeProblem(change) : undefined;
  if (problem === undefined) return undefined;
  const { code, message, hint, command } = problem;
  return { lead: "", code, text: message, remedy: hint === undefined ? undefined : { text: hint, command } };
}

function blockedBox(lead: string, blocked: Blocked): Box {
  const remedy = { text: `To go ahead: ${blocked.remedy}`.trim(), command: blocked.command };
  return { lead, code: blocked.rule, text: `${ruleText(blocked)}.`, remedy };
}

function memberOf(change: ShownChange | Outcome, place: string): Member {
  const removed = removedInLine(change) ?? personText(change.kind, change.removes);
  const notes = [removed, modifiedText(change)].filter((note) => note !== "");
  const shown = personAddress(change);
  return {
    scope: change.address,
    address: shown.slice(place.length),
    name: nameText(change, shown),
    link: change.link,
    note: notes.join("; "),
    id: neededId(change),
  };
}

/** The id, where an object goes or comes back, and its address is not shown with it. */
function neededId(change: ShownChange): string | null {
  const isNeeded = isRemoval(change) || change.action === "restore";
  const isShown = personAddress(change).includes("/id=");
  return isNeeded && !isShown ? change.id : null;
}

/** Who changed the object last, when, and with which client, as far as the service reports it. Only drift reports have this. */
function modifiedText({ modified }: ShownChange): string {
  if (modified === undefined) return "";
  // Fractions of a second would only make the line longer.
  const at = modified.at === null ? "" : ` ${modified.at.replace(/\.\d+(?=Z|[+-]|$)/u, "")}`;
  const by = modified.by === null ? "" : ` by ${modified.by}`;
  return `last changed${at}${by}${modified.client === undefined ? "" : ` with ${modified.client}`}`;
}

/** Fewer equal changes are shown one by one: they are read as quickly. */
const MIN_GROUP = 3;

/**
 * Groups changes whose edits and effects are equal, so that 100 of them are read once. A change that is not like others
 * is not lost among them: it stands above all groups. Changes without differences are one line each, and stay alone, but for removals: what many of them have in common is
 * read once.
 */
export function groupChanges<T extends ShownChange>(
  changes: readonly T[],
  { verbose = false, effects }: Pick<GroupOptions, "verbose" | "effects">,
): readonly ChangeGroup<T>[] {
  // Who loses the rights of an owner or an admin is read first.
  const inOrder = changes.toSorted((a, b) => rightsRemoved(b) - rightsRemoved(a));
  const keys = inOrder.map((change) => {
    const isLine = change.fields.length === 0 && change.action !== "delete" && change.action !== "unknown";
    return verbose || isLine ? undefined : groupKey(change, effects);
  });
  const alike = groupBy(keys, (key) => key);
  const isAlike = (key: string | undefined): boolean => (alike.get(key)?.length ?? 0) >= MIN_GROUP;
  const folds = inOrder.map((change, index) =>
    keys[index] === undefined || isAlike(keys[index]) ? undefined : foldKey(change, effects),
  );
  const folded = groupBy(folds, (key) => key);
  const groups = groupBy(inOrder, (_, index) => {
    const [key, fold] = [keys[index], folds[index]];
    if (key !== undefined && isAlike(key)) return key;
    return fold !== undefined && (folded.get(fold)?.length ?? 0) >= MIN_FOLDED ? fold : index;
  });
  const isAlone = (group: ChangeGroup): boolean => group.length === 1;
  return [...groups.values()].toSorted(
    (a, b) => rightsRemoved(b[0]) - rightsRemoved(a[0]) || Number(isAlone(b)) - Number(isAlone(a)),
  );
}

/** What the addresses of several changes begin with, up to a slash; "" if they have nothing in common. */
function commonAddress(group: ChangeGroup): string {
  const [first, ...others] = group.map(({ address }) => address.split("/"));
  const parts = first?.slice(0, -1) ?? [];
  const end = parts.findIndex((part, index) => others.some((other) => other[index] !== part));
  return parts
    .slice(0, end === -1 ? parts.length : end)
    .map((part) => `${part}/`)
    .join("");
}

/** What changes have in common that only differ in their values. */
function foldKey(change: ShownChange | Outcome, effects: ShownEffects | undefined): string | undefined {
  const isProblem = "status" in change && change.status !== "applied";
  const shape = isProblem || effects?.has(change.address) === true ? undefined : shapeOf(change);
  return shape && JSON.stringify([change.kind, change.reason, change.command, shape]);
}

function groupKey(change: ShownChange | Outcome, effects: ShownEffects | undefined): string {
  const { kind, action, reason, command: words, blocked } = change;
  const result = "status" in change ? resultText(change) : "";
  // What did not succeed is about the problem.
  if ("status" in change && change.error !== null) return JSON.stringify([kind, result, change.error]);
  const effect = { ...effects?.get(change.address), address: undefined };
  // What fits in a line stands beside each of them.
  const removed = withoutLine(change).removes;
  const entries = entriesOfChange(change).map(endEdit);
  return JSON.stringify([kind, action, reason, words, blocked, entries, removed, effect, result]);
}
