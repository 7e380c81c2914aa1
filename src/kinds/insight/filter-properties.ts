/**
 * Compares filters by properties in the older notation with those of a query.
 *
 * Terms: a group combines properties, or groups, with AND or OR. A list is a group with AND.
 * Premise: a query nests groups in another way, and names the operator and the type that the older notation leaves out. What
 * counts is the same.
 * Algorithm: bring both to a form without needless groups and with all defaults, and compare the declared keys.
 */
import { canonicalJson } from "../../model/canonical-json.ts";
import { isValueObject, own, type Json, type Value, type ValueObject } from "../../model/json.ts";
import { copied, type Notes } from "./restated.ts";

/**
 * Returns the declared properties if those of a query mean the same, else those of the query: null if it has none, undefined if
 * the declared notation is not known.
 */
export function restateProperties(
  shown: Json | undefined,
  declared: Value | undefined,
  path: readonly string[],
  notes: Notes,
): Json | undefined {
  const [wanted, found] = [formOf(declared ?? []), formOf(shown ?? [])];
  if (wanted === undefined) return undefined;
  if (found === undefined || !isSame(wanted, found)) return shown ?? null;
  return copied(declared, path, notes);
}

interface Group {
  readonly type: string;
  readonly members: readonly Form[];
}
type Form = Group | ValueObject;

/** Undefined for a notation that is older still: an object whose keys are the properties. */
function formOf(value: Value): Form | undefined {
  if (Array.isArray(value)) return groupOf("AND", value as readonly Value[]);
  if (!isValueObject(value)) return undefined;
  if (own(value, "key") !== undefined) return withDefaults(value);
  const { type = "AND", values } = value;
  if (typeof type !== "string" || !Array.isArray(values))
    return Object.keys(value).length === 0 ? groupOf("AND", []) : undefined;
  return groupOf(type, values as readonly Value[]);
}

function groupOf(type: string, values: readonly Value[]): Form | undefined {
  const forms = values.map(formOf);
  if (!forms.every((form) => form !== undefined)) return undefined;
  const members = forms.flatMap((form) =>
    isGroup(form) && (form.type === type || form.members.length === 0) ? form.members : [form],
  );
  const [only] = members;
  if (only !== undefined && members.length === 1) return only;
  return { type: members.length === 0 ? "AND" : type, members };
}

function withDefaults(property: ValueObject): ValueObject {
  const { type = "event" } = property;
  const operator = type === "cohort" ? "in" : type === "hogql" ? null : "exact";
  return { operator, ...property, type };
}

function isGroup(form: Form): form is Group {
  return "members" in form;
}

function isSame(wanted: Form, found: Form): boolean {
  if (isGroup(wanted) || isGroup(found)) {
    if (!isGroup(wanted) || !isGroup(found) || wanted.type !== found.type) return false;
    const { members } = found;
    return (
      wanted.members.length === members.length &&
      wanted.members.every((one, index) => isSame(one, members[index] ?? {}))
    );
  }
  return Object.entries(wanted).every(
    ([key, value]) => canonicalJson(value) === canonicalJson(own(found, key) ?? null),
  );
}
