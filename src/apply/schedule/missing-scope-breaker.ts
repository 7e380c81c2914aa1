import { errorBeforeSending, originOf } from "../../api/errors/from-response.ts";
import { ApiError } from "../../api/errors/errors.ts";
import { familyOf, operations, type OperationName } from "../../api/operations/index.ts";

export interface MissingScopeBreaker {
  /** Sends a request, unless it is a write and its family is closed. @throws ApiError */
  readonly send: <T>(name: OperationName, send: () => Promise<T>) => Promise<T>;
  /** Refuses what only prepares a write, if the family is closed. @throws ApiError */
  readonly check: (name: OperationName) => void;
}

/**
 * Closes a family of operations when the service says that the key lacks a scope, because it would reject every other write of
 * the family too. Requests in flight are completed. Other rejections concern one object and close nothing.
 */
export function createMissingScopeBreaker(): MissingScopeBreaker {
  const closed = new Map<string, string>();
  const check = (name: OperationName): void => {
    const scope = closed.get(familyOf(name));
    if (scope === undefined) return;
    const problem = `the key has no scope ${scope}, as the service said before`;
    const hint = `Give the API key the scope ${scope}.`;
    throw errorBeforeSending(originOf(operations[name]), { kind: "scope", code: "missing_scope", problem, hint });
  };
  return {
    check,
    send: async (name, send) => {
      const { method, scope } = operations[name];
      // For operations without a listed scope, a rejection says nothing about other operations.
      if (method === "GET" || scope === null) return send();
      check(name);
      try {
        return await send();
      } catch (error) {
        if (error instanceof ApiError && error.missingScope !== undefined)
          closed.set(familyOf(name), error.missingScope);
        throw error;
      }
    },
  };
}
