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
  /** Records that a declared resource owns the object. `urn` is the resource, if it has just adopted the object. */
  readonly claim: (id: string, props: Properties, urn?: string) => void;
  /** Whether a resource has adopted the object in this run. The process of dynamic providers does not know a URN. */
  readonly isAdoptedBy: (id: string, props: Properties, urn: string) => boolean;
  /** Records that the engine compares a resource with the program: if its object is deleted in this run, another one follows. */
  readonly expect: (id: string, olds: Properties, news: Properties, replaces: boolean) => void;
  /** Whether the object differs from its resource so that it has to be replaced. */
  readonly isToBeReplaced: (id: string, props: Properties) => boolean;
  /** The resource whose object is to follow that one; undefined if none is. */
  readonly successorOf: (id: string, props: Properties) => DeclaredResource | undefined;
  /** Whether the engine has compared a resource with the same natural key. */
  readonly isExpected: (declared: DeclaredResource) => boolean;
  /** Records that the object was deleted. It has no owner any more. `before` is the object as it was. */
  readonly recordDelete: (id: string, props: Properties, before: LiveObject | undefined) => void;
  /** The object with the same natural key that was deleted in this run: a replace deletes it before it creates the new one. */
  readonly takeReplaced: (declared: DeclaredResource) => LiveObject | undefined;
  /** Records the object that was created in this run to replace another one, which is removed. */
  readonly recordReplacement: (id: string, props: Properties, next: DeclaredResource, made: string) => void;
  /** The object that was created in this run for a resource before the engine asked for its create. */
  readonly takeReplacement: (declared: DeclaredResource) => string | undefined;
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
  const replacements = new Map<string, string>();
  const successors = new Map<string, DeclaredResource>();
  const expected = new Set<string>();
  const toBeReplaced = new Set<string>();
  const adopters = new Set<string>();
  // A person has one id in all organizations. An object that two routes reach has one id on both.
  const key = (id: string, props: Properties): string =>
    kind.scopes.length > 1 ? id.toLowerCase() : `${parseDeclared(kind, props).scope}\n${id.toLowerCase()}`;
  const marksOf = (id: string, props: Properties): ReadonlySet<string> => marks.get(key(id, props)) ?? new Set();
  const keyOf = ({ scope, values, name }: DeclaredResource): string =>
    `${scope}\n${kind.declaredKeys(values, name)[0] ?? ""}`;
  const forget = (id: string, props: Properties): void => {
    marks.delete(key(id, props));
    toBeReplaced.delete(key(id, props));
    deleted.add(key(id, props));
  };
  return {
    expect: (id, olds, news, replaces) => {
      const declared = parseDeclared(kind, news);
      if (replaces) toBeReplaced.add(key(id, olds));
      successors.set(key(id, olds), declared);
      expected.add(keyOf(declared));
    },
    successorOf: (id, props) => successors.get(key(id, props)),
    isExpected: (declared) => expected.has(keyOf(declared)),
    isToBeReplaced: (id, props) => toBeReplaced.has(key(id, props)),
    isAdoptedBy: (id, props, urn) => adopters.has(`${urn}\n${key(id, props)}`),
    claim: (id, props, urn = "") => {
      if (urn !== "") adopters.add(`${urn}\n${key(id, props)}`);
      marks.set(key(id, props), new Set([...marksOf(id, props), markOf(props)]));
      deleted.delete(key(id, props));
    },
    recordDelete: (id, props, before) => {
      forget(id, props);
      if (before?.keys[0] !== undefined) replaced.set(`${parseDeclared(kind, props).scope}\n${before.keys[0]}`, before);
    },
    takeReplaced: (declared) => {
      const before = replaced.get(keyOf(declared));
      replaced.delete(keyOf(declared));
      return before;
    },
    recordReplacement: (id, props, next, made) => {
      forget(id, props);
      replacements.set(keyOf(next), made);
    },
    takeReplacement: (declared) => {
      const made = replacements.get(keyOf(declared));
      replacements.delete(keyOf(declared));
      return made;
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
