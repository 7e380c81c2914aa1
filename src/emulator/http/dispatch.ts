import { authenticate, checkScope } from "./auth.ts";
import { actionOf } from "./route.ts";
import { ApiError, methodNotAllowed, notFound } from "./errors.ts";
import type { Answer, Authenticated, Call } from "./call.ts";
import type { Family, Route } from "./route.ts";

/** Counts a request against a budget. @throws ApiError 429 */
export type Throttle = (call: Authenticated, family: Family) => void;

/**
 * Answers a call, with the checks in the order in which deployed servers make them: key, scope, parent, budget, method,
 * then whatever the operation itself checks (the object before the body).
 */
export function dispatch(call: Call, route: Route | undefined, throttle: Throttle): Answer {
  try {
    if (route === undefined) throw notFound("Endpoint not found.");
    const authenticated = authenticate(call, route.family);
    checkScope(authenticated, actionOf(route.actions, call.method));
    const run = route.enter(authenticated);
    throttle(authenticated, route.family);
    if (run === undefined) throw methodNotAllowed(call.method);
    call.service.store.journal.begin();
    return run();
  } catch (error) {
    if (error instanceof ApiError) return { status: error.status, body: error.body, headers: error.headers };
    throw error;
  }
}

/** The value of the `Allow` header of a route. */
export function allowed(route: Route, deployed: boolean): string {
  const methods = Object.keys(route.actions).filter((method) => deployed || method !== "PUT");
  if (methods.includes("GET")) methods.push("HEAD");
  return [...methods, "OPTIONS"].join(", ");
}
