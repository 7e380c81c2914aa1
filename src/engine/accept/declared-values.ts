import { convertedParts } from "../../diff/conversion.ts";
import { kinds } from "../../kinds/registry.ts";
import type { Change } from "../../model/change.ts";
import type { ValueObject } from "../../model/json/json.ts";
import type { PlannedRun } from "../plan/plan-config.ts";

/** What the configuration itself declares. The plan of a replace adds live values to it. */
export function declaredValues({ input }: PlannedRun, { address }: Change): ValueObject {
  return input.config.graph.resources.find((one) => one.address === address)?.values ?? {};
}

/** Whether the service has converted what a change is about. */
export function isConverted(run: PlannedRun, change: Change): boolean {
  const { kind, work } = change;
  if (kinds[kind].comparison?.asConverted === undefined) return false;
  return convertedParts(kinds[kind], declaredValues(run, change), work?.live?.values ?? {}).length > 0;
}
