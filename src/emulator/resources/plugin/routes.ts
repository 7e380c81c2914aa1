import { asObject, jsonBody, objectBody } from "../../http/body.ts";
import { checkDeployedRemoval, deployedGroup, requirePluginAccess, readUrl } from "./rules.ts";
import { choice, flag, free, nullable, readFields, text } from "../../http/fields.ts";
import { makePlugin, pluginTable, renderPlugin, type Plugin, type PluginGroup } from "./record.ts";
import { recordActivity } from "../../records/activity.ts";
import { notFound, serverError } from "../../http/errors.ts";
import { organizationRoute, type Route } from "../../http/route.ts";
import { page } from "../../http/page.ts";
import type { Answer, Authenticated } from "../../http/call.ts";
import type { Organization } from "../organization/record.ts";

const FIELDS = {
  plugin_type: nullable(text({ blank: true })),
  name: nullable(text({ blank: true, max: 200 })),
  description: nullable(text({ blank: true })),
  icon: nullable(text({ blank: true, max: 800 })),
  config_schema: free(),
  tag: nullable(text({ blank: true, max: 200 })),
  is_global: flag(),
  capabilities: free(),
  metrics: free(),
  public_jobs: free(),
};
/** The document does not restrict the types. Deployed servers accept these. */
const DEPLOYED_FIELDS = {
  ...FIELDS,
  plugin_type: nullable(choice(["local", "custom", "repository", "source", "inline", ""])),
};

/** Returns the CRUD routes of a plugin group. */
export function pluginRoutes(group: PluginGroup): readonly Route[] {
  const read = "plugin:read";
  const write = "plugin:write";
  return [
    organizationRoute(
      group,
      {
        GET: { scope: read, run: (call, owner) => list(call, owner, group) },
        POST: { scope: write, run: (call, owner) => create(call, owner, group) },
      },
      requirePluginAccess,
    ),
    organizationRoute(
      `${group}/:id`,
      {
        GET: { scope: read, run: (call, owner) => pluginAnswer(call, requirePlugin(call, owner, group)) },
        PUT: { scope: write, run: (call, owner) => updatePlugin(call, owner, group) },
        PATCH: { scope: write, run: (call, owner) => updatePlugin(call, owner, group) },
        DELETE: { scope: write, run: (call, owner) => remove(call, owner, group) },
      },
      requirePluginAccess,
    ),
  ];
}

function list(call: Authenticated, owner: Organization, group: PluginGroup): Answer {
  return page(call, visiblePlugins(call, owner, group), (row) => renderPlugin(call.service, row));
}

/** Lists the plugins of an organization, of one group or all. Deployed servers add the global plugins of others. */
export function visiblePlugins(call: Authenticated, owner: Organization, group?: PluginGroup): readonly Plugin[] {
  const { service } = call;
  const own = pluginTable(service).within(owner.id);
  const shared = pluginTable(service)
    .all()
    .filter((row) => row.is_global && row.organization_id !== owner.id);
  const rows = service.isRealServer ? [...own, ...shared] : own;
  return group === undefined ? rows : rows.filter((row) => groupOf(call, row) === group);
}

function create(call: Authenticated, owner: Organization, group: PluginGroup): Answer {
  const { service } = call;
  const body = asObject(jsonBody(call), call.tweaks.ignoredFields);
  const values = readFields(body, service.isRealServer ? DEPLOYED_FIELDS : FIELDS, {
    lenient: service.isRealServer,
    partial: false,
  });
  const url = service.isRealServer ? readUrl(service, body, values.plugin_type ?? null) : null;
  const row = makePlugin(service, owner.id, group, { ...values, url });
  recordPluginActivity(call, row, "installed");
  return pluginAnswer(call, row, 201);
}

/** Updates the plugin in the path. */
export function updatePlugin(call: Authenticated, owner: Organization, group: PluginGroup): Answer {
  const { service } = call;
  const row = requirePlugin(call, owner, group);
  const fields = service.isRealServer ? DEPLOYED_FIELDS : FIELDS;
  const values = readFields(objectBody(call), fields, { lenient: service.isRealServer, partial: true });
  return pluginAnswer(call, pluginTable(service).put({ ...row, ...values }));
}

function remove(call: Authenticated, owner: Organization, group: PluginGroup): Answer {
  const row = requirePlugin(call, owner, group);
  if (call.service.isRealServer) checkDeployedRemoval(row);
  pluginTable(call.service).remove(row.id);
  recordPluginActivity(call, row, "uninstalled");
  return { status: 204 };
}

function recordPluginActivity({ service, user, client }: Authenticated, row: Plugin, activity: string): void {
  recordActivity(service, {
    place: `plugins/${row.organization_id}`,
    user,
    activity,
    scope: "Plugin",
    item: row.id,
    name: row.name,
    short_id: null,
    changes: null,
    client: client?.slice(0, 32) ?? null,
    team_id: null,
    organization_id: row.organization_id,
  });
}

function pluginAnswer(call: Authenticated, row: Plugin, status = 200): Answer {
  return { status, body: renderPlugin(call.service, row) };
}

function groupOf(call: Authenticated, row: Plugin): PluginGroup {
  return call.service.isRealServer ? deployedGroup(row.capabilities) : row.group;
}

/** Returns the plugin in the path. @throws ApiError 404, and on deployed servers 500 if the id is not a number */
export function requirePlugin(call: Authenticated, owner: Organization, group: PluginGroup): Plugin {
  const { service, params, method } = call;
  const id = params["id"] ?? "";
  if (service.isRealServer && !/^\d+$/.test(id)) throw serverError();
  const row = pluginTable(service).get(Number(id));
  if (row === undefined || groupOf(call, row) !== group) throw notFound();
  const foreign = row.organization_id !== owner.id;
  if (foreign && !(service.isRealServer && row.is_global && method === "GET")) throw notFound();
  return row;
}
