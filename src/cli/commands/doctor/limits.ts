import { plural } from "../../../model/plural.ts";
import type { Headers } from "../../../api/http/exchange.ts";
import { sanitize } from "../../../model/quote.ts";
import { ok, problem, type Finding } from "./report.ts";
import type { ListSize } from "./scopes.ts";
import type { PathIds, ServiceProbe } from "./probe.ts";

/** Small, because some services need long for each row. Rows. */
const REQUESTED_ROWS = 50;

/** Checks how many rows the service puts on a page. Reads the first page of the longest list. */
export async function checkPageSize(
  probe: ServiceProbe,
  pathIds: PathIds,
  lists: readonly ListSize[],
): Promise<Finding> {
  const [longest] = lists.toSorted((a, b) => b.count - a.count);
  if (longest === undefined || longest.count === 0) {
    const hint = "No action is needed: driftline reads pages of any size.";
    return problem("page_size", "unknown", { message: "no list has any rows", hint });
  }
  const { operation, count } = longest;
  const page = await probe.get(operation, pathIds, { limit: REQUESTED_ROWS });
  if (page.error !== undefined) return problem("page_size", "unknown", page.error);
  const rows = page.rows.length;
  if (rows === 0) {
    const message = `${operation} reports a count of ${String(count)}, but its first page is empty`;
    const hint = "Check the health of the service: driftline cannot prove that its lists are complete.";
    return problem("page_size", "warning", { message, hint });
  }
  if (rows >= REQUESTED_ROWS) return ok("page_size", `${plural(rows, "row")} per page, as requested`);
  if (rows >= count) return ok("page_size", `the longest list (${plural(rows, "row")}) fits on one page`);
  const requests = Math.ceil(count / rows);
  return ok("page_size", `${plural(rows, "row")} per page, so ${operation} takes ${plural(requests, "request")}`);
}

/** Reports whether a request of the checks met a rate limit. */
export function checkRateLimit(probe: ServiceProbe): Finding {
  const wait = probe.throttledFor;
  const headers = limitHeaders(probe.lastHead?.headers ?? {});
  if (wait !== undefined) {
    const message = `reached: the service asked for a wait of ${String(Math.ceil(wait / 1000))} s${headers}`;
    const hint = "Set --max-requests-per-minute below the limit, or run when nothing else uses the key.";
    return problem("rate_limit", "warning", { message, hint });
  }
  return ok("rate_limit", `not reached in ${plural(probe.client.requests(), "request")}${headers}`);
}

/** Returns the headers in which the service states its limits, as text. */
function limitHeaders(headers: Headers): string {
  const found = Object.entries(headers).filter(
    ([name, value]) => /^(x-)?ratelimit/u.test(name) && typeof value === "string",
  );
  return found.map(([name, value]) => `; ${name}: ${sanitize(String(value))}`).join("");
}
