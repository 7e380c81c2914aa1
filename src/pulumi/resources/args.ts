import type { Input } from "@pulumi/pulumi";

/** A value. Any part of it may come from another resource, but not the word that says which keys it has. */
export type Deep<T> = Input<
  T extends string
    ? T
    : T extends object
      ? { readonly [K in keyof T]: K extends "type" | "kind" ? T[K] : Deep<T[K]> }
      : T
>;

/** Fields as arguments of a resource. */
export type Inputs<T> = ExtraFields & {
  readonly [K in keyof T]: Deep<NonNullable<T[K]>> | NullOf<T[K]> | UndefinedOf<T, K>;
};

/** Fields of the service that driftline does not know yet. */
interface ExtraFields {
  /**
   * By their names on the service. They are sent, compared and verified like all others. A value is left as it is if its entry is
   * removed. What sounds like a secret is one.
   */
  readonly extraFields?: Input<Readonly<Record<string, unknown>>> | undefined;
}

type NullOf<T> = null extends T ? null : never;
type UndefinedOf<T, K extends keyof T> = undefined extends T[K] ? undefined : never;

/** How a resource treats an existing object. */
export interface Adoptable {
  /**
   * `true` adopts the object with the same natural key if it exists. An id adopts exactly that object. Without it an
   * existing object is an error. It only counts when the resource is created. With it an organization is never created.
   */
  readonly adopt?: Input<boolean | string> | undefined;
}

/** The scope of a resource in an organization. */
export interface InOrganization extends Adoptable {
  /** Id of the organization, such as `organization.id`. A new id means another object. */
  readonly organizationId: Input<string>;
}

/** The scope of a resource in a project. */
export interface InProject extends Adoptable {
  /** Number of the project. A new number means another object. */
  readonly projectId: Input<string | number>;
}

/** The scope of a resource in an organization or in a project. Deployed servers only write to it in a project. */
export type InEither = Adoptable &
  (
    | { readonly organizationId: Input<string>; readonly projectId?: undefined }
    | { readonly projectId: Input<string | number>; readonly organizationId?: undefined }
  );

/** A resource that an e-mail address identifies. */
export interface ByEmail {
  /** The person's address, in upper or lower case. A new address means another person. */
  readonly email: Input<string>;
}

/** A resource that is only deleted with an explicit confirmation. */
export interface Deletable {
  /** Name of the organization. It allows Pulumi to delete the organization with everything in it. */
  readonly confirmDelete?: Input<string> | undefined;
}

/** The outputs of a resource that identify its scope or its person. */
export interface OfOrganization {
  readonly organizationId: string;
}
export interface OfProject {
  readonly projectId: string | number;
}
export interface OfEither {
  readonly organizationId: string | undefined;
  readonly projectId: string | number | undefined;
}
export interface OfPerson {
  readonly email: string;
}
