import type { CustomResourceOptions } from "@pulumi/pulumi";
import type { KindName } from "../model/kind-name.ts";
import { Insight } from "./resources/insight.ts";
import { Domain, Organization } from "./resources/organization.ts";
import { Invite, Member, Membership } from "./resources/people.ts";
import { BatchExport, PipelineDestination, PipelineFrontendApp, PipelineImportApp } from "./resources/pipeline.ts";
import type { DriftlineResource } from "./resources/resource.ts";

/** A resource class whose arguments were checked elsewhere. */
export type ResourceClass = new (name: string, args: never, options?: CustomResourceOptions) => DriftlineResource;

/** The class of each kind. */
export const classes: Readonly<Record<KindName, ResourceClass>> = {
  organization: Organization,
  domain: Domain,
  invite: Invite,
  member: Member,
  membership: Membership,
  batch_export: BatchExport,
  pipeline_destination: PipelineDestination,
  pipeline_frontend_app: PipelineFrontendApp,
  pipeline_import_app: PipelineImportApp,
  insight: Insight,
};
