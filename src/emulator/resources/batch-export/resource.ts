import { throughStorage, checkConfig, mergeDestination } from "./destinations.ts";
import { backfill, pause } from "./actions.ts";
import { cancelRun, listBackfills, listRuns, retryRun, startBackfill } from "./backfills.ts";
import { batchExportTable, makeBatchExport, type BatchExport, type ExportScope } from "./record.ts";
import { createCurrent, updateCurrent } from "./current.ts";
import { checkFlags, exportFields, renderExport } from "./fields.ts";
import { defineResource } from "../../resource.ts";
import { isObject } from "../../json.ts";
import {
  METHODS,
  organizationRoute,
  projectRoute,
  type Action,
  type Actions,
  type Method,
  type Route,
} from "../../http/route.ts";
import { newestFirst } from "../../store/order.ts";
import { notFound, serverError } from "../../http/errors.ts";
import { objectBody } from "../../http/body.ts";
import { organizationOf, teamOf, textId } from "../scope.ts";
import { page } from "../../http/page.ts";
import { readFields } from "../../http/fields.ts";
import { stamp } from "../../store/time.ts";
import type { Answer, Authenticated } from "../../http/call.ts";
import type { Organization } from "../organization/record.ts";
import type { Team } from "../project/record.ts";

const READ = "batch_export:read";
const WRITE = "batch_export:write";
type Run = (call: Authenticated, scope: ExportScope) => Answer;
type ScopedActions = Partial<Record<Method, Action & { readonly run: Run }>>;

const ACTIONS: Readonly<Record<string, ScopedActions>> = {
  batch_exports: { GET: { scope: READ, run: list }, POST: { scope: WRITE, run: create } },
  "batch_exports/:id": {
    GET: { scope: READ, run: (call, scope) => exportAnswer(call, requireExport(call, scope)) },
    PUT: { scope: WRITE, run: (call, scope) => update(call, scope, false) },
    PATCH: { scope: WRITE, run: (call, scope) => update(call, scope, true) },
    DELETE: { scope: WRITE, run: remove },
  },
  "batch_exports/:id/pause": postAction((call, scope) => pause(call, requireExport(call, scope), true)),
  "batch_exports/:id/unpause": postAction((call, scope) => pause(call, requireExport(call, scope), false)),
};

/** Fact 194: what today's service does not have any more. */
const OLD_ACTIONS: Readonly<Record<string, ScopedActions>> = {
  "batch_exports/:id/backfill": postAction((call, scope) => backfill(call, requireExport(call, scope), scope)),
};

/** Facts 194 and 196: what only today's service has. */
const CURRENT_ACTIONS: Readonly<Record<string, ScopedActions>> = {
  "batch_exports/:id/backfills": {
    GET: { scope: READ, run: (call, scope) => listBackfills(call, requireExport(call, scope)) },
    POST: { scope: WRITE, run: (call, scope) => startBackfill(call, requireExport(call, scope)) },
  },
  "batch_exports/:id/runs": { GET: { scope: READ, run: (call, scope) => listRuns(call, requireExport(call, scope)) } },
  "batch_exports/:id/runs/:run_id/retry": {
    POST: { scope: WRITE, run: (call, scope) => retryRun(call, requireExport(call, scope)) },
  },
  "batch_exports/:id/runs/:run_id/cancel": {
    POST: { scope: WRITE, run: (call, scope) => cancelRun(call, requireExport(call, scope)) },
  },
};

/**
 * The routes of batch exports, with two prefixes over one table. An organization's route shows all exports of the
 * organization. A project's route shows only those of the project.
 */
const ROUTES: readonly Route[] = [
  ...Object.entries(ACTIONS).flatMap(([suffix, runs]) => routesOf(suffix, runs)),
  ...Object.entries(OLD_ACTIONS).flatMap(([suffix, runs]) =>
    routesOf(suffix, runs).map((route): Route => ({ ...route, dialects: ["document", "deployed"] })),
  ),
  ...Object.entries(CURRENT_ACTIONS).map(([suffix, runs]): Route => ({
    ...projectRoute(suffix, withScope(runs, inProject)),
    dialects: ["current"],
  })),
];

function routesOf(suffix: string, runs: ScopedActions): readonly Route[] {
  return [
    // 136: today's service probably has none of them under an organization.
    { ...organizationRoute(suffix, withScope(runs, inOrganization)), goneBy: "organization_exports_gone" },
    projectRoute(suffix, withScope(runs, inProject)),
  ];
}

function postAction(run: Run): ScopedActions {
  return { POST: { scope: null, deployedScope: WRITE, run } };
}

function withScope<Parent>(runs: ScopedActions, scopeOf: (parent: Parent) => ExportScope): Actions<Parent> {
  const actions: { -readonly [Name in Method]?: Actions<Parent>[Name] } = {};
  for (const method of METHODS) {
    const found = runs[method];
    if (found !== undefined) actions[method] = { ...found, run: (call, parent) => found.run(call, scopeOf(parent)) };
  }
  return actions;
}

function inOrganization(owner: Organization): ExportScope {
  return { organizationId: owner.id, projectId: null };
}

function inProject(team: Team): ExportScope {
  return { organizationId: team.organization, projectId: team.id };
}

function list(call: Authenticated, scope: ExportScope): Answer {
  const rows = batchExportTable(call.service).within(scope.organizationId);
  // 199: an export of a workflow is shown only on its own.
  const isHidden = ({ destination: { type } }: BatchExport): boolean => call.service.current && type === "Workflows";
  const mine = rows.filter((row) => isInScope(row, scope) && !isHidden(row));
  return page(call, newestFirst(mine), (row) => renderExport(call.service, row));
}

function create(call: Authenticated, scope: ExportScope): Answer {
  const { service } = call;
  if (service.current) return createCurrent(call, scope);
  if (service.isRealServer && scope.projectId === null) throw serverError();
  const fields = exportFields(service.isRealServer);
  const values = readFields(objectBody(call), fields, { lenient: service.isRealServer, partial: false });
  if (service.isRealServer) checkFlags(values);
  if (service.isRealServer && values.destination !== undefined) checkConfig(values.destination);
  const row = makeBatchExport(service, scope, values);
  return { status: 201, body: renderExport(service, row, row.destination) };
}

function update(call: Authenticated, scope: ExportScope, partial: boolean): Answer {
  const { service } = call;
  const row = requireExport(call, scope);
  if (service.isRealServer && scope.projectId === null) throw serverError();
  if (service.current) return updateCurrent(call, row, partial);
  const body = objectBody(call);
  const sent = body["destination"];
  // A bug of deployed servers: a destination without a type is a server error.
  if (service.isRealServer && partial && isObject(sent) && sent["type"] === undefined) throw serverError();
  const values = readFields(body, exportFields(service.isRealServer), { lenient: service.isRealServer, partial });
  if (service.isRealServer) checkFlags(values);
  const { destination = row.destination, ...others } = values;
  const merged = service.isRealServer ? mergeDestination(row.destination, destination) : destination;
  const updated = { ...row, ...others, destination: merged, last_updated_at: stamp(service.now()) };
  batchExportTable(service).put(updated);
  // Deployed servers answer with the new settings as sent, merged into the old ones as the storage returns them.
  const answered = values.destination && mergeDestination(throughStorage(row.destination), values.destination);
  return { status: 200, body: renderExport(service, updated, answered) };
}

function remove(call: Authenticated, scope: ExportScope): Answer {
  batchExportTable(call.service).remove(requireExport(call, scope).id);
  return { status: 204 };
}

function exportAnswer(call: Authenticated, row: BatchExport): Answer {
  return { status: 200, body: renderExport(call.service, row) };
}

function requireExport({ service, params }: Authenticated, scope: ExportScope): BatchExport {
  const row = batchExportTable(service).get(params["id"] ?? "");
  if (row === undefined || !isInScope(row, scope)) throw notFound();
  return row;
}

function isInScope(row: BatchExport, scope: ExportScope): boolean {
  if (row.organization_id !== scope.organizationId) return false;
  return scope.projectId === null || row.project_id === scope.projectId;
}

/** The batch exports of organizations and projects. */
export const batchExport = defineResource({
  name: "batch_export",
  table: batchExportTable,
  livesIn: "organization",
  routes: ROUTES,
  controlled: true,
  insert(service, scope, values) {
    const projectId = scope.project === undefined ? null : teamOf(service, scope).id;
    return makeBatchExport(service, { organizationId: organizationOf(service, scope), projectId }, textId(values));
  },
  seed: { list: "batch_exports", within: ["organization", "project"], needed: ["name"] },
});
