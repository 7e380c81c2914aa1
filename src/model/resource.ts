import type { Position } from "./diagnostic.ts";
import type { ValueObject } from "./json/json.ts";
import type { KindName } from "./kind-name.ts";

/** How driftline manages a resource, as opposed to the fields of the API. */
export interface Lifecycle {
  readonly state?: "absent" | undefined;
  readonly create?: boolean | undefined;
  readonly protect?: boolean | undefined;
  /** Fields, or JSON Pointers in which `*` stands for any one key. */
  readonly ignore?: readonly string[] | undefined;
  /** Fields that are compared in part, although their kind compares them whole. */
  readonly partial?: readonly string[] | undefined;
  readonly renamed_from?: string | undefined;
  readonly renew?: boolean | undefined;
  readonly forget?: boolean | undefined;
}

/** A declared id: the field that it is declared in, and its value as text. */
export interface Pin {
  readonly field: string;
  readonly value: string;
}

/** The identity of a pin. Upper and lower case are the same. */
export function pinKey({ field, value }: Pin): string {
  return `${field} ${value.toLowerCase()}`;
}

/** One declared resource. */
export interface Resource {
  /** Such as `acme/projects/web/insights/signups`: stable in plans and reports. */
  readonly address: string;
  readonly kind: KindName;
  /** Address of its scope: `acme`, `acme/projects/web`, or "" for an organization. */
  readonly scope: string;
  /** The last part of the address: the key under which it is declared. */
  readonly name: string;
  /** Pinned id (for insights also `short_id`), as text. */
  readonly pin?: Pin | undefined;
  /** The declared API fields. An absent field is not managed, null clears it. Names of levels are already numbers. */
  readonly values: ValueObject;
  readonly lifecycle: Lifecycle;
  readonly position: Position;
  /** Where a field is declared; undefined if it is not. */
  readonly positionOf?: ((field: string) => Position | undefined) | undefined;
}

/** The scope of an address: `acme` for `acme/domains/corp`, and "" for an organization. */
export function scopeOf(address: string): string {
  return address.split("/").slice(0, -2).join("/");
}

/** The key under which something is declared: `corp` for `acme/domains/corp`, and `acme` for an organization. */
export function keyIn(address: string): string {
  return address.slice(address.lastIndexOf("/") + 1);
}

/** Whether the end of an address says a name: `sign-ups` says "Sign-ups". */
export function saysName(address: string, name: string): boolean {
  const letters = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
  return letters(name) === letters(keyIn(address));
}

/** Whether an address is another one, or is below it. JSON Pointers are divided in the same way. */
export function isWithin(address: string, outer: string): boolean {
  return address === outer || address.startsWith(`${outer}/`);
}

/** Whether the object of a resource is to exist as it is declared: neither removed nor forgotten. */
export function isWanted({ state, forget }: Lifecycle): boolean {
  return state !== "absent" && forget !== true;
}

/** A project in a configuration, which holds resources. */
export interface ProjectScope {
  /** `acme/projects/web` */
  readonly address: string;
  readonly organization: string;
  /** Its id, if it is declared or the key is a number. Otherwise `name` is looked up among the organization's projects. */
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly position: Position;
}

/** The objects of one kind in one scope, by the scope's address. */
export interface Collection {
  readonly scope: string;
  readonly kind: KindName;
}

/** The settings of the service in a configuration. */
export interface ServiceSettings {
  readonly url?: string | undefined;
  /** Set if the whole URL is one `${env:NAME}` that no pipeline fills itself, so that no pull request says where the key goes. */
  readonly urlFrom?: "environment" | undefined;
  readonly self?: string | undefined;
  /** Of `self`. */
  readonly position?: Position;
}

/** The complete configuration. */
export interface DesiredGraph {
  /** Parents before children, otherwise by address. */
  readonly resources: readonly Resource[];
  readonly projects: readonly ProjectScope[];
  /** The kinds whose undeclared objects may be pruned, by scope address. */
  readonly exclusive: readonly Collection[];
  readonly service: ServiceSettings;
  /** The files with `undeclared: report`: in what they declare, undeclared live values are drift. */
  readonly reporting?: ReadonlySet<string> | undefined;
}
