import type { CustomResourceOptions } from "@pulumi/pulumi";
import type {
  BatchExportComputed,
  BatchExportFields,
  PipelineDestinationComputed,
  PipelineDestinationFields,
  PipelineFrontendAppComputed,
  PipelineFrontendAppFields,
  PipelineImportAppComputed,
  PipelineImportAppFields,
} from "../../generated/pulumi.ts";
import type { InEither, InOrganization, Inputs, OfEither, OfOrganization } from "./args.ts";
import { DriftlineResource, type Outputs } from "./resource.ts";

/** Arguments of {@link BatchExport}. */
export type BatchExportArgs = Inputs<BatchExportFields> & InEither;

/** A recurring export of events or persons. */
export class BatchExport extends DriftlineResource {
  constructor(name: string, args: BatchExportArgs, options?: CustomResourceOptions) {
    super("batch_export", name, args, options);
  }
}
export interface BatchExport extends Outputs<BatchExportFields & BatchExportComputed & OfEither> {}

/** Arguments of {@link PipelineDestination}. */
export type PipelineDestinationArgs = Inputs<PipelineDestinationFields> & InOrganization;

/** A plugin that sends events on. */
export class PipelineDestination extends DriftlineResource {
  constructor(name: string, args: PipelineDestinationArgs, options?: CustomResourceOptions) {
    super("pipeline_destination", name, args, options);
  }
}
export interface PipelineDestination extends Outputs<
  PipelineDestinationFields & PipelineDestinationComputed & OfOrganization
> {}

/** Arguments of {@link PipelineFrontendApp}. */
export type PipelineFrontendAppArgs = Inputs<PipelineFrontendAppFields> & InOrganization;

/** A plugin that runs in the browser. */
export class PipelineFrontendApp extends DriftlineResource {
  constructor(name: string, args: PipelineFrontendAppArgs, options?: CustomResourceOptions) {
    super("pipeline_frontend_app", name, args, options);
  }
}
export interface PipelineFrontendApp extends Outputs<
  PipelineFrontendAppFields & PipelineFrontendAppComputed & OfOrganization
> {}

/** Arguments of {@link PipelineImportApp}. */
export type PipelineImportAppArgs = Inputs<PipelineImportAppFields> & InOrganization;

/** A plugin that brings data in. */
export class PipelineImportApp extends DriftlineResource {
  constructor(name: string, args: PipelineImportAppArgs, options?: CustomResourceOptions) {
    super("pipeline_import_app", name, args, options);
  }
}
export interface PipelineImportApp extends Outputs<
  PipelineImportAppFields & PipelineImportAppComputed & OfOrganization
> {}
