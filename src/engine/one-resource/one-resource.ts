/**
 * One resource at a time, for callers that keep their own state, such as Pulumi: the same plan and writes as for a whole
 * configuration, and the guards that need no request of their own.
 */
import { createSharedReads, type CreateInFlight } from "../../apply/other-runs/shared-reads.ts";
import { executePlan } from "../../apply/execute-plan.ts";
import { settleTime, type ApplyContext } from "../../apply/run-state.ts";
import type { Secret } from "../../model/json/json.ts";
import type { LiveWorld } from "../../model/live.ts";
import type { Outcome } from "../../model/outcome.ts";
import type { Plan } from "../../model/plan.ts";
import type { Resource } from "../../model/resource.ts";
import { applyOverrides } from "../../plan/guard/override.ts";
import { makePlan } from "../../plan/make-plan.ts";

export { createSharedReads, type CreateInFlight };

/** What a plan of one resource takes into account besides the resource and the live state. */
export interface ResourceOptions {
  /** Sends again what the service does not give back. */
  readonly rotate?: boolean | undefined;
  /** E-mail of the user whose key is used; rules protect that user. */
  readonly self?: string | undefined;
  /** Name of the organization that may be deleted. */
  readonly confirmDelete?: string | undefined;
}

/** Plans one resource. Limits on removals do not apply: the caller's own confirmation takes their place. */
export function planOneResource(
  resource: Resource,
  world: LiveWorld,
  { rotate, self, confirmDelete }: ResourceOptions,
): Plan {
  const graph = { resources: [resource], projects: [], exclusive: [], service: { self } };
  const options = { prune: false, only: [], rotate: rotate === true ? [resource.address] : [] };
  const { plan } = makePlan(graph, world, options, () => []);
  return applyOverrides(plan, { approved: true, organizations: confirmDelete === undefined ? [] : [confirmDelete] });
}

/** What applying one resource needs. The values of secrets are in the resource itself. */
export interface ResourceContext extends Pick<
  ApplyContext,
  "client" | "journal" | "clock" | "signal" | "circuits" | "onWait" | "otherRuns"
> {
  /** How long an unanswered create may still take effect, as a user says it. Seconds. */
  readonly settleAfter: number | undefined;
}

/** Writes a plan of one resource. Never throws for what the service answers. */
export async function applyOneResource(plan: Plan, world: LiveWorld, context: ResourceContext): Promise<Outcome> {
  const settleAfterMs = settleTime(context.settleAfter);
  const applying = { ...context, settleAfterMs, world, secrets: ({ expression }: Secret) => expression };
  const [outcome] = await executePlan(plan, applying);
  if (outcome === undefined) throw new Error("a plan of one resource has no outcome; this is a defect");
  return outcome;
}
