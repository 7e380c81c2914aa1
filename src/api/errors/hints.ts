import { own } from "../../model/json/json.ts";
import { type Hint, hintText } from "../../model/command.ts";
import { CLOSED_HINT, SERVER_QUIRKS, FAILS_HINT } from "../operations/server-quirks.ts";
import { type ApiError, type ErrorKind, isMissingRoute, NO_ROUTE } from "./errors.ts";
import { hintForCause, type ServiceRefusal } from "./causes.ts";
import { failsOnDeployed, isOperationName, operations, type Operation } from "../operations/index.ts";

const UNDOCUMENTED_ROUTE_HINT =
  "Not every service has this undocumented route. If yours does not, declare these under the organization.";

const NO_ORGANIZATION_HINT =
  "The user of the key has no current organization, perhaps because it was deleted. Have this user choose one in the service's web interface, or give the key the scope organization:read, with which driftline restores it.";

interface HintContext extends ServiceRefusal {
  readonly kind: ErrorKind;
  /** The permission that the service says the key is missing. */
  readonly missingPermission: string | undefined;
  readonly operation: Operation;
  /** Whether the body was a JSON object, as all error bodies of this interface are. */
  readonly json: boolean;
}

/** One line that says what to do about an error answer. Callers whose user gave the ids use {@link hintForGivenIds}. */
export function hintFor(context: HintContext): string {
  const { kind, status, operation } = context;
  const known = hintForCause(context);
  if (known !== undefined) return known;
  switch (kind) {
    case "auth":
      return authHint(operation);
    case "scope":
      return permissionHint(context);
    case "not_found":
      return notFoundHint(context);
    case "no_organization":
      return NO_ORGANIZATION_HINT;
    case "throttled":
      return "Run it again later, or set --max-requests-per-minute below the service's limit.";
    case "timeout":
      return "Run it again. If it stays slow, check the health of the service.";
    case "server":
      return serverHint(status, operation);
    default:
      return (status === 405 ? operation.instead : undefined) ?? invalidHint(context);
  }
}

function authHint({ name }: Operation): string {
  const { needsProject, closed = "" } = own(SERVER_QUIRKS, name) ?? {};
  if (needsProject !== true)
    return "Check DRIFTLINE_API_KEY: the service does not accept this key. Use a personal API key of an active user.";
  const cause = "Check DRIFTLINE_API_KEY. If the service accepts it elsewhere, its user has no current project";
  return `${cause}: have this user open one in the service's web interface. ${closed}`;
}

function notFoundHint({ operation, json, detail }: HintContext): string {
  const { successor, gone } = own(SERVER_QUIRKS, operation.name) ?? {};
  if (successor !== undefined && detail === NO_ROUTE) return `This service has ${successor} in its place.`;
  if (gone !== undefined) return gone;
  // Every service with this interface has the paths without ids.
  if (!operation.path.includes(":")) return "Check the URL of the service: this route does not exist there.";
  if (!operation.document) return UNDOCUMENTED_ROUTE_HINT;
  // Deployed servers answer some unknown ids without a body. A wrong URL gives the same answer.
  return json
    ? "Either it does not exist, or the user of the key may not see it."
    : "Either it does not exist, or the URL of the service is wrong: the answer does not show which.";
}

function permissionHint({ detail, missingPermission, operation, json }: HintContext): string {
  if (/does not support personal api key/iu.test(detail)) {
    return own(SERVER_QUIRKS, operation.name)?.closed ?? CLOSED_HINT;
  }
  if (missingPermission !== undefined) return `Give the API key the scope ${missingPermission}.`;
  if (!json) return "This answer does not come from the service itself. Check for a firewall or proxy in between.";
  const needed = operation.permission === null ? "" : `, and that the key has the scope ${operation.permission}`;
  return `Check that the user of the key has the necessary rights in the organization or project${needed}.`;
}

function serverHint(status: number, { name }: Operation): string {
  if (status === 500 && failsOnDeployed(name)) return FAILS_HINT;
  if (status === 500)
    return "The service failed on this request. If it fails again, compare the request with what the service accepts.";
  return "Run it again later, or check the health of the service.";
}

function invalidHint({ status, detail }: HintContext): string {
  if (status === 405) return "The service does not have this operation. It may be older or newer than the interface.";
  if (status === 409)
    return "The change conflicts with the current state of the service. Run plan again to see that state.";
  if (status === 413) return "Make the request smaller: it is larger than the service accepts.";
  if (detail === "") return "The service does not say what is wrong. Compare the request with what it accepts.";
  return "Correct the declared value. The message says what the service rejected.";
}

/** The hint of an error about objects that the user has named by their ids. */
export function hintForGivenIds(error: ApiError): Hint {
  const { kind, operation, hint } = error;
  const isGone = isMissingRoute(error) && own(SERVER_QUIRKS, operation)?.successor !== undefined;
  const hasIds = isOperationName(operation) && operations[operation].path.includes(":") && !isGone;
  return kind === "not_found" && hasIds ? `Check the id. ${hintText(hint)}` : hint;
}
