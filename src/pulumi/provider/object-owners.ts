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
import { scopesOfKind } from "../../kinds/registry.ts";

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
  readonly #marks = new Set<string>();
  readonly #adoptedBy = new Set<string>();
  isDeleted = false;
  isToBeReplaced = false;
  /** The resource whose object will replace it if it is deleted in this run. */
  replacement: DeclaredResource | undefined;

  /** Records that a declared resource owns it. `urn` is the resource, if it has just adopted it. */
  claim(props: Properties, urn = ""): void {
    if (urn !== "") this.#adoptedBy.add(urn);
    this.#marks.add(markOf(props));
    this.isDeleted = false;
  }

  unclaim(props: Properties, urn: string): void {
    this.#adoptedBy.delete(urn);
    this.#marks.delete(markOf(props));
  }

  /** Records that it was deleted. It has no owner any more. */
  recordDelete(): void {
    this.#marks.clear();
    this.isToBeReplaced = false;
    this.isDeleted = true;
  }

  owner(): Owner | undefined {
    if (this.isToBeReplaced) return "replaced";
    return this.#marks.size > 0 ? "another" : undefined;
  }

  /** Whether a resource other than the one with these properties owns it. */
  isOwnedByAnother(props: Properties): boolean {
    const own = markOf(props);
    return own !== "" && [...this.#marks].some((mark) => mark !== own);
  }

  /** Whether a resource has adopted it in this run. The process of dynamic providers does not know a URN. */
  isAdoptedBy(urn: string): boolean {
    return this.#adoptedBy.has(urn);
  }
}

/** What this run knows of a natural key. */
interface KnownKey {
  /** Whether the engine has compared a resource that has it, so that a create may replace the object of that one. */
  isCompared?: boolean;
  /** The object that was deleted, as it was: a replace deletes it before it creates the new one. */
  deleted?: LiveObject | undefined;
  /** The id of the object that was created before the engine asked for its create. */
  createdId?: string | undefined;
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

  /** Finds an object. A person has one id in all organizations, and an object that two routes reach one id on both. */
  object(id: string, props: Properties): KnownObject {
    const own = id.toLowerCase();
    const isShared = scopesOfKind(this.#kind.name).length > 1;
    const key = isShared ? own : `${parseDeclared(this.#kind, props).scope}\n${own}`;
    const object = this.#objects.get(key) ?? new KnownObject();
    this.#objects.set(key, object);
    return object;
  }

  /** Finds the natural key of a resource. */
  key(
    { scope, values, name }: DeclaredResource,
    natural = this.#kind.identity.declaredKeys(values, name)[0],
  ): KnownKey {
    const key = `${scope}\n${natural ?? ""}`;
    const owners = this.#keys.get(key) ?? {};
    this.#keys.set(key, owners);
    return owners;
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
    this.object(id, props).unclaim(props, urn);
    return isMade ? id : undefined;
  }

  /** Records that the object was deleted. `before` is the object as it was, unless there is a new one already. */
  recordDelete(id: string, props: Properties, before: LiveObject | undefined): void {
    this.object(id, props).recordDelete();
    const [natural] = before?.keys ?? [];
    if (natural !== undefined) this.key(parseDeclared(this.#kind, props), natural).deleted = before;
  }

  /** Gives a create, once, what was left for its natural key. */
  take<Left extends "deleted" | "createdId">(declared: DeclaredResource, left: Left): KnownKey[Left] {
    const key = this.key(declared);
    const { [left]: taken } = key;
    delete key[left];
    return taken;
  }
}

function markOf(props: Properties): string {
  return asText(props[MARK]) ?? "";
}
