/** Domains that nothing declares and by which people come in, where domains, owners or admins are declared. */
import { command } from "../../model/command.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { JsonObject } from "../../model/json/json.ts";
import { filterKeys } from "../../model/json/object.ts";
import { isSelected, type Plan, undeclaredAddress } from "../../model/plan.ts";
import { visible } from "../../model/text/quote.ts";
import type { DesiredGraph } from "../../model/resource.ts";
import { guardsSignIn, isSet, JOINING, SHUTTING } from "../entrances.ts";
import { declaredDomains } from "./own-domains.ts";
import { scopesWithRights } from "./undeclared-rights.ts";

/** What has to be known of a domain that nothing declares: how its people come in. Undefined if they do not by it. */
export function entranceOf(values: JsonObject): JsonObject | undefined {
  if (!guardsSignIn({ kind: "domain", values }, {})) return undefined;
  return filterKeys(
    values,
    (field) => (field === JOINING && values[field] === true) || (field === SHUTTING && isSet(values[field])),
  );
}

/** A warning for each of them, as far as the plan has read the domains. */
export function undeclaredEntrances(
  graph: DesiredGraph,
  { unmanaged, options }: Pick<Plan, "unmanaged" | "options">,
): readonly Diagnostic[] {
  const scopes = scopesWithRights(graph);
  return unmanaged.flatMap(({ kind, scope, id, key, about }): readonly Diagnostic[] => {
    const address = undeclaredAddress({ kind, scope, id });
    const isOurs = scopes.has(scope) || declaredDomains(graph, scope).length > 0;
    if (kind !== "domain" || about === undefined || !isOurs || !isSelected(address, options.only)) return [];
    const isJoined = about.some(({ path }) => path === `/${JOINING}`);
    const does = isJoined ? "lets its people join" : "decides how its people sign in";
    const message = `${visible(key ?? id)} is not declared, is verified, and ${does}`;
    const hint =
      "With exclusive: [domains], drift counts such a domain as a difference. To declare it (with lifecycle.state: absent if it is to go):";
    const words = command("import", { only: address });
    return [{ severity: "warning", code: "undeclared_entrance", message, hint, command: words, address }];
  });
}
