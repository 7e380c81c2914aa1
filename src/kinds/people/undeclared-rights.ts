/** People whom nothing declares and who administer an organization whose owners or admins are declared. */
import { CODES } from "../../model/diagnostic-codes.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { isSelected, type Plan, undeclaredAddress } from "../../model/plan.ts";
import { visible } from "../../model/text/quote.ts";
import { type DesiredGraph, type Resource, scopeOf } from "../../model/resource.ts";
import type { World } from "../world.ts";
import { ownUser } from "./own-user.ts";
import { ADMIN, isPerson, levelText, rightsOf } from "./people.ts";

/**
 * A warning for each of them, also for an open invite, as far as the plan has read the people. With it a drift is a difference, and
 * nothing is written. The files name the key's own user in `service.self`.
 */
export function undeclaredRights(
  graph: Pick<DesiredGraph, "resources" | "service">,
  { unmanaged, options }: Pick<Plan, "unmanaged" | "options">,
  world: World,
): readonly Diagnostic[] {
  const self = ownUser(graph, world);
  const scopes = scopesWithRights(graph);
  return unmanaged.flatMap(({ kind, scope, id, key, about = [] }): readonly Diagnostic[] => {
    const level = about.find(({ path }) => path === "/level")?.value;
    const isHigh = level !== undefined && rightsOf(level) >= ADMIN;
    const address = undeclaredAddress({ kind, scope, id });
    if (key === self || !isPerson(kind) || !isHigh || !scopes.has(scope) || !isSelected(address, options.only))
      return [];
    const message = `${visible(key ?? id)} has the level ${levelText(level)} and is not declared`;
    const hint =
      "Declare each (import --only ADDRESS). Add lifecycle.state: absent if the person is to go, or lifecycle.forget: true to leave the person alone.";
    return [{ severity: "warning", code: CODES.undeclaredRights, message, hint, address }];
  });
}

/** The organizations whose owners or admins are declared. Files without one do not manage such people. */
export function scopesWithRights({ resources }: Pick<DesiredGraph, "resources">): ReadonlySet<string> {
  return new Set(resources.flatMap((one) => (declaresRights(one) ? scopeOf(one.address) : [])));
}

function declaresRights({ kind, values: { level } }: Resource): boolean {
  return isPerson(kind) && typeof level === "number" && level >= ADMIN;
}
