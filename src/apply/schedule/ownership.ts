import { kinds } from "../../kinds/registry.ts";
import type { KindName } from "../../model/kind-name.ts";
import type { Plan } from "../../model/plan.ts";

/** Records which change owns which object. Kinds of one id space share ids, and their lists overlap. */
export interface Ownership {
  readonly claim: (address: string, kind: KindName, id: string) => void;
  /** Address of the change that owns an object. */
  readonly ownerOf: (kind: KindName, id: string) => string | undefined;
}

/** Starts with the objects of a plan; objects that are created are claimed later. */
export function createOwnership(plan: Plan): Ownership {
  const owners = new Map<string, string>();
  const objectKey = (kind: KindName, id: string): string => `${kinds[kind].idSpace} ${id}`;
  for (const { address, kind, id } of plan.changes) if (id !== null) owners.set(objectKey(kind, id), address);
  return {
    claim: (address, kind, id) => void owners.set(objectKey(kind, id), address),
    ownerOf: (kind, id) => owners.get(objectKey(kind, id)),
  };
}
