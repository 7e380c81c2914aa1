import { kinds } from "../../kinds/registry.ts";
import type { Change } from "../../model/change.ts";
import type { Plan } from "../../model/plan.ts";
import { withChanges } from "../summarize.ts";

/** Shows an expired object that apply leaves alone as a replace that is blocked: it is not as declared. */
export function blockExpired(plan: Plan): Plan {
  const changes = plan.changes.map((change): Change => {
    const { action, kind, work } = change;
    const remedy = kinds[kind].expiry?.remedy;
    const isLeft = action === "no_op" && work?.live?.state === "expired" && work.resource?.lifecycle.forget !== true;
    return isLeft && remedy !== undefined
      ? { ...change, action: "replace", blocked: { rule: "expired", remedy } }
      : change;
  });
  return withChanges(plan, changes);
}
