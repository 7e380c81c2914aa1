import type { Insight } from "./record.ts";

/** Applies the list filters of deployed servers that the document does not have. */
export function passesDeployedFilters(row: Insight, query: URLSearchParams): boolean {
  // An insight on a dashboard counts as saved.
  if (query.get("saved") === "true" && !row.saved && row.dashboards.length === 0) return false;
  const search = query.get("search")?.toLowerCase() ?? "";
  if (search === "") return true;
  const texts = [row.name, row.derived_name, row.description, ...row.tags];
  return texts.some((text) => typeof text === "string" && text.toLowerCase().includes(search));
}
