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
import { asText } from "../../kinds/keys.ts";
import type { LiveObject } from "../../model/live.ts";
import { parseDeclared, MARK, type DeclaredResource, type Properties } from "../properties/properties.ts";

/** A create that has not ended well, and the object that it was about. */
interface Attempt {
  readonly id: string;
  /** The properties with the mark that it has given the object. */
  readonly props: Properties;
  /** Whether the object belongs to the resource by now. */
  readonly isMade: boolean;
}

/** Who has an object: a resource that is to get another one, or any other resource of the stack. */
export type Owner = "replaced" | "another";

/** What this run knows of an object. */
class KnownObject {
  /** The marks of the resources that own it. */
  readonly marks = new Set<string>();
  /** The resources that have adopted it. */
  readonly adoptedBy = new Set<string>();
  isDeleted = false;
  isToBeReplaced = false;
  /** The resource whose object will replace it. */
  replacement: DeclaredResource | undefined;
}

/** What this run knows of a natural key. */
class KnownKey {
  /** Whether the engine has compared a resource that has it. */
  isCompared = false;
  /** The object that was deleted, as it was. */
  deleted: LiveObject | undefined;
  /** The id of the object that was created before the engine asked for it. */
  createdId: string | undefined;
}

export class ObjectOwners {
  readonly #kind: Kind;
  /** By resource. The engine asks for a failed create again if the program has an `onError` hook. */
  readonly #attempts = new Map<string, Attempt>();
  readonly #objects = new Map<string, KnownObject>();
  readonly #keys = new Map<string, KnownKey>();

  constructor(kind: Kind) {
    this.#kind = kind;
  }

  /** Records that a declared resource owns the object. `urn` is the resource, if it has just adopted the object. */
  claim(id: string, props: Properties, urn = ""): void {
    const object = this.#object(id, props);
    if (urn !== "") object.adoptedBy.add(urn);
    object.marks.add(markOf(props));
    object.isDeleted = false;
  }

  /** Records what a create is about to do, or has done. Undefined once it has ended well. */
  noteAttempt(resource: string, attempt: Attempt | undefined): void {
    if (attempt === undefined) this.#attempts.delete(resource);
    else this.#attempts.set(resource, attempt);
  }

  /**
   * Takes back what an earlier create of the same resource has claimed. Returns the id of its object if that belongs to the
   * resource.
   */
  resumeAttempt(resource: string, urn: string): string | undefined {
    const attempt = this.#attempts.get(resource);
    if (attempt === undefined) return undefined;
    this.#attempts.delete(resource);
    const { id, props, isMade } = attempt;
    const { marks, adoptedBy } = this.#object(id, props);
    marks.delete(markOf(props));
    adoptedBy.delete(urn);
    return isMade ? id : undefined;
  }

  ownerOf(id: string, props: Properties): Owner | undefined {
    const { isToBeReplaced, marks } = this.#object(id, props);
    if (isToBeReplaced) return "replaced";
    return marks.size > 0 ? "another" : undefined;
  }

  /** Whether a resource other than the one with these properties owns the object. */
  isOwnedByAnother(id: string, props: Properties): boolean {
    const own = markOf(props);
    return own !== "" && [...this.#object(id, props).marks].some((mark) => mark !== own);
  }

  /** Whether a resource has adopted the object in this run. The process of dynamic providers does not know a URN. */
  isAdoptedBy(id: string, props: Properties, urn: string): boolean {
    return this.#object(id, props).adoptedBy.has(urn);
  }

  /** Called by diff. Remembers what will replace the object if it is deleted in this run. */
  noteReplacement(id: string, olds: Properties, declared: DeclaredResource): void {
    this.#object(id, olds).replacement = declared;
    this.#key(declared).isCompared = true;
  }

  /** Called by diff if the resource differs from its object so that the object has to be replaced. */
  markToBeReplaced(id: string, props: Properties): void {
    this.#object(id, props).isToBeReplaced = true;
  }

  /** The resource whose object will replace that one; undefined if none will. */
  replacementOf(id: string, props: Properties): DeclaredResource | undefined {
    return this.#object(id, props).replacement;
  }

  /** Whether the engine has compared a resource with the same natural key, so that a create may replace its object. */
  isReplacing(declared: DeclaredResource): boolean {
    return this.#key(declared).isCompared;
  }

  /** Records that the object was deleted. It has no owner any more. `before` is the object as it was. */
  recordDelete(id: string, props: Properties, before: LiveObject | undefined): void {
    this.#forget(id, props);
    const [name] = before?.keys ?? [];
    if (name !== undefined) this.#key(parseDeclared(this.#kind, props), name).deleted = before;
  }

  /** The object with the same natural key that was deleted in this run: a replace deletes it before it creates the new one. */
  takeDeleted(declared: DeclaredResource): LiveObject | undefined {
    const key = this.#key(declared);
    const { deleted } = key;
    key.deleted = undefined;
    return deleted;
  }

  wasDeleted(id: string, props: Properties): boolean {
    return this.#object(id, props).isDeleted;
  }

  /** Records the object that was created in this run to replace another one, which is removed. */
  recordReplacement(id: string, props: Properties, declared: DeclaredResource, createdId: string): void {
    this.#forget(id, props);
    this.#key(declared).createdId = createdId;
  }

  /** The object that was created in this run for a resource before the engine asked for its create. */
  takeReplacement(declared: DeclaredResource): string | undefined {
    const key = this.#key(declared);
    const { createdId } = key;
    key.createdId = undefined;
    return createdId;
  }

  #forget(id: string, props: Properties): void {
    const object = this.#object(id, props);
    object.marks.clear();
    object.isToBeReplaced = false;
    object.isDeleted = true;
  }

  /** A person has one id in all organizations. An object that two routes reach has one id on both. */
  #object(id: string, props: Properties): KnownObject {
    const own = id.toLowerCase();
    const isShared = this.#kind.scopes.length > 1;
    return recordIn(this.#objects, isShared ? own : `${parseDeclared(this.#kind, props).scope}\n${own}`, KnownObject);
  }

  #key({ scope, values, name }: DeclaredResource, key = this.#kind.identity.declaredKeys(values, name)[0]): KnownKey {
    return recordIn(this.#keys, `${scope}\n${key ?? ""}`, KnownKey);
  }
}

function recordIn<T>(records: Map<string, T>, key: string, Empty: new () => T): T {
  const found = records.get(key) ?? new Empty();
  records.set(key, found);
  return found;
}

function markOf(props: Properties): string {
  return asText(props[MARK]) ?? "";
}
