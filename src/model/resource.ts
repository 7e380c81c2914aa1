import type { Position } from "./diagnostic.ts";
import type { ValueObject } from "./json.ts";
import type { KindName } from "./kind-name.ts";

/** Everything of ours about a resource, as opposed to the API's own fields. */
export interface Lifecycle {
  readonly state?: "absent" | undefined;
  readonly create?: boolean | undefined;
  readonly protect?: boolean | undefined;
  readonly ignore?: readonly string[] | undefined;
  readonly renamed_from?: string | undefined;
  readonly renew?: boolean | undefined;
  readonly forget?: boolean | undefined;
}

/** One declared resource. */
export interface Resource {
  /** `acme/projects/web/insights/signups`: stable in plans and reports. */
  readonly address: string;
  readonly kind: KindName;
  /** Address of the scope it lives in: `acme`, `acme/projects/web`, or "" for an organization. */
  readonly scope: string;
  /** The last part of the address: the key under which it is declared. */
  readonly name: string;
  /** Pinned id (for insights also `short_id`), as text. */
  readonly pin?: { readonly field: string; readonly value: string } | undefined;
  /** The declared API fields only: absent = not managed, null = cleared. Names of levels are numbers already. */
  readonly values: ValueObject;
  readonly lifecycle: Lifecycle;
  readonly position: Position;
}

/** A scope that holds resources: an organization, or a project of one. */
export interface ProjectScope {
  /** `acme/projects/web` */
  readonly address: string;
  readonly organization: string;
  /** Its id, if declared or if the key is a number; else `name` is looked up among the organization's teams. */
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly position: Position;
}

/** Everything that was declared. */
export interface DesiredGraph {
  /** Parents before children, otherwise by address. */
  readonly resources: readonly Resource[];
  readonly projects: readonly ProjectScope[];
  /** Kinds of which undeclared objects may be pruned, per scope address. */
  readonly exclusive: readonly { readonly scope: string; readonly kind: KindName }[];
  readonly service: { readonly url?: string | undefined; readonly self?: string | undefined };
}
