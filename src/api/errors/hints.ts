import { CLOSED_HINT, SERVER_QUIRKS, FAILS_HINT } from "../operations/server-quirks.ts";
import type { ErrorKind } from "./errors.ts";
import type { Operation } from "../operations/index.ts";

const BEYOND_HINT =
  "Check the id. Not every service has this route, which the interface does not show: where it lacks it, declare these under the organization.";

/** What a hint is made of. */
export interface Situation {
  readonly kind: ErrorKind;
  readonly status: number;
  readonly detail: string;
  /** The scope that the service says the key is missing. */
  readonly missingScope: string | undefined;
  readonly operation: Operation;
  /** Whether the answer was one of this interface at all. */
  readonly json: boolean;
}

/** One line of what to do about an answer. */
export function hintFor(situation: Situation): string {
  const { kind, status, operation } = situation;
  switch (kind) {
    case "auth":
      return "Check DRIFTLINE_API_KEY: the service does not accept this key. It has to be a personal API key of an active user.";
    case "scope":
      return scopeHint(situation);
    case "not_found":
      return notFoundHint(situation);
    case "throttled":
      return "Run it again later, or set --max-requests-per-minute below the service's limit.";
    case "timeout":
      return "Run it again. If it stays slow, look at the health of the service.";
    case "server":
      return serverHint(status, operation);
    default:
      return (status === 405 ? operation.instead : undefined) ?? invalidHint(situation);
  }
}

function notFoundHint({ operation, json }: Situation): string {
  // A path without ids is there wherever the interface is.
  if (!operation.path.includes(":")) return "Check the URL of the service: this route does not seem to exist there.";
  if (!operation.document) return BEYOND_HINT;
  // Deployed servers answer some unknown ids without a body, which a wrong URL looks like as well.
  return json
    ? "Check the id. Services also say this of what the key's user must not see."
    : "Check the id, and the URL of the service: nothing tells which of them is not known there.";
}

function scopeHint({ detail, missingScope, operation, json }: Situation): string {
  if (/does not support personal api key/iu.test(detail)) {
    return SERVER_QUIRKS[operation.name]?.closed ?? CLOSED_HINT;
  }
  if (missingScope !== undefined) return `Give the API key the scope ${missingScope}.`;
  if (!json) return "The refusal does not come from the service itself: look for a firewall or proxy in between.";
  const needed = operation.scope === null ? "" : ` and the key the scope ${operation.scope}`;
  return `Check that the key's user has the rights that this needs in the organization or project${needed}.`;
}

function serverHint(status: number, operation: Operation): string {
  if (status === 500 && operation.failsOnDeployed === true) return FAILS_HINT;
  if (status === 500)
    return "The service failed on this request. If it does so again, compare what is sent with what the service accepts.";
  return "Run it again later, or look at the health of the service.";
}

function invalidHint({ status, detail }: Situation): string {
  if (status === 402)
    return "The organization's plan does not include this: change the plan, or take it out of the configuration.";
  if (status === 405)
    return "The service does not offer this operation here: it may be older or newer than the interface.";
  if (status === 409)
    return "Something else stands in the way of this change: plan again to see what the service holds now.";
  if (status === 413) return "The request is larger than the service accepts.";
  if (detail === "") return "The service does not say what it objects to: compare what is sent with what it accepts.";
  return "Correct the declared value; the message says what the service objects to.";
}
