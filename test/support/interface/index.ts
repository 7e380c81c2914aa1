import type { KindName } from "../../../src/model/kind-name.ts";
import type { Specimen } from "./specimen.ts";
import { batchExport } from "./specimens/batch-export.ts";
import { domain } from "./specimens/domain.ts";
import { identityProviderConfig } from "./specimens/identity-provider-config.ts";
import { insight } from "./specimens/insight.ts";
import { invite } from "./specimens/invite.ts";
import { member } from "./specimens/member.ts";
import { membership } from "./specimens/membership.ts";
import { organization } from "./specimens/organization.ts";
import { plugin } from "./specimens/plugin.ts";

/** One specimen of every kind. A kind that is missing here does not compile. */
export const specimens = {
  organization,
  domain,
  identity_provider_config: identityProviderConfig,
  membership,
  member,
  invite,
  batch_export: batchExport,
  pipeline_destination: plugin("pipeline_destination", "sink", "PipelineDestination", { methods: ["onEvent"] }),
  pipeline_frontend_app: plugin("pipeline_frontend_app", "app", "PipelineFrontendApp", {}),
  pipeline_import_app: plugin("pipeline_import_app", "source", "PipelineImportApp", {
    methods: [],
    scheduled_tasks: ["runEveryHour"],
  }),
  insight,
} satisfies Readonly<Record<KindName, Specimen>>;

export const allSpecimens = Object.entries(specimens) as readonly (readonly [KindName, Specimen])[];
