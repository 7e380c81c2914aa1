/** What somebody has to know of the people of a whole plan, besides what the checks say of each change. */
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Plan } from "../../model/plan.ts";
import type { DesiredGraph } from "../../model/resource.ts";
import type { World } from "../world.ts";
import { lookAlikes, namedIn, withAddressDomains } from "./look-alikes.ts";
import { wrongSelf } from "./own-user.ts";
import { undeclaredEntrances } from "./undeclared-entrances.ts";
import { undeclaredRights } from "./undeclared-rights.ts";

/** The plan with what the addresses of people say, and the warnings about people. */
export function reviewPeople(
  graph: DesiredGraph,
  plan: Plan,
  world: World,
): { readonly plan: Plan; readonly diagnostics: readonly Diagnostic[] } {
  const named = namedIn(graph, plan, world);
  return {
    plan: withAddressDomains(plan, named),
    diagnostics: [
      ...wrongSelf(graph, world),
      ...undeclaredRights(graph, plan, world),
      ...undeclaredEntrances(graph, plan),
      ...lookAlikes(named),
    ],
  };
}
