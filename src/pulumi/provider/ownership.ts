/**
 * Which objects the resources of this run stand for.
 *
 * Premise: the engine tells a provider ids and never names. A resource that is called otherwise is to it a new one, which takes
 * over what is there, and an old one, which is deleted at the end of this run, or of the next one if this one fails: both of the
 * same object, which nobody wanted to lose.
 * Form: every resource gets a mark when it is created, which its state keeps. So two resources of one object differ in their
 * marks, and what one of them holds is not deleted in the name of the other. What has no mark is as it always was.
 */
import type { Kind } from "../../kinds/kind.ts";
import { text } from "../../kinds/helpers.ts";
import { declaredOf, MARK, type Properties } from "../properties/properties.ts";

export interface Ownership {
  /** A resource that the program declares stands for the object. */
  readonly hold: (id: string, props: Properties) => void;
  /** The object is deleted: nobody holds it any more. */
  readonly release: (id: string, props: Properties) => void;
  readonly isHeld: (id: string, props: Properties) => boolean;
  /** Whether a resource holds it that is not the one with these properties. */
  readonly isHeldByAnother: (id: string, props: Properties) => boolean;
  /** Whether it was deleted in this run. */
  readonly isReleased: (id: string, props: Properties) => boolean;
}

export function createOwnership(kind: Kind): Ownership {
  const marks = new Map<string, Set<string>>();
  const released = new Set<string>();
  // People have one id in all organizations; what is reached by two routes has one id on both.
  const place = (id: string, props: Properties): string =>
    kind.scopes.length > 1 ? id.toLowerCase() : `${declaredOf(kind, props).scope}\n${id.toLowerCase()}`;
  const at = (id: string, props: Properties): ReadonlySet<string> => marks.get(place(id, props)) ?? new Set();
  return {
    hold: (id, props) => {
      marks.set(place(id, props), new Set([...at(id, props), markOf(props)]));
      released.delete(place(id, props));
    },
    release: (id, props) => {
      marks.delete(place(id, props));
      released.add(place(id, props));
    },
    isHeld: (id, props) => at(id, props).size > 0,
    isHeldByAnother: (id, props) => markOf(props) !== "" && [...at(id, props)].some((mark) => mark !== markOf(props)),
    isReleased: (id, props) => released.has(place(id, props)),
  };
}

function markOf(props: Properties): string {
  return text(props[MARK]) ?? "";
}
