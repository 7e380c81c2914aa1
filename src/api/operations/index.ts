import { own } from "../../model/json/json.ts";
import type { Profile } from "../../model/profile.ts";
import { documentedOperations, type OperationName } from "../../kinds/all-operations.ts";
import type { Operation } from "../../kinds/operation.ts";
import { type ListQuery, SERVER_QUIRKS } from "./server-quirks.ts";

export type {
  Body,
  Field,
  Fields,
  Operation,
  ParameterType,
  DocumentResource,
  Shape,
  ValueOf,
} from "../../kinds/operation.ts";
export type { OperationName };

/** The types of the operations, with everything that their tables state. */
export type Tables = typeof documentedOperations;

export interface NamedOperation extends Operation {
  readonly name: OperationName;
}

/** Every operation that can be sent, by name, as documented. server-quirks.ts has what deployed servers do differently. */
export const operations: Readonly<Record<OperationName, NamedOperation>> = documentedOperations;

export function isOperationName(name: string): name is OperationName {
  return Object.hasOwn(operations, name);
}

/** The family of an operation: `insights` for `insights.get`. */
export function familyOf(operation: string): string {
  return operation.split(".")[0] ?? "";
}

/** The parameter of a path that has the id of a row: the last one. */
export function idParameter(operation: OperationName): string {
  return operations[operation].path.split("/:").at(-1) ?? "";
}

/** The list of the family of an operation: `insights.list` for `insights.get`. Not every family has one. */
export function listBeside(operation: string): string {
  return `${familyOf(operation)}.list`;
}

/** An operation as a server of the profile takes it. */
export function operationFor(profile: Profile, name: OperationName): NamedOperation {
  const operation = operations[name];
  if (profile === "document" || own(SERVER_QUIRKS, name)?.takesFiles !== true || operation.body?.type !== "resource")
    return operation;
  return { ...operation, body: { type: "files", resource: operation.body.resource } };
}

/** The permission that deployed servers require for an operation; null if they close it to keys whose permissions are limited. */
export function deployedPermission({ name, permission }: Operation): string | null {
  return permission ?? own(SERVER_QUIRKS, name)?.permission ?? null;
}

/** Whether deployed servers always answer 500 to an operation. */
export function failsOnDeployed(name: string): boolean {
  return own(SERVER_QUIRKS, name)?.fails === true;
}

/** The query that a server of the profile gets in addition, if it accepts it. */
export function listQueryFor(profile: Profile, name: string): ListQuery {
  return profile === "posthog" ? (own(SERVER_QUIRKS, name)?.listQuery ?? {}) : {};
}

/** Whether an operation is one that the interface document does not show at all. */
export function isBeyondDocument(name: string): boolean {
  return isOperationName(name) && !operations[name].document;
}
