import { batchExports, projectBatchExports } from "./batch-exports.ts";
import { domains } from "./domains.ts";
import { insights } from "./insights.ts";
import { invites } from "./invites.ts";
import { members } from "./members.ts";
import type { Operation } from "./operation.ts";
import { organizations } from "./organizations.ts";
import { pipelineDestinations, pipelineFrontendApps, pipelineImportApps } from "./plugins.ts";

export type { Body, Field, Fields, Operation, ParameterType, Resource, Shape, ValueOf } from "./operation.ts";

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

/** The operations with all that the types know of them. */
export type Tables = typeof tables;

export type OperationName = keyof Tables;

/** An operation of these tables. */
export interface NamedOperation extends Operation {
  readonly name: OperationName;
}

/** Every operation that can be sent, by name. */
export const operations: Readonly<Record<OperationName, NamedOperation>> = tables;

/** Whether there is an operation of that name. */
export function isOperationName(name: string): name is OperationName {
  return Object.hasOwn(operations, name);
}

/** Whether deployed servers answer 500 to an operation, whatever is sent. */
export function failsOnDeployed(name: string): boolean {
  return isOperationName(name) && operations[name].failsOnDeployed === true;
}

/** Whether an operation is one that the interface document does not show at all. */
export function isBeyondDocument(name: string): boolean {
  return isOperationName(name) && !operations[name].document;
}
