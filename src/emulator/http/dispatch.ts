import { actionOf, type Route, type ServedRoute } from "./route.ts";
import { ApiError, invalid, methodNotAllowed, notFound } from "./errors.ts";
import { authenticate, checkScope } from "./auth.ts";
import { finishDeletions } from "../resources/organization/deletion.ts";
import { toCsv } from "./csv.ts";
import type { Answer, Authenticated, Call } from "./call.ts";

/** Counts a request against a budget. @throws ApiError 429 */
export type Throttle = (call: Authenticated) => void;

/** Answers a call. The answer is CSV if the call asks for it and the operation supports it. */
export function dispatch(call: Call, route: ServedRoute | undefined, throttle: Throttle): Answer {
  const formatted = route?.rules.formats === true && route.jsonOnly !== true;
  const format = formatted ? call.query.get("format") : null;
  const answered = answer(call, route, throttle, format);
  return format === "csv" ? toCsv(answered) : answered;
}

/**
 * Runs the checks in the order of deployed servers: key, scope, parent, budget, method, and then the checks of the
 * operation (the object before the body).
 */
function answer(call: Call, route: ServedRoute | undefined, throttle: Throttle, format: string | null): Answer {
  try {
    finishDeletions(call.service);
    if (route === undefined || isGone(call, route)) throw notFound("Endpoint not found.");
    const authenticated = authenticate(call, route.rules);
    checkScope(authenticated, actionOf(route.actions, call.method));
    const run = route.authorize(authenticated);
    throttle(authenticated);
    if (run === undefined) throw methodNotAllowed(call.method);
    if (format !== null && !FORMATS.has(format)) throw unknownFormat(call, format);
    call.service.store.journal.begin();
    return run();
  } catch (error) {
    if (error instanceof ApiError) return { status: error.status, body: error.body, headers: error.headers };
    throw error;
  }
}

/** Reports whether a switch has taken a route away. */
function isGone({ service }: Call, { goneBy }: Route): boolean {
  return goneBy !== undefined && service.switches[goneBy];
}

const FORMATS: ReadonlySet<string> = new Set(["csv", "json"]);

/** Deployed servers answer 404 for a format that they do not know. */
function unknownFormat({ service }: Call, format: string): ApiError {
  if (service.isRealServer) return notFound();
  return invalid("invalid_choice", `"${format}" is not a valid choice.`, "format");
}

/** Returns the value of the `Allow` header of a route. */
export function allowedMethods(route: Route, deployed: boolean): string {
  const methods = Object.keys(route.actions).filter((method) => deployed || method !== "PUT");
  if (methods.includes("GET")) methods.push("HEAD");
  return [...methods, "OPTIONS"].join(", ");
}
