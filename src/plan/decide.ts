/**
 * What to do about one resource and the live object that it was matched with: nothing, an update, a replace, a restore or a delete,
 * with the body that would be sent and the reason. A field that cannot be changed makes an update a replace.
 */
import { quoted } from "../model/quote.ts";
import { childSchema, conceal, kindSchema } from "../kinds/fields.ts";
import type { Expiry } from "../kinds/kind-parts.ts";
import type { Kind } from "../kinds/kind.ts";
import { kinds } from "../kinds/registry.ts";
import type { Action, Change, FieldChange, Work } from "../model/change.ts";
import { isSecretName, pointer, type JsonObject, valueAt, type ValueObject } from "../model/json.ts";
import type { LiveObject } from "../model/live.ts";
import type { Resource } from "../model/resource.ts";
import { patchBody } from "../diff/body.ts";
import { inspect, isImmutable, type Comparison, type Difference } from "../diff/compare.ts";
import { fingerprint, fingerprintFor } from "../diff/fingerprint.ts";
import { quietlyReplaced, replacedLeaves, replacementOf, withoutUnknown } from "../diff/replacement.ts";
import type { LiveChange } from "./guard/types.ts";

/** What is decided about: a resource, and whether its unreadable fields are sent again. */
interface Decided {
  readonly kind: Kind;
  readonly resource: Resource;
  readonly rotate: boolean;
}

/** Returns the change that gives a matched live object its declared state. */
export function decide({ kind, resource, rotate }: Decided, live: LiveObject): Change {
  if (resource.lifecycle.state === "absent") return decideAbsent(kind, resource, live);
  if (resource.lifecycle.forget === true) return noChange(kind, resource, live, "left alone: lifecycle.forget");
  if (live.leaving === true) return unknownChange(resource, `the service is deleting this ${kind.name}`);
  if (live.placeholder === true) return noChange(kind, resource, live, unchangedReason(live));
  if (live.deleted === true)
    return restoreChange(kind, resource, { id: live.id, reason: "soft-deleted: restored under its id", live });
  if (live.expired === true && kind.expiry !== undefined) return decideExpired(kind, resource, live, kind.expiry);
  const options = { ...resource.lifecycle, rotate };
  const compared = inspect(kind, resource.values, live.values, options);
  const { differences: leaves, unreadable: hidden, uncomparedKeys: more } = compared;
  if (leaves.length === 0)
    return withMore(noChange(kind, resource, live, unchangedReason(live) + notComparedNote(hidden)), more);
  const immutable = leaves.filter((leaf) =>
    isImmutable(leaf, (field) => kind.writes.isFixed?.(field, live.values) === true),
  );
  if (immutable.length > 0 || live.onDifference === "replace") {
    const cause = replaceReason(leaves, immutable);
    return replaceChange(kind, resource, live, { cause, quietly: quietlyReplaced(kind, live, leaves) });
  }
  const body = patchBody(kind, resource, live.values, leaves);
  const reason = updateReason(leaves, hidden, options) + lostKeysNote(compared);
  const fields = fieldChanges(kind, asSent(leaves, body));
  return withMore(toChange(kind, resource, { action: "update", reason, live, body, fields }), more);
}

/** Adds the live keys that are neither declared nor compared, for those who want to know of them. */
function withMore(change: Change, more: readonly string[]): Change {
  return more.length === 0 ? change : { ...change, more };
}

/** Restores a removed object under its pinned id. */
export function restoreChange(
  kind: Kind,
  resource: Resource,
  { id, reason: cause, live }: { readonly id: string; readonly reason: string; readonly live?: LiveObject },
): Change {
  const note = kind.hints?.restoreNote;
  const reason = note === undefined ? cause : `${cause}; ${note}`;
  const made = toChange(kind, resource, { action: "restore", reason, live, body: resource.values, fields: [] });
  return { ...made, id };
}

/** A resource that could not be compared. Nothing is done about it. */
export function unknownChange(resource: Resource, reason: string): Change {
  return {
    address: resource.address,
    kind: resource.kind,
    ...nameBeside(resource.address, declaredName(kinds[resource.kind], resource)),
    action: "unknown",
    reason,
    id: resource.pin?.value ?? null,
    blocked: null,
    fields: [],
    fingerprint: null,
    work: null,
  };
}

/** The removal of an undeclared object of an exclusive kind. */
export function pruneChange(kind: Kind, live: LiveObject, address: string): LiveChange {
  const work = { scope: live.scope, live, body: {}, key: live.keys[0] ?? null };
  // Who was invited, and has not accepted, is no person who loses access.
  const noted = live.note === undefined ? "" : `${live.note}; `;
  return {
    address,
    kind: kind.name,
    ...nameBeside(address, live.keys[0]),
    action: "delete",
    reason: removalReason(kind, `${noted}not declared, and its kind is exclusive`),
    id: live.id,
    blocked: null,
    fields: [],
    fingerprint: fingerprint(kind, live, {}),
    work,
  };
}

/** @param reason for the create; defaults to "no KIND KEY" */
export function createChange(
  kind: Kind,
  resource: Resource,
  reason = `no ${kind.name} ${describeKey(kind, resource)}`,
): Change {
  const note = kind.hints?.createNote?.(resource.values);
  return toChange(kind, resource, {
    action: "create",
    reason: note === undefined ? reason : `${reason}; ${note}`,
    live: undefined,
    body: resource.values,
    fields: declaredFields(kind, resource.values),
  });
}

/** A resource that is declared absent, and is. */
export function unchangedAbsent(kind: Kind, resource: Resource): Change {
  const reason = "declared absent, and does not exist";
  return toChange(kind, resource, { action: "no_op", reason, live: undefined, body: {}, fields: [] });
}

function decideAbsent(kind: Kind, resource: Resource, live: LiveObject): Change {
  if (live.deleted === true || live.leaving === true) return unchangedAbsent(kind, resource);
  if (live.placeholder === true) return noChange(kind, resource, live, unchangedReason(live));
  const reason = removalReason(kind, "declared absent");
  return toChange(kind, resource, { action: "delete", reason, live, body: {}, fields: [] });
}

function removalReason({ hints }: Kind, reason: string): string {
  const removeNote = hints?.removeNote;
  return removeNote === undefined ? reason : `${reason}; ${removeNote}`;
}

function decideExpired(kind: Kind, resource: Resource, live: LiveObject, expiry: Expiry): Change {
  if (resource.lifecycle.renew !== true) return noChange(kind, resource, live, expiry.leftAlone);
  return replaceChange(kind, resource, live, { cause: expiry.renewed });
}

interface Replacing {
  readonly cause: string;
  /** What is sent along so that the service does not announce the new object. */
  readonly quietly?: JsonObject | undefined;
}

/** Replaces an object by one that has the declared values, and of the others those that can be carried over. */
function replaceChange(kind: Kind, resource: Resource, live: LiveObject, { cause, quietly }: Replacing): Change {
  const { field } = resource.pin ?? {};
  const whole = replacementOf(kind, resource.values, live.values, resource.lifecycle);
  const { values, carried: own, lost } = kind.writes.removeFirst === true ? withoutUnknown(kind, whole) : whole;
  const ofObject = { ...live.carried, ...own };
  // If the run ends before the create, the next one is to create the same object, and as quietly.
  const carried = { ...quietly, ...ofObject };
  const body = { ...carried, ...values };
  const kept = kind.writes.removeFirst === true ? Object.keys(ofObject) : [];
  const notes = [
    kind.hints?.createNote?.(body, live),
    kept.length === 0 ? undefined : `keeps ${kept.join(", ")}`,
    lost.length === 0 ? undefined : `cannot be carried over: ${lost.join(", ")}`,
    field === undefined ? undefined : `the pinned ${field} changes with it`,
  ];
  const reason = [cause, ...notes.filter((note) => note !== undefined)].join("; ");
  const fields = fieldChanges(kind, replacedLeaves(kind, values, live.values));
  return toChange(kind, { ...resource, values }, { action: "replace", reason, live, body, fields, carried, lost });
}

function noChange(kind: Kind, resource: Resource, live: LiveObject, reason: string): Change {
  return toChange(kind, resource, { action: "no_op", reason, live, body: {}, fields: [] });
}

/** The reason to leave an object as it is. */
function unchangedReason({ note }: LiveObject): string {
  return note ?? "nothing differs";
}

interface Decision {
  readonly action: Action;
  readonly reason: string;
  readonly live: LiveObject | undefined;
  readonly body: ValueObject;
  readonly fields: readonly FieldChange[];
  readonly carried?: JsonObject;
  readonly lost?: readonly string[];
}

function toChange(kind: Kind, resource: Resource, decision: Decision): Change {
  const { action, reason, live, body, fields, carried, lost } = decision;
  const key = kind.identity.declaredKeys(resource.values, resource.name)[0] ?? live?.keys[0] ?? null;
  const work: Work = { scope: resource.scope, resource, live, body, carried, lost, key };
  const fingerprintOf = fingerprintFor(action);
  return {
    address: resource.address,
    kind: kind.name,
    ...nameBeside(resource.address, declaredName(kind, resource) ?? live?.keys[0]),
    action,
    reason,
    id: live?.id ?? null,
    blocked: null,
    fields,
    fingerprint: live === undefined ? null : fingerprintOf(kind, live, resource.values),
    work,
  };
}

/** The differences with what a body holds at their paths: what others own is in it as well. */
function asSent(leaves: readonly Difference[], body: ValueObject): readonly Difference[] {
  return leaves.map((leaf) => ({ ...leaf, planned: valueAt(body, leaf.keys) ?? null }));
}

function fieldChanges(kind: Kind, leaves: readonly Difference[]): readonly FieldChange[] {
  return leaves.map(({ keys, live, planned, schema }) => {
    // A value below a key with a secret's name is a secret, also if it is an element of a list.
    const name = keys.find(isSecretName);
    return {
      path: pointer(...keys),
      prior: conceal(kind.name, schema, live, name),
      planned: conceal(kind.name, schema, planned, name),
    };
  });
}

/** The fields that a create sets. */
function declaredFields(kind: Kind, values: ValueObject): readonly FieldChange[] {
  const schema = kindSchema(kind.name);
  return fieldChanges(
    kind,
    Object.entries(values).map(([field, planned]) => ({
      keys: [field],
      live: null,
      planned,
      schema: childSchema(kind.name, schema, field, values),
    })),
  );
}

function declaredName({ identity }: Kind, { values, name }: Resource): string | undefined {
  return identity.declaredKeys(values, name)[0];
}

/** The name of an object, unless the end of its address says it already: `sign-ups` says "Sign-ups". */
function nameBeside(address: string, name: string | undefined): Pick<Change, "name"> {
  const letters = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
  return name === undefined || letters(name) === letters(address.split("/").at(-1) ?? "") ? {} : { name };
}

/** The natural key that a resource declares, or else its name in the configuration. */
function describeKey(kind: Kind, resource: Resource): string {
  return quoted(kind.identity.declaredKeys(resource.values, resource.name)[0] ?? resource.name);
}

/** The reason for an update, with the unreadable fields that are sent along because the service never shows them. */
function updateReason(
  leaves: readonly Difference[],
  unreadable: readonly Difference[],
  { rotate }: Pick<Decided, "rotate">,
): string {
  const hidden = new Set(unreadable.map(pathOf));
  const real = leaves.filter((leaf) => !hidden.has(pathOf(leaf)));
  if (real.length === 0) return `${pathList(unreadable)} sent again as requested`;
  const changed = new Set(real.map(topField));
  const along = rotate ? unreadable : unreadable.filter((leaf) => changed.has(topField(leaf)));
  const also = along.length === 0 ? "" : `; sends ${pathList(along)} again${rotate ? " as requested" : ""}`;
  return describeDifferences(real) + also;
}

/** Names the fields of an update whose other keys are lost, because the service does not show them. */
function lostKeysNote({ differences, partlyShown }: Comparison): string {
  const names = fieldNames(differences.filter((leaf) => partlyShown.includes(topField(leaf))));
  return names === ""
    ? ""
    : `; keys of ${names} that are not declared are lost: the service shows them only as a query`;
}

/** The reason for a replace. */
function replaceReason(leaves: readonly Difference[], immutable: readonly Difference[]): string {
  return immutable.length > 0 ? `${fieldNames(immutable)} cannot be changed in place` : describeDifferences(leaves);
}

/** Lists the declared fields that could not be compared. */
function notComparedNote(unreadable: readonly Difference[]): string {
  return unreadable.length === 0 ? "" : `; never shown by the service, so not compared: ${pathList(unreadable)}`;
}

function describeDifferences(leaves: readonly Difference[]): string {
  const names = fieldNames(leaves);
  // A field such as tags has a plural name. Names such as access and status end in s as well. One with underscores
  // is read as one thing.
  return names.includes(",") || /^[^_]*[^su_]s$/.test(names) ? `${names} differ` : `${names} differs`;
}

function fieldNames(leaves: readonly Difference[]): string {
  return [...new Set(leaves.map(topField))].join(", ");
}

function pathList(leaves: readonly Difference[]): string {
  return leaves.map(pathOf).join(", ");
}

function topField({ keys }: Difference): string {
  return keys[0];
}

function pathOf({ keys }: Difference): string {
  return pointer(...keys);
}
