/**
 * Every kind as a Pulumi resource.
 *
 * @example
 * import { Domain, Organization } from "driftline/pulumi";
 *
 * const acme = new Organization("acme", { name: "Acme Inc", adopt: true }, { protect: true });
 * new Domain("corp", { organizationId: acme.id, domain: "acme.com", jitProvisioningEnabled: true });
 */
export { Insight, type InsightArgs } from "./resources/insight.ts";
export { Domain, Organization, type DomainArgs, type OrganizationArgs } from "./resources/organization.ts";
export {
  Invite,
  Member,
  Membership,
  type InviteArgs,
  type MemberArgs,
  type MembershipArgs,
} from "./resources/people.ts";
export {
  BatchExport,
  PipelineDestination,
  PipelineFrontendApp,
  PipelineImportApp,
  type BatchExportArgs,
  type PipelineDestinationArgs,
  type PipelineFrontendAppArgs,
  type PipelineImportAppArgs,
} from "./resources/pipeline.ts";
