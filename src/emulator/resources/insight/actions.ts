import { activityPage } from "../../records/activity-page.ts";
import { activityTable, renderActivity } from "../../records/activity.ts";
import { ApiError, invalid, notFound } from "../../http/errors.ts";
import { findInsight, requireInsight } from "./target.ts";
import { insightTable, type Insight } from "./record.ts";
import { integer, list, readFields, required } from "../../http/fields.ts";
import { recordViewing, viewingTable } from "./usage.ts";
import { objectBody } from "../../http/body.ts";
import { projectRoute, type Route } from "../../http/route.ts";
import { renderCurrentInsight } from "./current-render.ts";
import { renderDeployedInsight } from "./deployed-render.ts";
import { renderForCall, placeholderInsight } from "./fields.ts";
import { visibleTo } from "./access.ts";
import type { Answer, Authenticated } from "../../http/call.ts";
import type { Team } from "../project/record.ts";

const ACTIVITY = "activity_log:read";
const READ = "insight:read";
/** The length of the list of insights that a user viewed last. */
const LAST_VIEWED = 5;

/** The routes of insights other than CRUD and calculations. */
export const insightActionRoutes: readonly Route[] = [
  projectRoute("insights/activity", { GET: { scope: ACTIVITY, run: allActivity } }),
  projectRoute("insights/my_last_viewed", { GET: { scope: null, run: lastViewed } }),
  projectRoute("insights/cancel", { POST: { scope: null, run: cancel } }),
  projectRoute("insights/timing", { POST: { scope: null, run: timing } }),
  {
    ...projectRoute("insights/:insight_id/sharing", { GET: { scope: "sharing_configuration:read", run: sharing } }),
    jsonOnly: true,
  },
  projectRoute("insights/:id/activity", { GET: { scope: ACTIVITY, run: activity } }),
  {
    ...projectRoute("insights/:id/viewed", { POST: { scope: null, deployedScope: READ, run: viewed } }),
    dialects: ["document", "deployed"],
  },
  { ...projectRoute("insights/viewed", { POST: { scope: READ, run: viewedInsights } }), dialects: ["current"] },
];

/** In the document an activity list has the shape of an insight. Its `result` contains the entries. */
function allActivity(call: Authenticated, team: Team): Answer {
  const rows = activityTable(call.service).within(`insights/${team.id}`);
  if (call.service.isRealServer) return activityPage(call, rows);
  return placeholderInsight(call, team, rows.toReversed().map(renderActivity));
}

function activity(call: Authenticated, team: Team): Answer {
  const { service } = call;
  const row = findInsight(call, team);
  if (row === undefined || row.deleted) throw service.isRealServer ? new ApiError(404) : notFound();
  if (!service.isRealServer) return { status: 200, body: renderForCall(call, row) };
  const rows = activityTable(service).within(`insights/${team.id}`);
  return activityPage(
    call,
    rows.filter(({ item }) => item === row.id),
  );
}

function viewed(call: Authenticated, team: Team): Answer {
  const row = requireInsight(call, team);
  objectBody(call);
  recordViewing(call.service, call.user.id, row.id);
  return call.service.isRealServer ? { status: 201 } : { status: 200, body: renderForCall(call, row) };
}

const VIEWED_FIELDS = { insight_ids: required(list(integer())) };
const MAX_VIEWED = 2500;

/** Fact 223: notes that the caller viewed some insights. */
function viewedInsights(call: Authenticated, team: Team): Answer {
  const { insight_ids: ids = [] } = readFields(objectBody(call), VIEWED_FIELDS, { lenient: true, partial: false });
  if (ids.length === 0 || ids.length > MAX_VIEWED) {
    throw invalid("invalid_input", `Between 1 and ${MAX_VIEWED} ids are expected.`, "insight_ids");
  }
  for (const id of ids) {
    if (insightTable(call.service).get(id)?.team_id === team.id) recordViewing(call.service, call.user.id, id);
  }
  return { status: 201 };
}

/** The text of the document says "the last five" but its example is one insight. Both dialects answer with a list. */
function lastViewed(call: Authenticated, team: Team): Answer {
  const { service, user } = call;
  const rows = viewingTable(service)
    .within(user.id)
    .toSorted((a, b) => b.serial - a.serial)
    .map(({ insight }) => insightTable(service).get(insight))
    .filter((row): row is Insight => row !== undefined && row.team_id === team.id && !row.deleted)
    .slice(0, LAST_VIEWED);
  return { status: 200, body: visibleTo(call, rows).map((row) => renderBasic(call, row)) };
}

/** Deployed servers show the basic fields, and always an empty list of tags. */
function renderBasic(call: Authenticated, row: Insight): object {
  if (!call.service.isRealServer) return renderForCall(call, row);
  if (call.service.current) return renderCurrentInsight(call, row, true);
  return { ...renderDeployedInsight(row, true, call.serial), user_access_level: null, tags: [] };
}

function cancel(call: Authenticated, team: Team): Answer {
  const body = objectBody(call);
  if (!call.service.isRealServer) return placeholderInsight(call, team, null);
  if (body["client_query_id"] === undefined)
    throw invalid("invalid_input", "This field is required.", "client_query_id");
  return { status: 201 };
}

/** Accepts a measurement of a client's timing and discards it. */
function timing(call: Authenticated, team: Team): Answer {
  objectBody(call);
  return call.service.isRealServer ? { status: 201 } : placeholderInsight(call, team, null);
}

/** Insights are never shared, and deployed servers then return a new token in every answer. */
function sharing(call: Authenticated, team: Team): Answer {
  const { service } = call;
  const row = findInsight(call, team, "insight_id");
  if (row === undefined || row.deleted) throw notFound(service.isRealServer ? "Insight not found." : "Not found.");
  if (service.isRealServer) {
    return {
      status: 200,
      body: { created_at: null, enabled: false, access_token: service.ids.token(30), settings: null },
    };
  }
  return {
    status: 200,
    body: { created_at: row.created_at, enabled: false, access_token: `not-shared-${row.short_id}` },
  };
}
