import { canAlert } from "./current-query.ts";
import { calculationRoutes } from "./calculations.ts";
import { changesOf, recordActivity } from "../../records/activity.ts";
import { defaultAuthor, numberId, teamOf } from "../scope.ts";
import { defineResource } from "../../resource.ts";
import { currentValues } from "./current-values.ts";
import { destroyAlerts } from "../alert.ts";
import { deployedValues, withPlannedTags } from "./deployed-values.ts";
import { currentPlanHas } from "../../deployed/plan-limits.ts";
import { INSIGHT_FIELDS, renderForCall } from "./fields.ts";
import { insightActionRoutes } from "./actions.ts";
import { findInsight, requireInsight } from "./target.ts";
import { insightTable, makeInsight, type Insight } from "./record.ts";
import { listInsights } from "./list.ts";
import { invalid, notFound } from "../../http/errors.ts";
import { isObject, type JsonObject } from "../../json.ts";
import { objectBody } from "../../http/body.ts";
import { projectRoute, type Route } from "../../http/route.ts";
import { readFields } from "../../http/fields.ts";
import { refreshInsight } from "./refresh.ts";
import { teamTable, type Team } from "../project/record.ts";
import { stamp } from "../../store/time.ts";
import { withTodaysVariables } from "./deployed-variables.ts";
import type { Answer, Authenticated } from "../../http/call.ts";

const READ = "insight:read";
const WRITE = "insight:write";

const ROUTES: readonly Route[] = [
  ...calculationRoutes,
  ...insightActionRoutes,
  projectRoute("insights", { GET: { scope: READ, run: listInsights }, POST: { scope: WRITE, run: create } }),
  projectRoute("insights/:id", {
    GET: { scope: READ, run: retrieve },
    PUT: { scope: WRITE, run: update },
    PATCH: { scope: WRITE, run: update },
    // Always refused, for any id and without a body. An insight is deleted by setting a flag.
    DELETE: { scope: WRITE, run: () => ({ status: 405 }) },
  }),
];

function create(call: Authenticated, team: Team): Answer {
  const { service, user } = call;
  const body = objectBody(call);
  const values = readInsight(call, team, body, undefined);
  const row = makeInsight(service, team.id, { ...values, created_by: user });
  recordChange(call, row, "created", null);
  return insightAnswer(call, team, row, 201);
}

/** A read may request a new calculation, and may name the dashboard that it comes from. */
function retrieve(call: Authenticated, team: Team): Answer {
  const { service, query } = call;
  const row = requireInsight(call, team);
  const dashboard = query.get("from_dashboard");
  if (!service.isRealServer && dashboard !== null && !/^\d+$/.test(dashboard)) {
    throw invalid("invalid_input", "A valid integer is required.", "from_dashboard");
  }
  const refreshed = query.get("refresh") === "true" && refreshInsight(service, team, row);
  return {
    status: 200,
    body: withDashboardTile(
      renderForCall(call, withTodaysVariables(service, team, row), refreshed),
      Number(dashboard),
      service.isRealServer,
    ),
  };
}

/** Adds the layout and the color to the insight's tile on a dashboard. Deployed servers do not show them. */
function withDashboardTile(shown: object, dashboard: number, deployed: boolean): object {
  const tiles: unknown = Object.entries(shown).find(([field]) => field === "dashboard_tiles")?.[1];
  if (deployed || !Array.isArray(tiles)) return shown;
  const dashboard_tiles = tiles.map((tile: unknown) =>
    isObject(tile) && tile["dashboard_id"] === dashboard ? { ...tile, layouts: {}, color: null } : tile,
  );
  return { ...shown, dashboard_tiles };
}

function update(call: Authenticated, team: Team): Answer {
  const { service, user } = call;
  const row = findInsight(call, team);
  if (row === undefined) throw notFound();
  const body = objectBody(call);
  // A deleted insight is not found, unless the call restores it.
  if (row.deleted && body["deleted"] !== false) throw notFound();
  const values = readInsight(call, team, body, row);
  const at = stamp(service.now());
  const touched = ["name", "description", "filters", "query"].some((field) => field in values);
  const modified = touched || !service.isRealServer ? { last_modified_at: at, last_modified_by: user } : {};
  const updated = insightTable(service).put({ ...row, ...values, ...modified, updated_at: at });
  const changes = changesOf("Insight", Object.keys(INSIGHT_FIELDS), { ...row }, { ...updated });
  if (changes.length > 0) recordChange(call, updated, "updated", changes);
  // 215: a deletion, or a query that cannot have alerts, destroys them for good.
  if (service.current && (updated.deleted || !canAlert(updated.query))) destroyAlerts(service, team.id, row.id);
  return insightAnswer(call, team, updated);
}

/** Reads the body of a create, or of an update of the insight `before`. */
function readInsight(call: Authenticated, team: Team, body: JsonObject, before: Insight | undefined): Partial<Insight> {
  const { service } = call;
  const reading = { lenient: service.isRealServer, partial: before !== undefined };
  if (!service.current) {
    const read = readFields(body, INSIGHT_FIELDS, reading);
    return service.isRealServer ? deployedValues(service, read, team, currentPlanHas(call, "tagging")) : read;
  }
  const sent = withPlannedTags(readFields(body, INSIGHT_FIELDS, reading), currentPlanHas(call, "tagging"));
  return currentValues({ call, team, body, sent, before });
}

function recordChange(
  call: Authenticated,
  row: Insight,
  activity: string,
  changes: readonly JsonObject[] | null,
): void {
  const { service, user } = call;
  const { id, short_id, team_id } = row;
  const name = row.name ?? row.derived_name;
  // 231: today's service notes nothing about an insight without a name.
  if (service.current && (name ?? "") === "") return;
  recordActivity(service, {
    place: `insights/${team_id}`,
    user,
    activity,
    scope: "Insight",
    item: id,
    name,
    short_id,
    changes,
    client: call.client?.slice(0, 32) ?? null,
    team_id,
    organization_id: teamTable(service).get(team_id)?.organization ?? null,
  });
}

function insightAnswer(call: Authenticated, team: Team, row: Insight, status = 200): Answer {
  return { status, body: renderForCall(call, withTodaysVariables(call.service, team, row)) };
}

/** The insights of a project. */
export const insight = defineResource({
  name: "insight",
  table: insightTable,
  livesIn: "project",
  routes: ROUTES,
  requests: { budget: "insights", unauthenticated: 403, forms: false, formats: true },
  controlled: true,
  insert: (service, scope, values) =>
    makeInsight(service, teamOf(service, scope).id, { ...numberId(values), created_by: defaultAuthor(service) }),
  findByAlias: (service, id) =>
    insightTable(service)
      .all()
      .find((row) => row.short_id === id),
  seed: { list: "insights", within: ["project"], needed: [] },
});
