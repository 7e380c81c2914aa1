/**
 * Ids of what only one project has, such as cohorts. Nothing in another project has them, so an export without ids lists each with its
 * places. If it is asked to, it writes variables in these places.
 */
import { kinds } from "../kinds/registry.ts";
import { isValueObject, Secret, valueAt, withValueAt, type Value, type ValueObject } from "../model/json.ts";
import { pointer } from "../model/pointer.ts";
import type { ProjectReference } from "../kinds/kind-parts.ts";
import type { ExportSession } from "./session.ts";
import type { ExportedResource } from "./types.ts";

/** Why a file for another project or organization does not have a value. */
export const ONLY_HERE = "numbers and ids mean nothing in another project";

/**
 * The fields of a resource with variables in the places of such ids. A comment names those that stay.
 *
 * @param leftOut the live values of fields that are left out. Their ids are listed as well
 */
export function withoutProjectIds(
  { kind, address, fields }: Pick<ExportedResource, "kind" | "address" | "fields">,
  leftOut: ValueObject,
  session: ExportSession,
): ValueObject {
  const { projectReferences: find } = kinds[kind].exportRules ?? {};
  if (session.ids || find === undefined) return fields;
  const kept = new Set<string>();
  let written: Value = fields;
  for (const reference of find({ ...leftOut, ...fields })) {
    const { keys } = reference;
    const isWritten = valueAt(fields, keys) !== undefined;
    const variable = isWritten ? variableFor(reference, valueAt(fields, keys), session) : undefined;
    noteReference(reference, { address, variable }, session);
    if (variable !== undefined) written = withValueAt(written, keys, variableValue(variable));
    else if (isWritten) kept.add(nameOf(reference));
  }
  if (!isValueObject(written)) return fields;
  if (kept.size > 0) session.comments.set(written, `${[...kept].join(", ")}: change it, because ${ONLY_HERE}`);
  return written;
}

/** The name of the variable for a place; undefined if there is to be none, or if the id is a key rather than a value. */
export function variableFor(
  { what, id }: Pick<ProjectReference, "what" | "id">,
  value: Value | undefined,
  { idsAsVariables }: ExportSession,
): string | undefined {
  return idsAsVariables && !isValueObject(value) ? `${what}_${id}`.replaceAll(/\W+/g, "_") : undefined;
}

/** What stands in the place of an id. */
export function variableValue(name: string): Value {
  return new Secret(`\${var:${name}}`);
}

/** Adds a place to the list of such ids. */
export function noteReference(
  { what, id, keys }: ProjectReference,
  { address, variable }: { readonly address: string; readonly variable: string | undefined },
  { references }: ExportSession,
): void {
  const name = nameOf({ what, id });
  const places = references.get(name)?.places ?? [];
  references.set(name, { variable, places: [...places, `${address} ${pointer(...keys)}`] });
}

function nameOf({ what, id }: Pick<ProjectReference, "what" | "id">): string {
  return `${what} ${id}`;
}
