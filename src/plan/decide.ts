/**
 * What to do about one resource and the live object that it was matched with: nothing, an update, a replace, a restore or a delete,
 * with the body that would be sent. A field that cannot be changed makes an update a replace.
 */
import type { Kind } from "../kinds/kind.ts";
import { pathTexts } from "../model/pointer.ts";
import type { Change } from "../model/change.ts";
import { type JsonObject, valueAt, type ValueObject } from "../model/json/json.ts";
import type { LiveObject } from "../model/live.ts";
import { filterKeys } from "../model/json/object.ts";
import type { Resource } from "../model/resource.ts";
import { completedBody, patchBody } from "../diff/body.ts";
import { inspect, isImmutable, type Difference } from "../diff/compare.ts";
import { silentFieldsFor } from "../kinds/people/index.ts";
import { replacedLeaves, replacementOf, withoutUnknown } from "../diff/replacement.ts";
import {
  fieldChanges,
  noChange,
  removalReason,
  restoreChange,
  toChange,
  unchangedAbsent,
  unknownChange,
} from "./make-change.ts";
import { notComparedNote, repeatedNote, replaceReason, unchangedReason, updateReason } from "./reasons.ts";

/** What is decided about: a resource, and whether its unreadable fields are sent again. */
interface Decidable {
  readonly kind: Kind;
  readonly resource: Resource;
  readonly rotate: boolean;
}

/** Returns the change that gives a matched live object its declared state. */
export function decide({ kind, resource, rotate }: Decidable, live: LiveObject): Change {
  if (resource.lifecycle.state === "absent") return decideAbsent(kind, resource, live);
  if (resource.lifecycle.forget === true) return noChange(kind, resource, live, "left alone: lifecycle.forget");
  if (live.state === "leaving") return unknownChange(resource, `the service is deleting this ${kind.name}`);
  if (live.state === "placeholder") return noChange(kind, resource, live, unchangedReason(live));
  if (live.state === "deleted")
    return restoreChange(kind, resource, { id: live.id, reason: "soft-deleted: restored under its id", live });
  if (live.state === "expired") return decideExpired(kind, resource, live);
  const options = { ...resource.lifecycle, rotate };
  const compared = inspect(kind, resource.values, live.values, options);
  const { differences, unreadable, uncomparedKeys } = compared;
  if (differences.length === 0) {
    const reason = unchangedReason(live) + notComparedNote(unreadable);
    return withUncompared(noChange(kind, resource, live, reason), uncomparedKeys);
  }
  const immutable = differences.filter((difference) =>
    isImmutable(difference, (field) => kind.writes.isFixed?.(field, live.values) === true),
  );
  if (immutable.length > 0 || live.onDifference === "replace") {
    const cause = replaceReason(differences, immutable);
    return replaceChange(kind, resource, live, { cause, silentFields: silentFieldsFor(live, differences) });
  }
  const body = patchBody(kind, resource, live.values, differences);
  const sent = completedBody(kind, resource, body, live.values);
  const beside = filterKeys(sent, (field) => !Object.hasOwn(body, field));
  const reason = updateReason(differences, unreadable, options) + repeatedNote(beside);
  const fields = fieldChanges(kind, asSent(differences, body), resource.values);
  return withUncompared(toChange(kind, resource, { action: "update", reason, live, body, fields }), uncomparedKeys);
}

/** Adds the live keys that are neither declared nor compared, for those who want to know of them. */
function withUncompared(change: Change, keys: readonly string[]): Change {
  return keys.length === 0 ? change : { ...change, more: keys };
}

function decideAbsent(kind: Kind, resource: Resource, live: LiveObject): Change {
  if (live.state === "deleted" || live.state === "leaving") return unchangedAbsent(kind, resource);
  if (live.state === "placeholder") return noChange(kind, resource, live, unchangedReason(live));
  const reason = removalReason(kind, live, "declared absent");
  return toChange(kind, resource, { action: "delete", reason, live });
}

function decideExpired(kind: Kind, resource: Resource, live: LiveObject): Change {
  const cause = unchangedReason(live);
  return resource.lifecycle.renew === true
    ? replaceChange(kind, resource, live, { cause: `${cause} and is renewed` })
    : noChange(kind, resource, live, `${cause}; lifecycle.renew: true sends a new one`);
}

interface Replacing {
  readonly cause: string;
  /** What is sent along so that the service does not announce the new object. */
  readonly silentFields?: JsonObject | undefined;
}

/** Replaces an object by one that has the declared values, and of the others those that can be carried over. */
function replaceChange(kind: Kind, resource: Resource, live: LiveObject, { cause, silentFields }: Replacing): Change {
  const { field } = resource.pin ?? {};
  const whole = replacementOf(kind, resource.values, live.values, resource.lifecycle);
  const { onePerKey } = kind.writes;
  const { values, carried: own, lost } = onePerKey ? withoutUnknown(kind, whole) : whole;
  const ofObject = { ...live.carried, ...own };
  // If the run ends before the create, the next one is to create the same object, and as quietly.
  const carried = { ...silentFields, ...ofObject };
  const body = { ...carried, ...values };
  const kept = onePerKey ? Object.keys(ofObject) : [];
  const notes = [
    kind.hints?.note?.("create", body, live),
    kept.length === 0 ? undefined : `keeps ${kept.join(", ")}`,
    lost.length === 0 ? undefined : `cannot be carried over: ${pathTexts(lost)}`,
    field === undefined ? undefined : `the pinned ${field} changes with it`,
  ];
  const reason = [cause, ...notes.filter((note) => note !== undefined)].join("; ");
  const fields = fieldChanges(kind, replacedLeaves(kind, values, live.values), resource.values);
  return toChange(kind, { ...resource, values }, { action: "replace", reason, live, body, fields, carried, lost });
}

/** The differences with what a body holds at their paths: what others own is in it as well. */
function asSent(differences: readonly Difference[], body: ValueObject): readonly Difference[] {
  return differences.map((one) => ({ ...one, planned: valueAt(body, one.keys) ?? null }));
}
