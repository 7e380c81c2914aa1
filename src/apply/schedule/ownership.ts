import { kinds } from "../../kinds/registry.ts";
import type { KindName } from "../../model/kind-name.ts";
import type { Plan } from "../../model/plan.ts";

/** Which object is which change's. Kinds of one space share ids, and their lists overlap. */
export interface Ownership {
  readonly claim: (address: string, kind: KindName, id: string) => void;
  /** The address that has an object. */
  readonly ownerOf: (kind: KindName, id: string) => string | undefined;
}

/** The claims of a plan, to which those of the objects that are created are added. */
export function createOwnership(plan: Plan): Ownership {
  const owners = new Map<string, string>();
  const keyOf = (kind: KindName, id: string): string => `${kinds[kind].idSpace} ${id}`;
  for (const { address, kind, id } of plan.changes) if (id !== null) owners.set(keyOf(kind, id), address);
  return {
    claim: (address, kind, id) => void owners.set(keyOf(kind, id), address),
    ownerOf: (kind, id) => owners.get(keyOf(kind, id)),
  };
}
