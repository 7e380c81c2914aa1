import { SHUTTING, shutsOut } from "../../kinds/entrances.ts";
import type { Change } from "../../model/change.ts";
import type { ValueObject } from "../../model/json/json.ts";
import { filterKeys } from "../../model/json/object.ts";

/**
 * The parts in which a change is made. A create that keeps people out first makes an object that does not: what lets them in may refer to
 * it, and has to be there before the whole is written.
 */
export function partsOf(change: Change): readonly Change[] {
  const { action, work } = change;
  if (action !== "create" || work === null || !shutsOut(change)) return [change];
  const open = (values: ValueObject): ValueObject => filterKeys(values, (field) => field !== SHUTTING);
  const resource = work.resource && { ...work.resource, values: open(work.resource.values) };
  return [{ ...change, work: { ...work, body: open(work.body), resource } }, change];
}
