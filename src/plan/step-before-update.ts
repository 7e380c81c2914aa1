import { kinds } from "../kinds/registry.ts";
import type { Change } from "../model/change.ts";

/** Whether the user of a deployed server has to do something before a change. */
export function hasFirstStep({ action, kind, work }: Change): boolean {
  return (
    action === "update" &&
    work?.live !== undefined &&
    kinds[kind].writes.firstStep?.(work.live, {}, work.body) !== undefined
  );
}

/** What of a created object can be set only later, if anything. */
export function waitsAfterCreate({ action, kind, work }: Change): string | undefined {
  return action === "create" || action === "replace"
    ? kinds[kind].writes.waitsAfterCreate?.(work?.body ?? {})
    : undefined;
}
