import type { Kind } from "../../kinds/kind.ts";
import { scopesOfKind, isKeyedByEmail, gapAt, scopeType } from "../../kinds/registry.ts";
import { isPresent } from "../../model/live.ts";
import { type DeclaredResource, parseDeclared, type Properties } from "../properties/properties.ts";
import { type ScopeRead, readOwnList, withOrganizations } from "./scope-read.ts";
import type { ListedObject } from "./calls.ts";
import type { ReadSession } from "./session.ts";

/**
 * All objects of a kind in one place, from the list that a refresh reads. Each has the id that an import takes there.
 *
 * @throws Error if the place is missing or cannot hold such objects, or if the key's user may not see all of them: one that is
 * not listed may exist
 */
export async function list(session: ReadSession, kind: Kind, place: Properties): Promise<readonly ListedObject[]> {
  const live = await readComplete(session, parseDeclared(kind, place));
  return live.objects
    .filter(isPresent)
    .map(({ id, keys: [key], values: { name } }) => ({
      id: isKeyedByEmail(kind.name) ? (key ?? id) : id,
      name: typeof name === "string" && name !== "" ? name : (key ?? id),
    }));
}

/**
 * All objects of a kind in a place.
 *
 * @throws Error if the kind has no objects there, or if the key's user may not see all of them
 */
export async function readComplete(session: ReadSession, declared: DeclaredResource): Promise<ScopeRead> {
  const { kind, scope } = declared;
  if (!scopesOfKind(kind.name).includes(scopeType(scope)))
    throw new Error(
      `a list of ${kind.name} needs ${scopesOfKind(kind.name)
        .map((one) => `${one}Id`)
        .join(" or ")}`,
    );
  const live = await readOwnList(session, declared);
  const gap = gapAt(await withOrganizations(session, kind, live), scope, kind.name);
  if (gap !== undefined) throw new Error(`the list of ${kind.name} is not complete: ${gap}`);
  return live;
}
