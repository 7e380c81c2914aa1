import { denied, unauthenticated } from "./errors.ts";
import type { Action, RequestRules } from "./route.ts";
import type { Authenticated, Call } from "./call.ts";
import type { Key } from "../service.ts";

const BEARER = /^Bearer\s+(\S+)$/i;

/**
 * Finds the key of a call.
 * @throws ApiError 401 without a known key. Some resources of deployed servers answer 403 with the same code.
 */
export function authenticate(call: Call, rules: RequestRules): Authenticated {
  const status = call.service.isRealServer ? rules.unauthenticated : 401;
  const [, token] = BEARER.exec(call.authorization ?? "") ?? [];
  if (token === undefined) throw unauthenticated(status, "not_authenticated");
  const key = call.service.keys.get(token);
  if (key === undefined) throw unauthenticated(status, "authentication_failed");
  return { ...call, key, user: key.user, rules };
}

/**
 * Checks that a key has the scope of an action, and may be used for its project. If the document lists no scope, every
 * key passes in the `document` dialect. Deployed servers refuse such actions, and unknown ones, to every key that has
 * scopes.
 * @throws ApiError 403
 */
export function checkScope(call: Authenticated, action: Action | undefined): void {
  const { key, service } = call;
  const project = call.params["project_id"];
  if (key.projects !== undefined && project === undefined)
    throw denied("API keys with scoped projects are only supported on project-based endpoints.");
  if (key.projects?.includes(Number(project)) === false)
    throw denied(`API key does not have access to the requested project: ID ${project ?? ""}.`);
  if (key.scopes === undefined) return;
  const scope = service.isRealServer ? (action?.deployedScope ?? action?.scope) : action?.scope;
  if (service.current && action?.currentUnscoped === true) return;
  if (scope === undefined || scope === null) {
    if (service.isRealServer) throw denied("This action does not support Personal API Key access");
    return;
  }
  if (!hasScope(key, scope)) throw denied(`API key missing required scope '${scope}'`);
}

/** Reports whether a key has a scope: by its name, by `*`, or by the write scope that includes a read scope. */
function hasScope(key: Key, scope: string): boolean {
  const scopes = key.scopes ?? ["*"];
  const writing = scope.replace(/:read$/, ":write");
  return scopes.some((owned) => owned === "*" || owned === scope || owned === writing);
}
