import { batchExports, projectBatchExports } from "./batch-exports.ts";
import { domains } from "./domains.ts";
import { insights } from "./insights.ts";
import { invites } from "./invites.ts";
import { members } from "./members.ts";
import type { Operation } from "./operation.ts";
import { organizations } from "./organizations.ts";
import { pipelineDestinations, pipelineFrontendApps, pipelineImportApps } from "./plugins.ts";

export type { Operation, ParameterType } from "./operation.ts";

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

/** Whether deployed servers answer 500 to an operation, whatever is sent. */
export function failsOnDeployed(name: string): boolean {
  return Object.values(operations).some((operation) => operation.name === name && operation.failsOnDeployed === true);
}
