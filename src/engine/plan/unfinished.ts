/** What earlier runs on this machine have begun and not finished, as a plan takes it in. */
import { candidatesOf, hideUnfinished } from "../../apply/journal/intent-objects.ts";
import { isSameCreate, type OpenIntent } from "../../apply/journal/intents.ts";
import type { PriorRunState } from "../../apply/journal/records.ts";
import type { World } from "../../kinds/world.ts";
import type { Change } from "../../model/change.ts";
import { scopePathAt, type LiveWorld } from "../../model/live.ts";
import type { PlanPurpose } from "../../model/plan.ts";
import { makePlan, type MatchedPlan } from "../../plan/make-plan.ts";
import type { EngineInput } from "../context.ts";
import type { StoredState } from "../state/state-files.ts";
import { resumeReplaces } from "./resume-replace.ts";

/** A plan, and the live state that it was made from. */
export interface PlanOfWorld extends MatchedPlan {
  readonly world: World;
}

/** What a plan is made of, and when: all rounds of a plan are of one time. Milliseconds since 1970. */
export type DatedInput = EngineInput & { readonly now: number };

/**
 * Makes the plan that finishes unfinished replaces. If the old object still exists, the new one is hidden, so the plan is to
 * replace, and apply finds the new object. If the configuration no longer asks for such a replace, both objects are visible to
 * the plan. If the old object is gone already, its values are kept by the create.
 */
export function planUnfinished(
  { config, client, options, now }: DatedInput,
  prior: PriorRunState,
  listed: World,
): PlanOfWorld {
  const ofService = prior.intents.filter(({ url }) => url === client.url);
  const unfinished = ofService.filter(({ removed }) => removed === undefined);
  const situation = { url: client.url, now };
  const planOf = (world: World): PlanOfWorld => {
    const { plan, matches } = makePlan(config.graph, world, options);
    const changes = plan.changes.map((change) => withBegun(change, unfinished, listed));
    return { plan: resumeReplaces({ ...plan, changes }, ofService, world), matches, world };
  };
  if (unfinished.length === 0) return planOf(listed);
  const hidden = planOf(hideUnfinished(listed, unfinished, situation));
  const stillWanted = unfinished.filter((intent) =>
    hidden.plan.changes.some((change) => finishes(change, intent, listed.scopes)),
  );
  if (stillWanted.length === unfinished.length) return hidden;
  return planOf(hideUnfinished(listed, stillWanted, situation));
}

/** Whether a change goes on with what an earlier run began. */
function finishes({ action, kind, id, work }: Change, intent: OpenIntent, scopes: LiveWorld["scopes"]): boolean {
  if (action === "replace") return kind === intent.kind && id === intent.replaces;
  const isSame = { url: intent.url, kind, scope: scopePathAt(scopes, work?.scope ?? ""), key: work?.key ?? "" };
  return action === "create" && isSameCreate(intent, isSame);
}

/** A create that an earlier run has begun says which object may be its own. */
function withBegun(change: Change, intents: readonly OpenIntent[], listed: LiveWorld): Change {
  if (change.action !== "create") return change;
  const begun = intents.filter((intent) => finishes(change, intent, listed.scopes));
  const [candidate] = begun.flatMap((intent) => candidatesOf(listed, intent));
  if (candidate === undefined) return change;
  const reason = `${change.reason}; an earlier run may have created id ${candidate.id}, or another run may have: apply finds out`;
  return { ...change, reason };
}

/** Without the unanswered creates for a drift: it shows every object, even if only an apply can find out which run created it. */
export function withoutUnanswered(prior: StoredState, purpose: PlanPurpose): StoredState {
  const isKept = ({ made, replaces, carried }: OpenIntent): boolean => (made ?? replaces ?? carried) !== undefined;
  return purpose === "plan" ? prior : { ...prior, intents: prior.intents.filter(isKept) };
}
