/** What the service still has of a resource that was taken out of the files. Pure. */
import { hasId, type LiveList, type LiveObject } from "../model/live.ts";
import type { DesiredGraph, Resource } from "../model/resource.ts";
import { isMember } from "./people/people.ts";
import { declaredKeys, isPerson, shareIds } from "./registry.ts";

/** What the files declare in the place of a former resource, under its address or another one. */
export function successorOf(former: Resource, { resources, projects }: DesiredGraph): Resource | undefined {
  const hasScope = former.scope === "" || [...resources, ...projects].some(({ address }) => address === former.scope);
  return resources.find((now) => {
    if (now.address === former.address) return true;
    if (!shareIds(now.kind, former.kind)) return false;
    if (samePin(now, former)) return true;
    if (hasScope && now.scope !== former.scope) return false;
    const { renamed_from: from } = now.lifecycle;
    return (
      from === former.name ||
      from === former.address ||
      declaredKeys(now).some((key) => declaredKeys(former).includes(key))
    );
  });
}

function samePin({ pin: a }: Resource, { pin: b }: Resource): boolean {
  return a !== undefined && b !== undefined && a.field === b.field && a.value.toLowerCase() === b.value.toLowerCase();
}

/** The live object of a former resource, `none` if there is none, or `unread`. @param isWhole whether every object was listed */
export function liveOf(former: Resource, list: LiveList | undefined, isWhole: boolean): LiveObject | "none" | "unread" {
  const { pin } = former;
  const found = (list?.objects ?? []).find((live) => {
    const { pins, keys, state } = live;
    if (state === "deleted" || state === "placeholder") return false;
    // Of an object that nothing declares, only the id and the keys are kept.
    const isKnown = pin?.field === "id" || Object.keys(pins).length > 0;
    if (pin !== undefined && isKnown) return hasId(live, pin.value);
    return declaredKeys(former).some((key) => keys.includes(key));
  });
  return found ?? (list?.status === "known" && isWhole ? "none" : "unread");
}

/** The e-mail addresses for which a former resource stood; none if it was no person. */
export function formerPeople(former: Resource): readonly string[] {
  return isPerson(former.kind) ? declaredKeys(former) : [];
}

/** What has become of the object, in words. */
export function staysText(former: Resource, live: LiveObject | "unread"): string {
  const noun = former.kind.replaceAll("_", " ");
  if (live === "unread") return `its list was not read, so the ${noun} may still be there`;
  if (!isPerson(former.kind)) return `the ${noun} is still there`;
  return isMember(live) ? "the person stays a member" : "the invite is still there";
}
