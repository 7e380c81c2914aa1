import { errorBeforeSending, originOf } from "../../api/errors/from-response.ts";
import { ApiError } from "../../api/errors/errors.ts";
import { familyOf, operations, type OperationName } from "../../api/operations/index.ts";

/** Sends a write unless its family is closed. @throws ApiError */
export type MissingScopeBreaker = <T>(name: OperationName, send: () => Promise<T>) => Promise<T>;

/**
 * Closes a family of operations when the service says that the key lacks a scope, because it would reject every other write of
 * the family too. Requests in flight are completed. Other rejections concern one object and close nothing.
 */
export function createMissingScopeBreaker(): MissingScopeBreaker {
  const closed = new Map<string, string>();
  return async (name, send) => {
    const operation = operations[name];
    const family = familyOf(name);
    // For operations without a listed scope, a rejection says nothing about other operations.
    if (operation.method === "GET" || operation.scope === null) return send();
    const scope = closed.get(family);
    if (scope !== undefined) {
      const problem = `the key has no scope ${scope}, as the service said before`;
      const hint = `Give the API key the scope ${scope}.`;
      throw errorBeforeSending(originOf(operation), { kind: "scope", code: "missing_scope", problem, hint });
    }
    try {
      return await send();
    } catch (error) {
      if (error instanceof ApiError && error.missingScope !== undefined) closed.set(family, error.missingScope);
      throw error;
    }
  };
}
