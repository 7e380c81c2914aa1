/** Objects that keep people out unless there is a way in, and what opens one: before and after a change. */
import { isReady, type Change } from "../model/change.ts";
import type { ValueObject } from "../model/json.ts";
import type { Entrance } from "./kind-parts.ts";
import { kinds } from "./registry.ts";

/** The values of the object of a change after it; undefined if there is no object then. */
export function valuesAfter({ action, work }: Change): ValueObject | undefined {
  if (action === "delete" || work === null) return undefined;
  // A replacement has a body of its own, and another id.
  return action === "replace" ? work.body : { ...work.live?.values, ...work.body };
}

/** The way in that the object of a change needs from then on; undefined if it needs none, or needed it before. */
export function entranceNeeded(change: Change): Entrance | undefined {
  const { entrance } = kinds[change.kind];
  const after = isReady(change) ? valuesAfter(change) : undefined;
  const { live } = change.work ?? {};
  const isNew = after !== undefined && entrance?.isNeeded(after) === true;
  return isNew && !(live !== undefined && entrance.isNeeded(live.values)) ? entrance : undefined;
}

/** The id of the object of a change after it; undefined if it gets a new one. */
export function idAfter({ action, work }: Change): string | undefined {
  return action === "replace" ? undefined : work?.live?.id;
}

/** Whether an object with these values opens the way to the object with this id. */
export function opens(entrance: Entrance, values: ValueObject | undefined, id: string | undefined): boolean {
  const opened = values === undefined ? [] : entrance.opened(values);
  return opened === "all" || (id !== undefined && opened.includes(id.toLowerCase()));
}

/** Whether a change is to open the way to the object of another one. A replacement lives only after everything else. */
export function willOpen(entrance: Entrance, opener: Change, closing: Change): boolean {
  const isFirst = opener.action === "create" || opener.action === "update";
  const isNear = opener.kind === entrance.openedBy && opener.work?.scope === closing.work?.scope;
  return isNear && isFirst && isReady(opener) && opens(entrance, valuesAfter(opener), idAfter(closing));
}
