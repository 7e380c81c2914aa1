/**
 * What the text in every Pulumi state leads to: `require("driftline/dynamic").<kind>()`. This entry never disappears, none of
 * its names does, and it reads what every earlier release has written. Nothing that it reaches may await at its top level, or
 * it could not be required.
 */
import { kinds } from "../kinds/registry.ts";
import { createProvider } from "./dynamic/adapter.ts";
import type { Provider } from "./dynamic/provider.ts";

export type { Provider };

export const organization = (): Provider => createProvider(kinds.organization);
export const domain = (): Provider => createProvider(kinds.domain);
export const invite = (): Provider => createProvider(kinds.invite);
export const member = (): Provider => createProvider(kinds.member);
export const membership = (): Provider => createProvider(kinds.membership);
export const batchExport = (): Provider => createProvider(kinds.batch_export);
export const pipelineDestination = (): Provider => createProvider(kinds.pipeline_destination);
export const pipelineFrontendApp = (): Provider => createProvider(kinds.pipeline_frontend_app);
export const pipelineImportApp = (): Provider => createProvider(kinds.pipeline_import_app);
export const insight = (): Provider => createProvider(kinds.insight);
