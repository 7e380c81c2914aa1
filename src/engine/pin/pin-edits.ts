/**
 * Makes the edits that write pins into configurations: those of objects that were found by name, and those of objects that an
 * apply created.
 */
import type { Edit, EditSource } from "../../edit/edit.ts";
import type { PlannedRun } from "../plan/plan-config.ts";
import type { Resource } from "../../model/resource.ts";

type Declaration = EditSource & Pick<Resource, "position">;

/** Adds a pin before the other members of a declaration. The page of the object in the web interface stands beside it, if it is known. */
export function addPin<D extends Declaration>(
  source: D,
  field: string,
  value: string | number,
  page?: string,
): Edit<D> {
  const pin = { [field]: value };
  const comments = page === undefined ? undefined : new Map([[pin, page]]);
  return { at: source.position, path: "", value: pin, add: true, first: true, comments, source };
}

/** Replaces a pin that names another object, and the page beside it. */
export function replacePin<D extends Declaration>(
  source: D,
  field: string,
  value: string | number,
  page = "",
): Edit<D> {
  return { at: source.position, path: `/${field}`, value, page, source };
}

/** A page as a file may show it: not if it holds a secret. */
export function shownPage({ input }: Pick<PlannedRun, "input">, page: string | undefined): string | undefined {
  return page === undefined || input.context.redactor.holds(page) ? undefined : page;
}
