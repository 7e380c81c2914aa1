import { ApiError } from "../errors/errors.ts";
import type { FetchPage } from "./read-list.ts";

/** A server may refuse what is above its largest page, in place of giving less: then the page is what it gives unasked. */
export function withDefault(fetchPage: FetchPage): FetchPage {
  return async (query, arrived) => {
    try {
      return await fetchPage(query, arrived);
    } catch (error) {
      if (!isLimitRefused(error)) throw error;
      return fetchPage(Object.fromEntries(Object.entries(query).filter(([name]) => name !== "limit")), arrived);
    }
  };
}

function isLimitRefused(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.kind !== "invalid" || error.status === null) return false;
  return error.attr === "limit" || (error.attr === null && /\blimit\b/iu.test(error.message));
}
