import { kinds } from "../../kinds/registry.ts";
import type { KindName } from "../../model/kind-name.ts";
import type { Plan } from "../../model/plan.ts";

/** Records which change has which object. */
export interface Holders {
  readonly hold: (address: string, kind: KindName, id: string) => void;
  /** Address of the change that has an object. */
  readonly holderOf: (kind: KindName, id: string) => string | undefined;
}

/** Starts with the objects of a plan; objects that are created are added later. */
export function createHolders(plan: Plan): Holders {
  const holders = new Map<string, string>();
  for (const { address, kind, id } of plan.changes) if (id !== null) holders.set(heldKey({ kind, id }), address);
  return {
    hold: (address, kind, id) => void holders.set(heldKey({ kind, id }), address),
    holderOf: (kind, id) => holders.get(heldKey({ kind, id })),
  };
}

/**
 * Identifies an object that has an id: kinds of one id space share ids, and an object may appear in the lists of several scopes. The
 * planner also needs the natural key (`claimKey` of src/plan/match.ts).
 */
export function heldKey({ kind, id }: { readonly kind: KindName; readonly id: string }): string {
  return `${kinds[kind].identity.idSpace} ${id}`;
}
