import type { CustomResourceOptions } from "@pulumi/pulumi";
import type {
  InviteComputed,
  InviteFields,
  MemberComputed,
  MemberFields,
  MembershipComputed,
  MembershipFields,
} from "../../generated/pulumi.ts";
import type { ByEmail, InOrganization, Inputs, OfOrganization, OfPerson } from "./args.ts";
import { DriftlineResource, type Outputs } from "./resource.ts";

/** Arguments of {@link Invite}. */
export type InviteArgs = Inputs<InviteFields> & InOrganization;

/** An invitation by e-mail. Every change of it is a new one, and a new e-mail. */
export class Invite extends DriftlineResource {
  constructor(name: string, args: InviteArgs, options?: CustomResourceOptions) {
    super("invite", name, args, options);
  }
}
export interface Invite extends Outputs<InviteFields & InviteComputed & OfOrganization> {}

/** Arguments of {@link Member}. */
export type MemberArgs = Inputs<MemberFields> & InOrganization & ByEmail;

/** Somebody who is in an organization already: taken over, never created. */
export class Member extends DriftlineResource {
  constructor(name: string, args: MemberArgs, options?: CustomResourceOptions) {
    super("member", name, args, options);
  }
}
export interface Member extends Outputs<MemberFields & MemberComputed & OfOrganization & OfPerson> {}

/** Arguments of {@link Membership}. */
export type MembershipArgs = Inputs<MembershipFields> & InOrganization & ByEmail;

/** "This address is in the organization at this level", joined or still invited. */
export class Membership extends DriftlineResource {
  constructor(name: string, args: MembershipArgs, options?: CustomResourceOptions) {
    super("membership", name, args, options);
  }
}
export interface Membership extends Outputs<MembershipFields & MembershipComputed & OfOrganization & OfPerson> {}
