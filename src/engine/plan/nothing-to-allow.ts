/** The warning about an `--allow-loss` that lifts nothing. */
import type { Change } from "../../model/change.ts";
import { type Diagnostic, warningAt } from "../../model/diagnostic.ts";
import type { DesiredGraph } from "../../model/resource.ts";
import { isLoss } from "../../model/rules.ts";

/** A user who allows a loss must learn if that lifts nothing. What is unknown ends the run. @param losses the addresses */
export function nothingToAllow(
  { resources }: DesiredGraph,
  changes: readonly Change[],
  losses: readonly string[] = [],
): readonly Diagnostic[] {
  return losses.flatMap((address) => {
    const isAt = (one: { readonly address: string }): boolean => one.address === address;
    const [resource, change] = [resources.find(isAt), changes.find(isAt)];
    if ((resource === undefined && change === undefined) || isLoss(change?.blocked ?? null)) return [];
    const message = "--allow-loss lifts nothing here: no loss is blocked";
    return [warningAt({ address, position: resource?.position }, { code: "nothing_to_allow", message })];
  });
}
