import { batchExports, projectBatchExports } from "./batch-exports.ts";
import { domains } from "./domains.ts";
import { insights } from "./insights.ts";
import { invites } from "./invites.ts";
import { members } from "./members.ts";
import type { Operation } from "./operation.ts";
import { organizations } from "./organizations.ts";
import { pipelineDestinations, pipelineFrontendApps, pipelineImportApps } from "./plugins.ts";

export type { Operation, ParameterType, QueryType } from "./operation.ts";

const tables = {
  ...organizations,
  ...batchExports,
  ...projectBatchExports,
  ...domains,
  ...invites,
  ...members,
  ...pipelineDestinations,
  ...pipelineFrontendApps,
  ...pipelineImportApps,
  ...insights,
};

export type OperationName = keyof typeof tables;

/** Every operation that can be sent, by name. */
export const operations: Readonly<Record<OperationName, Operation>> = tables;
