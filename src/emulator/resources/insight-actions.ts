import { ApiError, invalid, notFound } from "../http/errors.ts";
import { activityPage } from "./activity-page.ts";
import { insightAt, presentInsight } from "./insight-target.ts";
import { noteViewing } from "../records/viewing.ts";
import { objectBody } from "../http/body.ts";
import { projectRoute } from "../http/route.ts";
import { renderActivity } from "../records/activity.ts";
import { renderDeployedInsight } from "../deployed/insight-render.ts";
import { renderFor, standIn } from "./insight-fields.ts";
import type { Answer, Authenticated } from "../http/call.ts";
import type { Insight } from "../records/insight.ts";
import type { Route } from "../http/route.ts";
import type { Team } from "../records/team.ts";

const ACTIVITY = "activity_log:read";
const READ = "insight:read";
/** How many insights the list of those that a user viewed has. */
const LAST_VIEWED = 5;

/** What can be done with insights besides keeping and calculating them. */
export const insightActionRoutes: readonly Route[] = [
  projectRoute("insights/activity", "insights", { GET: { scope: ACTIVITY, run: allActivity } }),
  projectRoute("insights/my_last_viewed", "insights", { GET: { scope: null, run: lastViewed } }),
  projectRoute("insights/cancel", "insights", { POST: { scope: null, run: cancel } }),
  projectRoute("insights/timing", "insights", { POST: { scope: null, run: done } }),
  projectRoute("insights/:insight_id/sharing", "insights", {
    GET: { scope: "sharing_configuration:read", run: sharing },
  }),
  projectRoute("insights/:id/activity", "insights", { GET: { scope: ACTIVITY, run: activity } }),
  projectRoute("insights/:id/viewed", "insights", { POST: { scope: null, deployedScope: READ, run: viewed } }),
];

/** The document has an activity list answer in the shape of an insight; its `result` then holds the entries. */
function allActivity(call: Authenticated, team: Team): Answer {
  const rows = call.service.store.activities.within(`insights/${team.id}`);
  if (call.service.deployed) return activityPage(call, rows);
  return standIn(call, team, rows.toReversed().map(renderActivity));
}

function activity(call: Authenticated, team: Team): Answer {
  const { service } = call;
  const row = insightAt(call, team);
  if (row === undefined || row.deleted) throw service.deployed ? new ApiError(404) : notFound();
  if (!service.deployed) return { status: 200, body: renderFor(call, row) };
  const rows = service.store.activities.within(`insights/${team.id}`);
  return activityPage(
    call,
    rows.filter(({ item }) => item === row.id),
  );
}

function viewed(call: Authenticated, team: Team): Answer {
  const row = presentInsight(call, team);
  objectBody(call, "insights");
  noteViewing(call.service, call.user.id, row.id);
  return call.service.deployed ? { status: 201 } : { status: 200, body: renderFor(call, row) };
}

/** The document shows one insight as the example of what its text calls the last five: it is a list in both dialects. */
function lastViewed(call: Authenticated, team: Team): Answer {
  const { service, user } = call;
  const rows = service.store.viewings
    .within(user.id)
    .toSorted((a, b) => b.serial - a.serial)
    .map(({ insight }) => service.store.insights.get(insight))
    .filter((row): row is Insight => row !== undefined && row.team_id === team.id && !row.deleted)
    .slice(0, LAST_VIEWED);
  return { status: 200, body: rows.map((row) => basic(call, row)) };
}

/** Deployed servers leave out a little, and the tags although they show the field. */
function basic(call: Authenticated, row: Insight): object {
  if (!call.service.deployed) return renderFor(call, row);
  return { ...renderDeployedInsight(row, true, call.serial), user_access_level: null, tags: [] };
}

function cancel(call: Authenticated, team: Team): Answer {
  const body = objectBody(call, "insights");
  if (!call.service.deployed) return standIn(call, team, null);
  if (body["client_query_id"] === undefined)
    throw invalid("invalid_input", "This field is required.", "client_query_id");
  return { status: 201 };
}

/** Takes a measurement of how long something took, and forgets it. */
function done(call: Authenticated, team: Team): Answer {
  objectBody(call, "insights");
  return call.service.deployed ? { status: 201 } : standIn(call, team, null);
}

/** Nothing is ever shared here, and so deployed servers make up another token for every answer. */
function sharing(call: Authenticated, team: Team): Answer {
  const { service } = call;
  const row = insightAt(call, team, "insight_id");
  if (row === undefined || row.deleted) throw notFound(service.deployed ? "Insight not found." : "Not found.");
  if (service.deployed) {
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
