import type { Headers } from "../../../api/http/transport.ts";
import { isJsonObject } from "../../../model/json.ts";
import { sanitize } from "../../../report/index.ts";
import { ok, type Finding } from "./report.ts";
import type { KnownList, Place } from "./scopes.ts";
import type { ServiceProbe } from "./probe.ts";

/** What reading lists asks for. Rows. */
const ASKED = 500;

/** How large the pages are that the service really gives, by the longest list that is known. */
export async function pageSize(visit: ServiceProbe, place: Place, lists: readonly KnownList[]): Promise<Finding> {
  const about = { check: "page_size", subject: null } as const;
  const [longest] = lists.toSorted((a, b) => b.count - a.count);
  if (longest === undefined || longest.count === 0) {
    const message = "there is no list with anything in it";
    return { ...about, status: "unknown", message, fix: "Nothing has to be done: pages of any size are read whole." };
  }
  const { body, error } = await visit.get(longest.operation, place, { limit: ASKED });
  if (error !== undefined) return { ...about, status: "unknown", message: error.message, fix: error.hint };
  const results = isJsonObject(body) ? body["results"] : undefined;
  const rows = Array.isArray(results) ? results.length : 0;
  if (rows === 0) {
    const message = `${longest.operation} counts ${String(longest.count)} rows and gives none`;
    return {
      ...about,
      status: "warning",
      message,
      fix: "Look at the health of the service: its lists cannot be proven whole.",
    };
  }
  if (rows >= ASKED) return ok("page_size", `${String(rows)} rows at once, as many as are asked for`);
  if (rows >= longest.count) return ok("page_size", `the longest list, of ${String(rows)}, comes at once`);
  const requests = Math.ceil(longest.count / rows);
  return ok("page_size", `${String(rows)} rows at once, so ${longest.operation} takes ${String(requests)} requests`);
}

/** What was seen of a limit on the rate of requests. */
export function rateLimit(visit: ServiceProbe): Finding {
  const wait = visit.throttledFor();
  const told = limitHeaders(visit.head()?.headers ?? {});
  if (wait !== undefined) {
    const message = `reached: the service asked to wait ${String(Math.ceil(wait / 1000))} s${told}`;
    const fix = "Set --max-requests-per-minute below the limit, or run when nothing else uses the key.";
    return { check: "rate_limit", subject: null, status: "warning", message, fix };
  }
  return ok("rate_limit", `not reached in ${String(visit.client.requests())} requests${told}`);
}

/** Headers by which services tell their limits, where they do. */
function limitHeaders(headers: Headers): string {
  const found = Object.entries(headers).filter(
    ([name, value]) => /^(x-)?ratelimit/u.test(name) && typeof value === "string",
  );
  return found.map(([name, value]) => `; ${name}: ${sanitize(String(value))}`).join("");
}
