/** What to do about refusals whose cause is neither the key nor the value. The code and the detail tell it, whatever the status. */

/** How many of something the service allows, and how many there are. */
interface Limit {
  readonly limit: number;
  readonly current: number;
}

export interface ServiceRefusal {
  readonly status: number;
  readonly code: string | null;
  readonly detail: string;
  /** The field that the service rejected. */
  readonly attr: string | null;
  /** Current service 213: only the code `limit_exceeded` has one. */
  readonly limit: Limit | undefined;
}

/** Current service 195: the code of a 429 that is no rate limit. It lasts until a backfill has finished, so no wait helps. */
export const TOO_MANY_BACKFILLS = "too_many_concurrent_backfills";

interface Cause {
  readonly is: (refusal: ServiceRefusal) => boolean;
  readonly hint: (refusal: ServiceRefusal) => string;
}

/** The answer to the id of an object that was deleted. */
const GONE = /^Invalid pk "([\w-]+)" - object does not exist\.$/u;

/** The answer of today's service to dashboards that the project does not have. Current service 212. */
const NOT_IN_PROJECT = /^Dashboard not found: ([\d, ]+)$/u;

const CAUSES: readonly Cause[] = [
  {
    is: ({ detail }) => detail === "Your organization is being deleted.",
    hint: () => "The key is not the cause. Remove the organization from the configuration, or wait until it is gone.",
  },
  {
    is: ({ detail }) => detail.startsWith("Your organization has been deactivated."),
    hint: () => "The key is not the cause. Have the service's support activate the organization again.",
  },
  {
    is: ({ code }) => code === "verified_domain_required",
    hint: () =>
      "The address of the key's user is in none of the organization's verified domains. Use the key of a user who is in one, or have an admin turn enforce_verified_domains off, with a change of nothing else.",
  },
  {
    is: ({ code, detail }) => code === "permission_denied" && /\blegacy filters\b/u.test(detail),
    hint: () => "The key is not the cause: this service takes a query only. Declare the query instead of filters.",
  },
  {
    // Current service 224.
    is: ({ detail }) => detail === "Legacy insight endpoints are not available for this user.",
    hint: () =>
      "The key is not the cause: this service no longer calculates in this way. insights.get shows the result of an insight.",
  },
  {
    is: ({ detail }) => detail === "Your organization access level is insufficient.",
    hint: () =>
      "The scopes of the key are not the cause: its user has too low a level in the organization. Use the key of an admin or an owner.",
  },
  {
    is: ({ detail }) => /change your own access level/iu.test(detail),
    hint: () => "The key is not the cause: no user can change their own level. Use the key of another owner.",
  },
  {
    // Server facts 239.
    is: ({ detail }) => /^API keys? (?:with scoped|does not have access to the requested)\b/u.test(detail),
    hint: ({ detail }) => {
      const limit = detail.includes("organization") ? "organizations" : "projects";
      const ids = " Or declare the ids of the organization and of the project: a plan of these reads no others.";
      return `The scopes of the key are not the cause: the key is limited to some ${limit}. Use a key without this limit.${limit === "projects" ? ids : ""}`;
    },
  },
  {
    // Server facts 240.
    is: ({ status, detail }) => status === 403 && /\bnot enabled for this team\b/u.test(detail),
    hint: () => "The key is not the cause: the plan does not include this. Change the plan, or the declared value.",
  },
  {
    // Server facts 238.
    is: ({ detail }) => GONE.test(detail),
    hint: ({ detail, attr }) => {
      const [, id = ""] = GONE.exec(detail) ?? [];
      return `${attr ?? "A field"} names ${id}, which is gone from the service. Remove ${id} from the configuration.`;
    },
  },
  {
    is: ({ detail }) => NOT_IN_PROJECT.test(detail),
    hint: ({ detail }) => {
      const [, ids = ""] = NOT_IN_PROJECT.exec(detail) ?? [];
      return `The project has no dashboard ${ids}: gone, or of another project. Remove ${ids} from the configuration.`;
    },
  },
  {
    is: ({ code }) => code === "payment_required",
    hint: ({ attr }) =>
      `This needs a paid plan${attr === null ? "" : `: ${attr}`}. Change the plan, or remove it from the configuration.`,
  },
  {
    is: ({ code }) => code === "limit_exceeded",
    hint: ({ limit }) => {
      const known =
        limit === undefined ? "" : ` The limit is ${String(limit.limit)}, and ${String(limit.current)} are there.`;
      return `The service allows no more of these.${known} Remove some, or have the service's support raise the limit.`;
    },
  },
  {
    is: ({ code }) => code === TOO_MANY_BACKFILLS,
    hint: () =>
      "This is no rate limit, so waiting for seconds does not help. Send it again when a backfill has finished, or cancel one on the service.",
  },
  {
    is: ({ code }) => code === "locked",
    hint: ({ attr }) =>
      `The service does not let anybody change ${attr ?? "this"} here. Remove it from the configuration.`,
  },
  {
    is: ({ code, status }) => code === "feature_not_available" || status === 402,
    hint: () =>
      "The organization's plan does not include this. Change the plan, or remove this from the configuration.",
  },
];

/** Whether an answer says that a value names an object which is gone. */
export function namesGoneObject(detail: string): boolean {
  return GONE.test(detail) || NOT_IN_PROJECT.test(detail);
}

/** What to do about a refusal that neither other rights nor another value would change; undefined for all others. */
export function hintForCause(refusal: ServiceRefusal): string | undefined {
  return CAUSES.find(({ is }) => is(refusal))?.hint(refusal);
}
