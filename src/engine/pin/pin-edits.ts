/**
 * Makes the edits that write pins into configurations: those of objects that were found by name, and those of objects that an
 * apply created.
 */
import type { Edit, EditSource } from "../../edit/edit.ts";
import type { Resource } from "../../model/resource.ts";

type Declaration = EditSource & Pick<Resource, "position">;

/** Adds a pin before the other members of a declaration. */
export function addPin<D extends Declaration>(source: D, field: string, value: string | number): Edit<D> {
  return { at: source.position, path: "", value: { [field]: value }, add: true, first: true, source };
}

/** Replaces a pin that names another object. */
export function replacePin<D extends Declaration>(source: D, field: string, value: string | number): Edit<D> {
  return { at: source.position, path: `/${field}`, value, source };
}
