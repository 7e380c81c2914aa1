import { batchExports, projectBatchExports } from "../../kinds/batch-export/operations.ts";
import { domains } from "../../kinds/domain/operations.ts";
import { insights } from "../../kinds/insight/operations.ts";
import { invites } from "../../kinds/invite/operations.ts";
import { members } from "../../kinds/member/operations.ts";
import type { Operation } from "../../kinds/operation.ts";
import { organizations } from "../../kinds/organization/operations.ts";
import { pipelineDestinations, pipelineFrontendApps, pipelineImportApps } from "../../kinds/plugin/operations.ts";

export type { Body, Field, Fields, Operation, ParameterType, Resource, Shape, ValueOf } from "../../kinds/operation.ts";

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
