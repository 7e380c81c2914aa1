import { defineResource } from "../resource.ts";
import { defineTable, type Row } from "../store/table.ts";
import { flag, readFields, required, text } from "../http/fields.ts";
import { notFound } from "../http/errors.ts";
import { numberId, teamOf } from "./scope.ts";
import { objectBody } from "../http/body.ts";
import { page } from "../http/page.ts";
import { projectRoute, type Route } from "../http/route.ts";
import type { Answer, Authenticated } from "../http/call.ts";
import type { Service } from "../service.ts";
import type { Team } from "./project/record.ts";

/** A feature flag of a project. */
export interface FeatureFlag extends Row {
  readonly id: number;
  readonly project_id: number;
  readonly key: string;
  readonly name: string;
  readonly active: boolean;
  readonly deleted: boolean;
}

const flagTable = defineTable<FeatureFlag>((row) => row.project_id);

const FIELDS = { key: required(text({ max: 400 })), name: text({ blank: true }), active: flag(), deleted: flag() };

function makeFlag(service: Service, projectId: number, values: Partial<FeatureFlag>): FeatureFlag {
  const defaults = { id: service.ids.next("feature_flag"), key: "", name: "", active: true, deleted: false };
  return flagTable(service).put({ ...defaults, ...values, project_id: projectId });
}

function render({ project_id: _project, overrides, ...fields }: FeatureFlag): object {
  return { ...fields, ...overrides };
}

const ROUTES: readonly Route[] = [
  projectRoute("feature_flags", {
    GET: { scope: "feature_flag:read", run: list },
    POST: { scope: "feature_flag:write", run: create },
  }),
  projectRoute("feature_flags/:id", {
    GET: { scope: "feature_flag:read", run: (call, team) => ({ status: 200, body: render(target(call, team)) }) },
    PATCH: { scope: "feature_flag:write", run: update },
    // A flag is deleted by its field.
    DELETE: { scope: "feature_flag:write", run: () => ({ status: 405 }) },
  }),
];

function list(call: Authenticated, team: Team): Answer {
  const rows = flagTable(call.service).within(team.id);
  return page(
    call,
    rows.filter(({ deleted }) => !deleted),
    render,
  );
}

function create(call: Authenticated, team: Team): Answer {
  const values = readFields(objectBody(call), FIELDS, { lenient: call.service.isRealServer, partial: false });
  return { status: 201, body: render(makeFlag(call.service, team.id, values)) };
}

function update(call: Authenticated, team: Team): Answer {
  const values = readFields(objectBody(call), FIELDS, { lenient: call.service.isRealServer, partial: true });
  return { status: 200, body: render(flagTable(call.service).put({ ...target(call, team), ...values })) };
}

function target({ service, params }: Authenticated, team: Team): FeatureFlag {
  const row = flagTable(service).get(Number(params["id"]));
  if (row === undefined || row.project_id !== team.id) throw notFound();
  return row;
}

/** The feature flags of a project. */
export const featureFlag = defineResource({
  name: "feature_flag",
  table: flagTable,
  livesIn: "project",
  routes: ROUTES,
  controlled: true,
  insert: (service, scope, values) => makeFlag(service, teamOf(service, scope).id, numberId(values)),
  seed: { list: "feature_flags", within: ["project"], needed: ["key"] },
});
