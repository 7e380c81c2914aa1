import { kinds } from "../kinds/registry.ts";
import type { Change } from "../model/change.ts";

/** What the user of a deployed server has to do before a change, if anything. */
export function stepBeforeUpdate({ action, kind, work }: Change): string | undefined {
  const step = work?.live && kinds[kind].writes.stepBeforeUpdate?.(work.body, work.live.values);
  return action === "update" ? step : undefined;
}
