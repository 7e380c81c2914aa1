import type { CustomResourceOptions } from "@pulumi/pulumi";
import type { DomainComputed, DomainFields, OrganizationComputed, OrganizationFields } from "../../generated/pulumi.ts";
import type { Adoptable, Deletable, InOrganization, Inputs, OfOrganization } from "./args.ts";
import { DriftlineResource, type Outputs } from "./resource.ts";

/** Arguments of {@link Organization}. */
export type OrganizationArgs = Inputs<OrganizationFields> & Adoptable & Deletable;

/** A customer of the service; never deleted without `confirmDelete`. */
export class Organization extends DriftlineResource {
  constructor(name: string, args: OrganizationArgs, options?: CustomResourceOptions) {
    super("organization", name, args, options);
  }
}
export interface Organization extends Outputs<OrganizationFields & OrganizationComputed> {}

/** Arguments of {@link Domain}. */
export type DomainArgs = Inputs<DomainFields> & InOrganization;

/** A domain whose addresses sign in to an organization. */
export class Domain extends DriftlineResource {
  constructor(name: string, args: DomainArgs, options?: CustomResourceOptions) {
    super("domain", name, args, options);
  }
}
export interface Domain extends Outputs<DomainFields & DomainComputed & OfOrganization> {}
