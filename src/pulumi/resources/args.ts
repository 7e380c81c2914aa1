import type { Input } from "@pulumi/pulumi";

/** A value of which any part may come from another resource. */
export type Deep<T> = Input<T extends object ? { readonly [K in keyof T]: Deep<T[K]> } : T>;

/** Fields as arguments of a resource. */
export type Inputs<T> = { readonly [K in keyof T]: Deep<NonNullable<T[K]>> | NullOf<T[K]> | UndefinedOf<T, K> };

type NullOf<T> = null extends T ? null : never;
type UndefinedOf<T, K extends keyof T> = undefined extends T[K] ? undefined : never;

/** How a resource meets what is there already. */
export interface Adoptable {
  /**
   * `true` takes over the object of the same natural key where there is one; an id takes over that one and no other. Without
   * it an object that is there already is an error. Only looked at when the resource is created. An organization that is to
   * be taken over is never founded.
   */
  readonly adopt?: Input<boolean | string> | undefined;
}

/** Lives in an organization. */
export interface InOrganization extends Adoptable {
  /** Id of the organization, such as `organization.id`. Another one means another object. */
  readonly organizationId: Input<string>;
}

/** Lives in a project. */
export interface InProject extends Adoptable {
  /** Number of the project. Another one means another object. */
  readonly projectId: Input<string | number>;
}

/** Lives in an organization, or in a project. Deployed servers need the project to write to it. */
export type InEither = Adoptable &
  (
    | { readonly organizationId: Input<string>; readonly projectId?: undefined }
    | { readonly projectId: Input<string | number>; readonly organizationId?: undefined }
  );

/** Is told from others by an e-mail address. */
export interface ByEmail {
  /** The person's address; upper and lower case are the same. Another one means another person. */
  readonly email: Input<string>;
}

/** Is only deleted on these explicit words. */
export interface Deletable {
  /** Name of the organization: what allows Pulumi to delete it, with everything in it. */
  readonly confirmDelete?: Input<string> | undefined;
}

/** What resources show of where they live, and of whom they are about. */
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
