import type { ImportCandidate } from "../../../../src/engine/import/candidates.ts";
import { addressOf } from "../../../../src/kinds/registry.ts";
import type { KindName } from "../../../../src/model/kind-name.ts";

/** An object that can be imported under a name. */
export function candidate(
  kind: KindName,
  scope: string,
  name: string,
  id: string,
  more: Partial<ImportCandidate["live"]> = {},
): ImportCandidate {
  const live = { kind, scope, id, pins: { id }, keys: [name], values: {}, onDifference: "update", ...more } as const;
  const collection = addressOf({ scope, kind });
  return { kind, scope, name, collection, address: `${collection}/${name}`, live, fields: {}, title: name };
}
