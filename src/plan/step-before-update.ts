import { kinds } from "../kinds/registry.ts";
import type { Change } from "../model/change.ts";

/** What the user of a deployed server has to do before a change, if anything. */
export function stepBeforeUpdate({ action, kind, work }: Change): string | undefined {
  const step = work?.live && kinds[kind].writes.stepBeforeUpdate?.(work.body, work.live.values);
  return action === "update" ? step : undefined;
}

/** What of a created object can be set only later, if anything. */
export function waitsAfterCreate({ action, kind, work }: Change): string | undefined {
  return action === "create" || action === "replace"
    ? kinds[kind].writes.waitsAfterCreate?.(work?.body ?? {})
    : undefined;
}
