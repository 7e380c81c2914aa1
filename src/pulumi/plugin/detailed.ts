import { propertyPath, type Properties } from "../properties/properties.ts";
import type { DiffResult } from "../provider/provider.ts";

/** How the protocol names a change of a property. A replace has the next number. */
const NUMBERS = { add: 0, delete: 2, update: 4 } as const;

/** What differs, by Pulumi's property path, as numbers of the protocol. */
export function detailedDiff(
  { changed = [], replaces = [] }: DiffResult,
  olds: Properties,
  news: Properties,
): ReadonlyMap<string, 0 | 1 | 2 | 3 | 4 | 5> {
  return new Map(
    changed.map(({ keys, action }) => {
      const isReplaced = replaces.includes(keys[0]);
      return [propertyPath(keys, action === "delete" ? olds : news), (NUMBERS[action] + (isReplaced ? 1 : 0)) as 0];
    }),
  );
}
