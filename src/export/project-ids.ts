/**
 * Ids of what only one project has, such as cohorts. Nothing in another project has them, so an export without ids lists each with its
 * places. If it is asked to, it writes variables in these places.
 */
import { kinds } from "../kinds/registry.ts";
import { isValueObject, Secret, valueAt, withValueAt, type Value, type ValueObject } from "../model/json/json.ts";
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
    const place = valueAt(written, reference.keys);
    const variable = listedId(reference, place, address, session);
    if (variable !== undefined) written = withValueAt(written, reference.keys, variable);
    else if (place !== undefined) kept.add(objectKey(reference));
  }
  if (!isValueObject(written)) return fields;
  if (kept.size > 0) session.comments.set(written, `${[...kept].join(", ")}: change it, because ${ONLY_HERE}`);
  return written;
}

/**
 * Adds the place of such an id to the list. Returns what stands in that place with a variable; undefined if there is to be none, or if the
 * id is no value there but a key, or left out.
 */
export function listedId(
  reference: ProjectReference,
  place: Value | undefined,
  address: string,
  { idsAsVariables, references }: ExportSession,
): Value | undefined {
  const isValue = place !== undefined && !isValueObject(place);
  const name = objectKey(reference);
  const variable = idsAsVariables && isValue ? name.replaceAll(/\W+/g, "_") : undefined;
  const listed = references.get(name) ?? { variable, places: [] };
  const at = `${address} ${pointer(...reference.keys)}`;
  if (listed.places.at(-1) !== at) listed.places.push(at);
  references.set(name, { ...listed, variable: variable ?? listed.variable });
  return variable === undefined || place === undefined ? undefined : withVariable(place, reference, variable);
}

/** A variable, or the text with it in the place of the id. */
function withVariable(place: Value, { part, id }: ProjectReference, variable: string): Secret {
  const expression = `\${var:${variable}}`;
  const text = place instanceof Secret ? place.expression : place;
  if (part === undefined || typeof text !== "string") return new Secret(expression);
  const [before = "", ...others] = (text === place ? text.replaceAll("${", () => "$${") : text).split(part);
  const put = (rest: string): string => (/^\d/u.test(rest) ? part : part.slice(0, -id.length) + expression) + rest;
  return new Secret(before + others.map(put).join(""));
}

function objectKey({ what, id }: ProjectReference): string {
  return `${what} ${id}`;
}
