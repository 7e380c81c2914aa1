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

export class ObjectOwners {
  readonly #kind: Kind;
  /** By resource. The engine asks for a failed create again if the program has an `onError` hook. */
  readonly #attempts = new Map<string, Attempt>();
  /** The marks of the resources that own an object. */
  readonly #marks = new Map<string, ReadonlySet<string>>();
  readonly #deleted = new Set<string>();
  /** Objects that were adopted in this run, each with its resource. */
  readonly #adopted = new Set<string>();
  /** The resource whose object will replace another one, by that one. */
  readonly #replacements = new Map<string, DeclaredResource>();
  readonly #toBeReplaced = new Set<string>();
  /** Natural keys of the resources that the engine has compared. */
  readonly #compared = new Set<string>();
  /** Deleted objects, and the ids of objects that were created before the engine asked for it, by natural key. */
  readonly #deletedByKey = new Map<string, LiveObject>();
  readonly #createdByKey = new Map<string, string>();

  constructor(kind: Kind) {
    this.#kind = kind;
  }

  /** Records that a declared resource owns the object. `urn` is the resource, if it has just adopted the object. */
  claim(id: string, props: Properties, urn = ""): void {
    const object = this.#objectKey(id, props);
    if (urn !== "") this.#adopted.add(`${urn}\n${object}`);
    this.#marks.set(object, new Set([...this.#marksOf(id, props), markOf(props)]));
    this.#deleted.delete(object);
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
    const attempt = take(this.#attempts, resource);
    if (attempt === undefined) return undefined;
    const { id, props, isMade } = attempt;
    const object = this.#objectKey(id, props);
    this.#marks.set(object, new Set([...this.#marksOf(id, props)].filter((mark) => mark !== markOf(props))));
    this.#adopted.delete(`${urn}\n${object}`);
    return isMade ? id : undefined;
  }

  ownerOf(id: string, props: Properties): Owner | undefined {
    if (this.#toBeReplaced.has(this.#objectKey(id, props))) return "replaced";
    return this.#marksOf(id, props).size > 0 ? "another" : undefined;
  }

  /** Whether a resource other than the one with these properties owns the object. */
  isOwnedByAnother(id: string, props: Properties): boolean {
    const own = markOf(props);
    return own !== "" && [...this.#marksOf(id, props)].some((mark) => mark !== own);
  }

  /** Whether a resource has adopted the object in this run. The process of dynamic providers does not know a URN. */
  isAdoptedBy(id: string, props: Properties, urn: string): boolean {
    return this.#adopted.has(`${urn}\n${this.#objectKey(id, props)}`);
  }

  /** Called by diff. Remembers what will replace the object if it is deleted in this run. */
  noteReplacement(id: string, olds: Properties, declared: DeclaredResource): void {
    this.#replacements.set(this.#objectKey(id, olds), declared);
    this.#compared.add(this.#naturalKey(declared));
  }

  /** Called by diff if the resource differs from its object so that the object has to be replaced. */
  markToBeReplaced(id: string, props: Properties): void {
    this.#toBeReplaced.add(this.#objectKey(id, props));
  }

  /** The resource whose object will replace that one; undefined if none will. */
  replacementOf(id: string, props: Properties): DeclaredResource | undefined {
    return this.#replacements.get(this.#objectKey(id, props));
  }

  /** Whether the engine has compared a resource with the same natural key, so that a create may replace its object. */
  isReplacing(declared: DeclaredResource): boolean {
    return this.#compared.has(this.#naturalKey(declared));
  }

  /** Records that the object was deleted. It has no owner any more. `before` is the object as it was. */
  recordDelete(id: string, props: Properties, before: LiveObject | undefined): void {
    this.#forget(id, props);
    const [key] = before?.keys ?? [];
    if (before !== undefined && key !== undefined)
      this.#deletedByKey.set(`${parseDeclared(this.#kind, props).scope}\n${key}`, before);
  }

  /** The object with the same natural key that was deleted in this run: a replace deletes it before it creates the new one. */
  takeDeleted(declared: DeclaredResource): LiveObject | undefined {
    return take(this.#deletedByKey, this.#naturalKey(declared));
  }

  wasDeleted(id: string, props: Properties): boolean {
    return this.#deleted.has(this.#objectKey(id, props));
  }

  /** Records the object that was created in this run to replace another one, which is removed. */
  recordReplacement(id: string, props: Properties, declared: DeclaredResource, createdId: string): void {
    this.#forget(id, props);
    this.#createdByKey.set(this.#naturalKey(declared), createdId);
  }

  /** The object that was created in this run for a resource before the engine asked for its create. */
  takeReplacement(declared: DeclaredResource): string | undefined {
    return take(this.#createdByKey, this.#naturalKey(declared));
  }

  #forget(id: string, props: Properties): void {
    this.#marks.delete(this.#objectKey(id, props));
    this.#toBeReplaced.delete(this.#objectKey(id, props));
    this.#deleted.add(this.#objectKey(id, props));
  }

  #marksOf(id: string, props: Properties): ReadonlySet<string> {
    return this.#marks.get(this.#objectKey(id, props)) ?? new Set();
  }

  /** A person has one id in all organizations. An object that two routes reach has one id on both. */
  #objectKey(id: string, props: Properties): string {
    const own = id.toLowerCase();
    return this.#kind.scopes.length > 1 ? own : `${parseDeclared(this.#kind, props).scope}\n${own}`;
  }

  #naturalKey({ scope, values, name }: DeclaredResource): string {
    return `${scope}\n${this.#kind.identity.declaredKeys(values, name)[0] ?? ""}`;
  }
}

function markOf(props: Properties): string {
  return asText(props[MARK]) ?? "";
}

function take<T>(map: Map<string, T>, key: string): T | undefined {
  const value = map.get(key);
  map.delete(key);
  return value;
}
