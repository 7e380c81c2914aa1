import type { Kind } from "../../kinds/kind.ts";
import { gapAt, scopeType } from "../../kinds/registry.ts";
import { isPresent } from "../../model/live.ts";
import { parseDeclared, type Properties } from "../properties/properties.ts";
import { lookUpOwnList, withOrganizations } from "./lookup.ts";
import type { ListedObject } from "./provider.ts";
import type { ReadSession } from "./session.ts";

/**
 * All objects of a kind in one place, from the list that a refresh reads. Each has the id that an import takes there.
 *
 * @throws Error if the place is missing or cannot hold such objects, or if the key's user may not see all of them: one that is
 * not listed may exist
 */
export async function list(session: ReadSession, kind: Kind, place: Properties): Promise<readonly ListedObject[]> {
  const declared = parseDeclared(kind, place);
  if (!kind.scopes.includes(scopeType(declared.scope)))
    throw new Error(`a list of ${kind.name} needs ${kind.scopes.map((scope) => `${scope}Id`).join(" or ")}`);
  const live = await lookUpOwnList(session, declared);
  const gap = gapAt(await withOrganizations(session, kind, live), declared.scope, kind.name);
  if (gap !== undefined) throw new Error(`the list of ${kind.name} is not complete: ${gap}`);
  return live.objects.filter(isPresent).map(({ id, keys: [key], values: { name } }) => ({
    id: kind.keyedBy === undefined ? id : (key ?? id),
    name: typeof name === "string" && name !== "" ? name : (key ?? id),
  }));
}
