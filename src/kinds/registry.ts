import { kindNames } from "../model/kind-name.ts";
import { kinds } from "./all-kinds.ts";
import type { Kind, ScopeType } from "./kind.ts";

export { kinds };

/** Every kind, parents before children. */
export const allKinds: readonly Kind[] = kindNames.map((name) => kinds[name]);

/** The kind that is declared under a key of an organization or of a project. */
export function kindOfCollection(scope: ScopeType, collection: string): Kind | undefined {
  return allKinds.find((kind) => kind.collection === collection && kind.scopes.includes(scope));
}
