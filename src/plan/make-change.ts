/** Makes changes: what a plan says about one resource, or about one undeclared object. */
import { quoted } from "../model/text/quote.ts";
import { conceal, sentByDefault } from "../kinds/fields.ts";
import type { Kind } from "../kinds/kind.ts";
import { kinds } from "../kinds/registry.ts";
import type { Action, Change, FieldChange, Work, LiveChange } from "../model/change.ts";
import type { Json, JsonObject, Value, ValueObject } from "../model/json/json.ts";
import { filterKeys } from "../model/json/object.ts";
import { pointer } from "../model/pointer.ts";
import { isSecretName } from "../model/secret-values.ts";
import type { LiveObject } from "../model/live.ts";
import { saysName, type Resource } from "../model/resource.ts";
import { compare, type Difference } from "../diff/compare.ts";
import { comparisonRules } from "../diff/comparison-rules.ts";
import { fingerprintFor } from "../diff/fingerprint.ts";
import { fieldPlace } from "../diff/place.ts";
import { withoutSecretsOf } from "../diff/secret-places.ts";
import { withNote } from "./reasons.ts";

/** @param reason for the create; defaults to that of the kind, or "no KIND KEY" */
export function createChange(
  kind: Kind,
  resource: Resource,
  reason = kind.hints?.createReason?.(resource.values) ??
    `no ${kind.name} ${quoted(declaredName(kind, resource) ?? resource.name)}`,
): Change {
  return toChange(kind, resource, {
    action: "create",
    reason: withNote(reason, kind.hints?.note?.("create", resource.values)),
    body: resource.values,
    fields: declaredFields(kind, { ...sentByDefault(kind.name), ...resource.values }),
  });
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

/** Restores a removed object under its pinned id. Of one that no list shows, everything that is declared is written, as with a create. */
export function restoreChange(
  kind: Kind,
  resource: Resource,
  { id, reason: cause, live }: { readonly id: string; readonly reason: string; readonly live?: LiveObject },
): Change {
  const reason = withNote(cause, kind.hints?.note?.("restore", resource.values));
  const { values, lifecycle } = resource;
  const { isIgnored } = comparisonRules(kind, lifecycle);
  const managed = filterKeys(values, (field) => !isIgnored([field]));
  const fields =
    live === undefined
      ? declaredFields(kind, managed)
      : fieldChanges(kind, compare(kind, values, live.values, lifecycle), values);
  const made = toChange(kind, resource, { action: "restore", reason, live, body: values, fields });
  return { ...made, id };
}

/** The removal of an undeclared object of an exclusive kind. */
export function pruneChange(kind: Kind, live: LiveObject, address: string): LiveChange {
  const work = { scope: live.scope, live, body: {}, key: live.keys[0] ?? null };
  return {
    address,
    kind: kind.name,
    ...nameBeside(address, live.keys[0]),
    action: "delete",
    reason: removalReason(kind, live, "not declared, and its kind is exclusive"),
    id: live.id,
    blocked: null,
    fields: [],
    fingerprint: fingerprintFor("delete")(kind, live, {}),
    work,
  };
}

/** Why an object is removed. Who was invited, and has not accepted, is no person who loses access. */
export function removalReason({ hints }: Kind, { note }: LiveObject, cause: string): string {
  return withNote(note === undefined ? cause : `${note}; ${cause}`, hints?.note?.("delete", {}));
}

/** A resource that does not exist, and is not to: it is declared absent, or left alone. */
export function unchangedAbsent(kind: Kind, resource: Resource): Change {
  const isRemoved = resource.lifecycle.state === "absent";
  const reason = `${isRemoved ? "declared absent" : "left alone: lifecycle.forget"}, and does not exist`;
  return toChange(kind, resource, { action: "no_op", reason });
}

export function noChange(kind: Kind, resource: Resource, live: LiveObject, reason: string): Change {
  return toChange(kind, resource, { action: "no_op", reason, live });
}

interface Decision {
  readonly action: Action;
  readonly reason: string;
  readonly live?: LiveObject | undefined;
  readonly body?: ValueObject;
  readonly fields?: readonly FieldChange[];
  readonly carried?: JsonObject;
  readonly lost?: readonly string[];
}

export function toChange(kind: Kind, resource: Resource, decision: Decision): Change {
  const { action, reason, live, body = {}, fields = [], carried, lost } = decision;
  // Who approves a removal has to see the object that goes: a pinned one may have another name than the declared one.
  const name = action === "delete" ? live?.keys[0] : (declaredName(kind, resource) ?? live?.keys[0]);
  const work: Work = { scope: resource.scope, resource, live, body, carried, lost, key: name ?? null };
  const fingerprintOf = fingerprintFor(action);
  return {
    address: resource.address,
    kind: kind.name,
    ...nameBeside(resource.address, name),
    action,
    reason,
    id: live?.id ?? null,
    blocked: null,
    fields,
    fingerprint: live === undefined ? null : fingerprintOf(kind, live, resource.values),
    work,
  };
}

/** @param declared what the configuration declares: its secrets may be among the live values */
export function fieldChanges(kind: Kind, leaves: readonly Difference[], declared: ValueObject): readonly FieldChange[] {
  return leaves.map(({ keys, live, planned, schema }) => {
    // A value below a key with a secret's name is a secret, also if it is an element of a list.
    const name = keys.find(isSecretName);
    const concealed = (value: Value): Json => conceal(kind.name, schema, withoutSecretsOf(declared, keys, value), name);
    return { path: pointer(...keys), prior: concealed(live), planned: concealed(planned) };
  });
}

function declaredFields(kind: Kind, values: ValueObject): readonly FieldChange[] {
  const leaves = Object.entries(values).map(([field, planned]) => {
    return { ...fieldPlace(kind, field, values), live: null, planned };
  });
  return fieldChanges(kind, leaves, values);
}

/** The natural key that a resource declares. */
function declaredName({ identity }: Kind, { values, name }: Resource): string | undefined {
  return identity.declaredKeys(values, name)[0];
}

/** The name of an object, unless its address says it. */
function nameBeside(address: string, name: string | undefined): Pick<Change, "name"> {
  return name === undefined || saysName(address, name) ? {} : { name };
}
