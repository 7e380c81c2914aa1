/**
 * Which resources own which objects in this run.
 *
 * Premise: the engine passes ids to a provider, but never names. A renamed resource looks like two resources: a new
 * one, which adopts the existing object, and an old one, which is deleted at the end of this run, or of the next run if
 * this one fails. Both have the same object, which must survive.
 * Algorithm: give every resource a mark when it is created, and keep it in the state. Two resources of one object have
 * different marks. An object that one resource owns is not deleted for another one. A resource without a mark is
 * deleted as usual.
 */
import type { Kind } from "../../kinds/kind.ts";
import { text } from "../../kinds/helpers.ts";
import type { LiveObject } from "../../model/live.ts";
import { parseDeclared, MARK, type DeclaredResource, type Properties } from "../properties/properties.ts";

export interface ObjectOwners {
  /** Records that a declared resource owns the object. */
  readonly claim: (id: string, props: Properties) => void;
  /** Records that the engine compares a resource with the program: if its object is deleted in this run, another one follows. */
  readonly expect: (id: string, olds: Properties, news: Properties) => void;
  /** The resource whose object is to follow that one; undefined if none is. */
  readonly successorOf: (id: string, props: Properties) => DeclaredResource | undefined;
  /** Whether the engine has compared a resource with the same natural key. */
  readonly isExpected: (declared: DeclaredResource) => boolean;
  /** Records that the object was deleted. It has no owner any more. `before` is the object as it was. */
  readonly recordDelete: (id: string, props: Properties, before: LiveObject | undefined) => void;
  /** The object with the same natural key that was deleted in this run: a replace deletes it before it creates the new one. */
  readonly takeReplaced: (declared: DeclaredResource) => LiveObject | undefined;
  /** Whether any resource owns the object. */
  readonly isOwned: (id: string, props: Properties) => boolean;
  /** Whether a resource other than the one with these properties owns the object. */
  readonly isOwnedByAnother: (id: string, props: Properties) => boolean;
  /** Whether the object was deleted in this run. */
  readonly wasDeleted: (id: string, props: Properties) => boolean;
}

export function createObjectOwners(kind: Kind): ObjectOwners {
  const marks = new Map<string, Set<string>>();
  const deleted = new Set<string>();
  const replaced = new Map<string, LiveObject>();
  const successors = new Map<string, DeclaredResource>();
  const expected = new Set<string>();
  // A person has one id in all organizations. An object that two routes reach has one id on both.
  const key = (id: string, props: Properties): string =>
    kind.scopes.length > 1 ? id.toLowerCase() : `${parseDeclared(kind, props).scope}\n${id.toLowerCase()}`;
  const marksOf = (id: string, props: Properties): ReadonlySet<string> => marks.get(key(id, props)) ?? new Set();
  const keyOf = ({ scope, values, name }: DeclaredResource): string =>
    `${scope}\n${kind.declaredKeys(values, name)[0] ?? ""}`;
  return {
    expect: (id, olds, news) => {
      const declared = parseDeclared(kind, news);
      successors.set(key(id, olds), declared);
      expected.add(keyOf(declared));
    },
    successorOf: (id, props) => successors.get(key(id, props)),
    isExpected: (declared) => expected.has(keyOf(declared)),
    claim: (id, props) => {
      marks.set(key(id, props), new Set([...marksOf(id, props), markOf(props)]));
      deleted.delete(key(id, props));
    },
    recordDelete: (id, props, before) => {
      marks.delete(key(id, props));
      deleted.add(key(id, props));
      if (before?.keys[0] !== undefined) replaced.set(`${parseDeclared(kind, props).scope}\n${before.keys[0]}`, before);
    },
    takeReplaced: (declared) => {
      const before = replaced.get(keyOf(declared));
      replaced.delete(keyOf(declared));
      return before;
    },
    isOwned: (id, props) => marksOf(id, props).size > 0,
    isOwnedByAnother: (id, props) =>
      markOf(props) !== "" && [...marksOf(id, props)].some((mark) => mark !== markOf(props)),
    wasDeleted: (id, props) => deleted.has(key(id, props)),
  };
}

function markOf(props: Properties): string {
  return text(props[MARK]) ?? "";
}
