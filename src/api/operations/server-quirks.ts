/**
 * Where deployed servers differ from the interface document: everything that the client knows, by operation.
 *
 * The profile `posthog` sends the queries of this table, `document` does not. Both profiles handle refusals: a query that the
 * service rejects is left out, and the error of a closed operation says what to do instead.
 */
/** A query beyond the document that makes paging stable or rows small. */
export type ListQuery = Readonly<Record<string, string | boolean>>;

export interface ServerQuirk {
  /** Always answers 500. A create that does so has certainly not happened. */
  readonly fails?: true;
  readonly listQuery?: ListQuery;
  /** Set if the service closes the operation to keys that have scopes. What to do instead. */
  readonly closed?: string;
  /** Answers 401 to a user without a current project. What `closed` says helps then, too. */
  readonly needsProject?: true;
  /** May leave the user of the key without a current organization. */
  readonly losesCurrent?: true;
  /** The permission that the operation needs although the document lists none. Some older servers close it instead. */
  readonly permission?: string;
  /** The operation in its place on services that no longer have it. */
  readonly successor?: string;
  /** Set if services of today no longer have it, and nothing in its place. What to do instead. */
  readonly gone?: string;
  /** Takes files instead of the resource that the document shows. */
  readonly takesFiles?: true;
}

const PAUSED = "Set paused with project_batch_exports.update in its place, as apply does.";
const EXPORT_PERMISSION = "batch_export:write";
const PAUSING = { closed: PAUSED, permission: EXPORT_PERMISSION } as const;
const UNPAUSING = { ...PAUSING, needsProject: true } as const;
const ON_PROJECT = { fails: true } as const;
// Current service 224.
const CALCULATION = {
  gone: "Either the project does not exist, or the service no longer has this calculation: insights.get shows the result of an insight.",
} as const;
const PROVIDER = {
  gone: "Either it does not exist, or the service is older than June 2026 and has no identity provider configurations: declare the saml_ fields of the domain.",
} as const;
const FILES = { takesFiles: true } as const;

export const SERVER_QUIRKS: Readonly<Record<string, ServerQuirk>> = {
  // The default order loses and repeats rows between pages; `basic` leaves out computed results.
  "insights.list": { listQuery: { order: "id", basic: true } },
  // Only the project's route takes writes.
  "batch_exports.create": ON_PROJECT,
  "batch_exports.update": ON_PROJECT,
  "batch_exports.backfill": {
    ...ON_PROJECT,
    permission: EXPORT_PERMISSION,
    successor: "project_batch_exports.create_backfill",
  },
  "project_batch_exports.backfill": {
    permission: EXPORT_PERMISSION,
    successor: "project_batch_exports.create_backfill",
  },
  "batch_exports.pause": PAUSING,
  "batch_exports.unpause": UNPAUSING,
  "project_batch_exports.pause": PAUSING,
  "project_batch_exports.unpause": UNPAUSING,
  "organizations.delete": { losesCurrent: true },
  "insights.viewed": { permission: "insight:read", successor: "insights.mark_viewed" },
  "identity_provider_configs.list": PROVIDER,
  "identity_provider_configs.get": PROVIDER,
  "identity_provider_configs.create": PROVIDER,
  "identity_provider_configs.update": PROVIDER,
  "identity_provider_configs.delete": PROVIDER,
  "insights.get_path": CALCULATION,
  "insights.path": CALCULATION,
  "insights.get_retention": CALCULATION,
  "insights.retention": CALCULATION,
  "pipeline_destinations.update_source": FILES,
  "pipeline_frontend_apps.update_source": FILES,
  "pipeline_import_apps.update_source": FILES,
  "domains.verify": { closed: "Verify the domain in the service's web interface, or with a key that has no scopes." },
};

/**
 * The query for rows with all fields. Deployed servers take a tenth of a second for each, and gateways cut long answers off, so
 * the pages are small.
 */
export const FULL_VIEW = { basic: false, limit: 50 } as const;

/** The document does not say this: a 403 with one of these codes rejects the key itself, not its rights. */
export const CREDENTIAL_CODES: ReadonlySet<string> = new Set(["not_authenticated", "authentication_failed"]);

/** The detail of every 404 to a user who has no current organization. */
export const NO_CURRENT_ORGANIZATION = /^You need to belong to an organization\b/iu;

/** What to do about the 500 of an operation that always fails. */
export const FAILS_HINT = "Declare it under projects: deployed servers take batch exports only there.";
/** What to do about an operation that is closed to keys with scopes. */
export const CLOSED_HINT =
  "The service closes this operation to API keys that have scopes: do it in its web interface.";
