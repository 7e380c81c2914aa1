import { errorBeforeSending, originOf } from "../../api/errors/from-response.ts";
import { ApiError } from "../../api/errors/errors.ts";
import { familyOf, operations, type OperationName } from "../../api/operations/index.ts";

export interface MissingPermissionBreaker {
  /** Sends a request, unless it is a write and its family is closed. @throws ApiError */
  readonly send: <T>(name: OperationName, send: () => Promise<T>) => Promise<T>;
  /** Refuses what only prepares a write, if the family is closed. @throws ApiError */
  readonly check: (name: OperationName) => void;
}

/**
 * Closes a family of operations when the service says that the key lacks a permission, because it would reject every other write of
 * the family too. Requests in flight are completed. Other rejections concern one object and close nothing.
 */
export function createMissingPermissionBreaker(): MissingPermissionBreaker {
  const closed = new Map<string, string>();
  const check = (name: OperationName): void => {
    const permission = closed.get(familyOf(name));
    if (permission === undefined) return;
    const problem = `the key has no scope ${permission}, as the service said before`;
    const hint = `Give the API key the scope ${permission}.`;
    throw errorBeforeSending(originOf(operations[name]), { kind: "scope", code: "missing_scope", problem, hint });
  };
  return {
    check,
    send: async (name, send) => {
      const { method, permission } = operations[name];
      // For operations without a listed permission, a rejection says nothing about other operations.
      if (method === "GET" || permission === null) return send();
      check(name);
      try {
        return await send();
      } catch (error) {
        if (error instanceof ApiError && error.missingPermission !== undefined)
          closed.set(familyOf(name), error.missingPermission);
        throw error;
      }
    },
  };
}
