/** The changes of a report as blocks, which each format lays out. Texts are as they came, but for those that say that they are safe. */
import { isRemoval, isUnseen, type Blocked } from "../model/change.ts";
import { compareText } from "../model/compare-text.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { besidesFields } from "../model/differ-text.ts";
import type { Effect } from "../model/effect.ts";
import { groupBy } from "../model/group-by.ts";
import type { Outcome, OutcomeError } from "../model/outcome.ts";
import type { ShownChange } from "../model/plan.ts";
import { plural } from "../model/text/plural.ts";
import { topField } from "../model/pointer.ts";
import { saysName } from "../model/resource.ts";
import { ruleText } from "../model/rules.ts";
import type { Step } from "./command.ts";
import { type ChangeGroup, groupChanges, type GroupingOptions, sharedError } from "./grouping.ts";
import { type ShownField, removedInLine } from "./diff/entries.ts";
import { type DiffWork, startWork } from "./diff/text-diff.ts";
import { fieldsOfGroup, headingText } from "./group-fields.ts";
import { type Mark, markOf, nameText, resultText } from "./marks.ts";
import { isOfPerson, personAddress, personText } from "./person.ts";
import { timeText } from "./time.ts";

/** A change, or several that are equal. */
export interface ShownGroup {
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
  /** The same without the names of the fields, where those follow. */
  readonly note: Step;
  /** How it ended; "" in a plan. Safe. */
  readonly result: string;
  readonly box: Box | undefined;
  /** What somebody has to know of it. */
  readonly warnings: readonly Diagnostic[];
  readonly fields: readonly ShownField[];
  /** Whether the fields are those of a missing object: they are in the configuration, so only a page repeats them. */
  readonly isMissing: boolean;
  readonly effect: Effect | undefined;
  /** The id of a single object, if a reader needs it. */
  readonly id: string | null;
  /** The objects of several changes. */
  readonly members: readonly GroupMember[];
}

/** One object of several. */
export interface GroupMember {
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
  readonly hint: Step | undefined;
}

interface GroupOptions extends GroupingOptions {
  /** By address. */
  readonly warnings?: ReadonlyMap<string, readonly Diagnostic[]> | undefined;
}

/** The changes as groups, and the blocks that several changes have. Those are said once, not at each change. */
export function groupsOf(
  changes: readonly (ShownChange | Outcome)[],
  options: GroupOptions,
): { readonly groups: readonly ShownGroup[]; readonly shared: readonly Box[] } {
  const { type } = options;
  const blocks = groupBy(
    type === "driftline.outcomes" ? [] : changes.flatMap(({ blocked }) => blocked ?? []),
    blockKey,
  );
  const shared = [...blocks.values()].filter(({ length }) => length > 1);
  const said = new Set(shared.map(([blocked]) => blockKey(blocked)));
  const context = { ...options, said, work: startWork() };
  const what = type === "driftline.drift" ? "differences that apply may not correct" : "changes are blocked";
  return {
    groups: groupChanges(changes, options).map((group) => groupOf(group, context)),
    shared: shared.map(({ 0: blocked, length }) => blockedBox(`${String(length)} ${what}`, blocked)),
  };
}

interface GroupContext extends GroupOptions {
  /** The keys of the blocks that are said once. */
  readonly said: ReadonlySet<string>;
  readonly work: DiffWork;
}

function groupOf(
  group: ChangeGroup<ShownChange | Outcome>,
  { type, effects, warnings, verbose, said, work }: GroupContext,
): ShownGroup {
  const [change] = group;
  const isSingle = group.length === 1;
  const isDrift = type === "driftline.drift";
  const { address, kind, blocked, link } = change;
  const noun = group.every((one) => one.kind === kind) ? kind : "resource";
  const mark = markOf(change, type);
  const isBelow = blocked !== null && said.has(blockKey(blocked));
  const place = isSingle ? "" : commonAddress(group);
  const modified = modifiedText(modifiedOfAll(group));
  const isMissing = isUnseen(change) && (isDrift || blocked?.rule === "pin_missing");
  // For a person who is gone, the reason says all of it.
  const isSaid = isMissing && change.fields.every(({ path, planned: value }) => isOfPerson(kind, { path, value }));
  const fields = isSaid ? [] : fieldsOfGroup(group, place, { type, work });
  const shown = verbose === true ? address : personAddress(change);
  return {
    changes: group,
    mark: isBelow ? { ...mark, word: `${mark.word} (${blocked.rule})` } : mark,
    subject: isSingle ? shown : plural(group.length, noun),
    kind: noun,
    name: isSingle ? nameText(change, shown) : "",
    link: isSingle ? link : undefined,
    place,
    ...reasonsOf(group, { fields, isMissing }, modified),
    result: "status" in change ? resultText(change) : "",
    box: isBelow ? undefined : boxOf(group, isDrift ? "Apply is blocked" : "Blocked"),
    warnings: group.flatMap((one) => warnings?.get(one.address) ?? []),
    fields,
    isMissing,
    effect: effects?.get(address),
    id: isSingle ? neededId(change) : null,
    members: isSingle ? [] : group.map((one) => memberOf(one, place, modified)),
  };
}

/** Why, with what the changes do, and beside the names of fields that follow. @param modified who changed them last */
function reasonsOf(
  group: ChangeGroup<ShownChange | Outcome>,
  { fields, isMissing }: Pick<ShownGroup, "fields" | "isMissing">,
  modified: string,
): Pick<ShownGroup, "reason" | "note"> {
  const [change] = group;
  const { kind, reason, command, removes } = change;
  const isSingle = group.length === 1;
  const person = isSingle ? personText(kind, removes) : "";
  const joined = (...texts: readonly string[]): string => texts.filter((one) => one !== "").join("; ");
  const names = fields.length === 0 || isMissing ? [] : change.fields.map(({ path }) => topField(path));
  // What failed alike may have different reasons.
  const why = group.every((one) => one.reason === reason) ? besidesFields(reason, names) : "";
  return {
    reason: {
      text: joined(person, isSingle || names.length === 0 ? reason : joined(why, headingText(fields)), modified),
      command,
    },
    // The line of an outcome names the person already.
    note: { text: joined("status" in change ? "" : person, why, modified), command },
  };
}

function blockKey({ rule, detail, lift, command }: Blocked): string {
  return JSON.stringify([rule, detail, lift, command]);
}

function boxOf(group: ChangeGroup<ShownChange | Outcome>, lead: string): Box | undefined {
  const [change] = group;
  if (change.blocked !== null) return blockedBox(lead, change.blocked);
  if (!("status" in change) || change.error === null) return undefined;
  return errorBox(group.length === 1 ? change.error : sharedError(change.error));
}

/** Why something failed. */
export function errorBox({ code, message, hint, command }: OutcomeError): Box {
  return { lead: "", code, text: message, hint: hint === undefined ? undefined : { text: hint, command } };
}

function blockedBox(lead: string, blocked: Blocked): Box {
  const hint = { text: `To go ahead: ${blocked.lift}`.trim(), command: blocked.command };
  return { lead, code: blocked.rule, text: `${ruleText(blocked)}.`, hint };
}

/** @param modified who changed all of them last; "" if that is said of each */
function memberOf(change: ShownChange, place: string, modified: string): GroupMember {
  const removed = removedInLine(change) ?? personText(change.kind, change.removes);
  const notes = [removed, modified === "" ? modifiedText(change.modified) : ""].filter((note) => note !== "");
  const shown = personAddress(change);
  return {
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
  const attributed = group.flatMap(({ modified }) => (modified === undefined || modified.by === null ? [] : modified));
  const [first = group[0].modified] = attributed;
  if (first === undefined || group.length === 1) return first;
  if (attributed.some((other) => other.by !== first.by || other.client !== first.client)) return undefined;
  const unknown = attributed.length === 0 ? 0 : group.length - attributed.length;
  const by = unknown === 0 ? first.by : `${String(first.by)} (not known of ${String(unknown)})`;
  const days = group.map(({ modified }) => modified?.at?.slice(0, "2026-01-01".length) ?? "").toSorted(compareText);
  const ends = [...new Set([days[0], days.at(-1)])];
  return days[0] === "" ? undefined : { ...first, by, at: ends.join(" to ") };
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
