import { deployedOrder } from "./deployed-order.ts";
import { filteredInsights } from "./current-list.ts";
import { insightTable, type Insight } from "./record.ts";
import { invalid, serverError } from "../../http/errors.ts";
import { memoized } from "../../store/memo.ts";
import { page } from "../../http/page.ts";
import { renderForCall } from "./fields.ts";
import { userTable } from "../../records/user.ts";
import { visibleTo } from "./access.ts";
import type { Answer, Authenticated } from "../../http/call.ts";
import type { Team } from "../project/record.ts";

/** Answers the list of insights. */
export function listInsights(call: Authenticated, team: Team): Answer {
  const { service, query } = call;
  const author = query.get("created_by");
  if (service.isRealServer && !service.current && author !== null) checkAuthor(call, author);
  const live = visibleTo(call, liveInsights(insightTable(service).within(team.id), ""));
  const filtered = FILTERS.some((name) => query.has(name));
  const passing = (): readonly Insight[] => live.filter((row) => passesFilters(row, query, service.isRealServer));
  const rows = service.current ? filteredInsights(call, live) : filtered ? passing() : live;
  // Deployed servers fail to render a list of insights as CSV.
  if (service.isRealServer && query.get("format") === "csv") throw serverError();
  const ordered = service.isRealServer ? deployedOrder(rows, query.get("order"), call.serial) : rows;
  return page(call, ordered, (row) => renderForCall(call, row));
}

const liveInsights = memoized((rows: readonly Insight[]) => rows.filter((row) => !row.deleted));
const FILTERS = ["short_id", "created_by", "saved", "search"];

function passesFilters(row: Insight, query: URLSearchParams, deployed: boolean): boolean {
  const shortId = query.get("short_id");
  const author = query.get("created_by");
  if (shortId !== null && row.short_id !== shortId) return false;
  if (author !== null && String(row.created_by?.id) !== author) return false;
  return !deployed || passesDeployedFilters(row, query);
}

function checkAuthor({ service }: Authenticated, author: string): void {
  const known = userTable(service)
    .all()
    .some((user) => String(user.id) === author);
  const detail = "Select a valid choice. That choice is not one of the available choices.";
  if (!known) throw invalid("invalid_choice", detail, "created_by");
}

/** Applies the list filters of deployed servers that the document does not have. */
function passesDeployedFilters(row: Insight, query: URLSearchParams): boolean {
  // An insight on a dashboard counts as saved.
  if (query.get("saved") === "true" && !row.saved && row.dashboards.length === 0) return false;
  const search = query.get("search")?.toLowerCase() ?? "";
  if (search === "") return true;
  const texts = [row.name, row.derived_name, row.description, ...row.tags];
  return texts.some((text) => typeof text === "string" && text.toLowerCase().includes(search));
}
