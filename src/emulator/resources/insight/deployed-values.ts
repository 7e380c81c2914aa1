import { invalid, serverError, unparsable } from "../../http/errors.ts";
import { isObject } from "../../json.ts";
import type { Insight } from "./record.ts";
import type { INSIGHT_FIELDS } from "./fields.ts";
import type { Json } from "../../json.ts";
import type { Team } from "../project/record.ts";
import type { Values } from "../../http/fields.ts";

type SentValues = Values<typeof INSIGHT_FIELDS>;

/** The kinds of nodes that wrap a query, with their allowed keys. */
const WRAPPERS: Readonly<Record<string, readonly string[]>> = {
  InsightVizNode: [
    "kind",
    "source",
    "showTable",
    "showHeader",
    "showFilters",
    "showResults",
    "showCorrelationTable",
    "showLastComputation",
    "showLastComputationRefresh",
    "full",
    "embedded",
    "suppressSessionAnalysisWarning",
    "hidePersonsModal",
    "hideTooltipOnScroll",
    "vizSpecificOptions",
    "version",
  ],
  SavedInsightNode: ["kind", "shortId", "version", "full", "embedded", "showTable", "showHeader", "showFilters"],
};
/** Kinds whose keys the emulator does not check. */
const OTHER_KINDS =
  /^(EventsNode|ActionsNode|PersonsNode|DataWarehouseNode|DataTableNode|DataVisualizationNode|HogQuery|HogQLQuery|[A-Z]\w+Query)$/;

/**
 * Converts the values of a create or update like deployed servers. They check more than the document says, normalize
 * tags (or drop them if the plan has no `tagging`), and set a default for filters.
 * @throws ApiError 400 or 500
 */
export function deployedValues(sent: SentValues, row: Insight | undefined, team: Team, tagging: boolean): SentValues {
  if (Array.isArray(sent.filters)) throw serverError();
  if (sent.query !== undefined && sent.query !== null) checkQuery(sent.query);
  checkDashboards(sent.dashboards ?? [], team);
  const tags = sent.tags === undefined ? {} : { tags: tagging ? normalizeTags(sent.tags) : [] };
  const dashboards = sent.deleted === true ? { dashboards: [] } : {};
  return { ...sent, ...tags, ...dashboards, ...defaultFilters(sent, row) };
}

function checkQuery(query: Json): void {
  if (!isObject(query)) throw unparsable("1 validation error: the query has to be an object.");
  const kind = typeof query["kind"] === "string" ? query["kind"] : "";
  const known = WRAPPERS[kind];
  if (known === undefined && !OTHER_KINDS.test(kind)) throw unparsable(`1 validation error: unknown kind '${kind}'.`);
  const extra = Object.keys(query).find((key) => known?.includes(key) === false);
  if (extra !== undefined) throw unparsable(`1 validation error: ${kind}.${extra}: extra inputs are not permitted.`);
  const source = query["source"];
  if (known !== undefined && isObject(source)) checkQuery(source);
}

function checkDashboards(dashboards: readonly number[], team: Team): void {
  const missing = dashboards.find((id) => !team.dashboards.includes(id));
  if (missing === undefined) return;
  throw invalid("does_not_exist", `Invalid pk "${missing}" - object does not exist.`, "dashboards");
}

/** Normalizes tags: trimmed, in lower case, without duplicates. A tag that the database rejects is a server error. */
function normalizeTags(tags: readonly Json[]): string[] {
  const names = tags.map((tag) => {
    if (typeof tag !== "string" || tag.length > 255) throw serverError();
    return tag.trim().toLowerCase();
  });
  return [...new Set(names)];
}

/** An insight without filters and query becomes an empty trend. */
function defaultFilters(sent: SentValues, row: Insight | undefined): { readonly filters?: Json } {
  const filters = sent.filters ?? row?.filters ?? {};
  const query = sent.query === undefined ? (row?.query ?? null) : sent.query;
  const empty = query === null && isObject(filters) && Object.keys(filters).length === 0;
  return empty ? { filters: { insight: "TRENDS" } } : {};
}
