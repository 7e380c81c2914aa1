import { afterStorage, checkConfig, mergeDestination } from "./destinations.ts";
import { backfill, pause } from "./actions.ts";
import { batchExportTable, makeBatchExport } from "./record.ts";
import { checkFlags, exportFields, renderExport } from "./fields.ts";
import { defineResource } from "../../resource.ts";
import { isObject } from "../../json.ts";
import { METHODS, organizationRoute, projectRoute } from "../../http/route.ts";
import { newestFirst } from "../../store/order.ts";
import { notFound, serverError } from "../../http/errors.ts";
import { objectBody } from "../../http/body.ts";
import { organizationOf, teamOf, textId } from "../scope.ts";
import { page } from "../../http/page.ts";
import { readFields } from "../../http/fields.ts";
import { stamp } from "../../store/time.ts";
import type { Action, Actions, Method, Route } from "../../http/route.ts";
import type { Answer, Authenticated } from "../../http/call.ts";
import type { BatchExport, ExportScope } from "./record.ts";
import type { Organization } from "../organization/record.ts";
import type { Team } from "../project/record.ts";

const READ = "batch_export:read";
const WRITE = "batch_export:write";
type Run = (call: Authenticated, place: ExportScope) => Answer;
type Runs = Partial<Record<Method, Action & { readonly run: Run }>>;

const RUNS: Readonly<Record<string, Runs>> = {
  batch_exports: { GET: { scope: READ, run: list }, POST: { scope: WRITE, run: create } },
  "batch_exports/:id": {
    GET: { scope: READ, run: (call, place) => show(call, target(call, place)) },
    PUT: { scope: WRITE, run: (call, place) => update(call, place, false) },
    PATCH: { scope: WRITE, run: (call, place) => update(call, place, true) },
    DELETE: { scope: WRITE, run: remove },
  },
  "batch_exports/:id/pause": action((call, place) => pause(call, target(call, place), true)),
  "batch_exports/:id/unpause": action((call, place) => pause(call, target(call, place), false)),
  "batch_exports/:id/backfill": action((call, place) => backfill(call, target(call, place), place)),
};

/**
 * The routes of batch exports, with two prefixes over one table. An organization's route shows all exports of the
 * organization. A project's route shows only those of the project.
 */
const ROUTES: readonly Route[] = Object.entries(RUNS).flatMap(([suffix, runs]) => [
  organizationRoute(suffix, placed(runs, inOrganization)),
  projectRoute(suffix, placed(runs, inProject)),
]);

function action(run: Run): Runs {
  return { POST: { scope: null, deployedScope: WRITE, run } };
}

function placed<Parent>(runs: Runs, place: (parent: Parent) => ExportScope): Actions<Parent> {
  const actions: { -readonly [Name in Method]?: Actions<Parent>[Name] } = {};
  for (const method of METHODS) {
    const found = runs[method];
    if (found !== undefined) actions[method] = { ...found, run: (call, parent) => found.run(call, place(parent)) };
  }
  return actions;
}

function inOrganization(owner: Organization): ExportScope {
  return { organizationId: owner.id, projectId: null };
}

function inProject(team: Team): ExportScope {
  return { organizationId: team.organization, projectId: team.id };
}

function list(call: Authenticated, place: ExportScope): Answer {
  const rows = batchExportTable(call.service).within(place.organizationId);
  const mine = rows.filter((row) => isAt(row, place));
  return page(call, newestFirst(mine), (row) => renderExport(call.service, row));
}

function create(call: Authenticated, place: ExportScope): Answer {
  const { service } = call;
  if (service.deployed && place.projectId === null) throw serverError();
  const fields = exportFields(service.deployed);
  const values = readFields(objectBody(call), fields, { lenient: service.deployed, partial: false });
  if (service.deployed) checkFlags(values);
  if (service.deployed && values.destination !== undefined) checkConfig(values.destination);
  const row = makeBatchExport(service, place, values);
  return { status: 201, body: renderExport(service, row, row.destination) };
}

function update(call: Authenticated, place: ExportScope, partial: boolean): Answer {
  const { service } = call;
  const row = target(call, place);
  if (service.deployed && place.projectId === null) throw serverError();
  const body = objectBody(call);
  const sent = body["destination"];
  // A bug of deployed servers: a destination without a type is a server error.
  if (service.deployed && partial && isObject(sent) && sent["type"] === undefined) throw serverError();
  const values = readFields(body, exportFields(service.deployed), { lenient: service.deployed, partial });
  if (service.deployed) checkFlags(values);
  const { destination = row.destination, ...others } = values;
  const merged = service.deployed ? mergeDestination(row.destination, destination) : destination;
  const updated = { ...row, ...others, destination: merged, last_updated_at: stamp(service.now()) };
  batchExportTable(service).put(updated);
  // Deployed servers answer with the new settings as sent, merged into the old ones as the storage returns them.
  const answered = values.destination && mergeDestination(afterStorage(row.destination), values.destination);
  return { status: 200, body: renderExport(service, updated, answered) };
}

function remove(call: Authenticated, place: ExportScope): Answer {
  batchExportTable(call.service).remove(target(call, place).id);
  return { status: 204 };
}

function show(call: Authenticated, row: BatchExport): Answer {
  return { status: 200, body: renderExport(call.service, row) };
}

function target({ service, params }: Authenticated, place: ExportScope): BatchExport {
  const row = batchExportTable(service).get(params["id"] ?? "");
  if (row === undefined || !isAt(row, place)) throw notFound();
  return row;
}

function isAt(row: BatchExport, place: ExportScope): boolean {
  if (row.organization_id !== place.organizationId) return false;
  return place.projectId === null || row.project_id === place.projectId;
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
