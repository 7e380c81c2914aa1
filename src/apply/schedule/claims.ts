import { kinds } from "../../kinds/registry.ts";
import type { KindName } from "../../model/kind-name.ts";
import type { Plan } from "../../model/plan.ts";

/** Records which change owns which object. */
export interface Claims {
  readonly claim: (address: string, kind: KindName, id: string) => void;
  /** Address of the change that owns an object. */
  readonly ownerOf: (kind: KindName, id: string) => string | undefined;
}

/** Starts with the objects of a plan; objects that are created are claimed later. */
export function createClaims(plan: Plan): Claims {
  const owners = new Map<string, string>();
  for (const { address, kind, id } of plan.changes) if (id !== null) owners.set(ownedKey({ kind, id }), address);
  return {
    claim: (address, kind, id) => void owners.set(ownedKey({ kind, id }), address),
    ownerOf: (kind, id) => owners.get(ownedKey({ kind, id })),
  };
}

/**
 * Identifies an object that has an id: kinds of one id space share ids, and an object may appear in the lists of several scopes. The
 * planner also needs the natural key (`claimKey` of src/plan/match.ts).
 */
export function ownedKey({ kind, id }: { readonly kind: KindName; readonly id: string }): string {
  return `${kinds[kind].identity.idSpace} ${id}`;
}
