/**
 * Where deployed servers differ from the interface document, operation by operation: all that the client knows of it.
 *
 * The profile `posthog` sends the queries of this table, `document` does not. What a service refuses is survived under both:
 * a query that is not taken is left out, an operation that is closed is told with what to do in its place.
 */
import type { Operation } from "../../kinds/operation.ts";

export interface ServerQuirk {
  /** Answers 500 whatever is sent; a create that does so has certainly not happened. */
  readonly fails?: true;
  /** Query beyond the document that makes paging stable, or rows small. */
  readonly listQuery?: Operation["listQuery"];
  /** What to do where the service closes the operation to keys that have scopes. */
  readonly closed?: string;
}

const PAUSED = "Set paused with project_batch_exports.update in its place, as apply does.";
const ON_PROJECT = { fails: true } as const;

export const SERVER_QUIRKS: Readonly<Record<string, ServerQuirk>> = {
  // The default order loses and repeats rows between pages; `basic` leaves out computed results.
  "insights.list": { listQuery: { order: "id", basic: true } },
  // Only the project's route takes writes.
  "batch_exports.create": ON_PROJECT,
  "batch_exports.update": ON_PROJECT,
  "batch_exports.backfill": ON_PROJECT,
  "batch_exports.pause": { closed: PAUSED },
  "batch_exports.unpause": { closed: PAUSED },
  "project_batch_exports.pause": { closed: PAUSED },
  "project_batch_exports.unpause": { closed: PAUSED },
  "domains.verify": { closed: "Verify the domain in the service's web interface, or with a key that has no scopes." },
};

/** What the document says nothing of: with 403, these codes of an error mean the key itself, not its rights. */
export const CREDENTIAL_CODES: ReadonlySet<string> = new Set(["not_authenticated", "authentication_failed"]);

/** What to do about the 500 of an operation that always fails. */
export const FAILS_HINT =
  "Deployed servers may take batch exports on the project's route only: declare the export under projects.";
/** What to do about an operation that is closed to keys with scopes. */
export const CLOSED_HINT =
  "The service closes this operation to API keys that have scopes: do it in its web interface.";
