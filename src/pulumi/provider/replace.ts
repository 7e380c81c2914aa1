/**
 * Replaces an object when the engine asks for its delete.
 *
 * Premise: the engine replaces by a delete and then a create. If the service refused that create, there would be no object at
 * all. Most objects may exist twice for a moment, so their replacement can be created first, as on the command line.
 * Algorithm: create the new object in the state in which a duplicate does no harm, verify it, and remove the old one. The create
 * that the engine asks for next finds the new object, and sets the rest. Where only one object may exist, or a value is not known
 * yet, the engine's own order has to do.
 */
import { scopeType } from "../../kinds/registry.ts";
import { hasUnknown } from "../properties/check.ts";
import { parseDeclared, type DeclaredResource } from "../properties/properties.ts";
import { failureReason, refusalReason } from "./errors.ts";
import { readScopeWith } from "./scope-read.ts";
import { applyRequest, planRequest, runSerially } from "./plan-and-apply.ts";
import type { StoredObject } from "./calls.ts";
import type { ProviderSession } from "./session.ts";

/**
 * Replaces an object by one for the resource that follows it.
 *
 * @returns the id of the new object; undefined if nothing was done
 * @throws Error if the replace is refused, or did not come to its end. The old object may still be there.
 */
export async function replace(
  session: ProviderSession,
  { kind, id, props }: StoredObject,
  next: DeclaredResource,
): Promise<string | undefined> {
  const declared = parseDeclared(kind, props);
  // A resource that depends on another replaced one is deleted before its new inputs are known.
  if (kind.writes.onePerKey === true || next.scope !== declared.scope || hasUnknown(next.values)) return undefined;
  return runSerially(session, next, async () => {
    const request = { declared: inHarmlessState(next), id, lifecycle: {} };
    const { world } = await readScopeWith(session, declared, id);
    const plan = planRequest(session, await session.journal.withoutReplacements(world, id), request);
    if (plan.changes[0]?.action !== "replace") return undefined;
    const refused = refusalReason(plan, "");
    if (refused !== undefined) throw new Error(refused);
    const { outcome } = await applyRequest(session, plan, world, request);
    const problem = failureReason(outcome);
    if (problem !== undefined) throw new Error(problem);
    return outcome.id ?? undefined;
  });
}

/** The resource in the state in which a duplicate of its object does no harm: a run may end before the engine knows the object. */
function inHarmlessState(declared: DeclaredResource): DeclaredResource {
  const { transition } = declared.kind.writes.target(scopeType(declared.scope), { id: "" });
  if (transition === undefined) return declared;
  return { ...declared, values: { ...declared.values, [transition.field]: true } };
}
