import { activityPage } from "../../records/activity-page.ts";
import { activityTable } from "../../records/activity.ts";
import { blankPlugin, pluginTable, renderPlugin, type Plugin, type PluginGroup } from "./record.ts";
import { invalid, serverError } from "../../http/errors.ts";
import { isObject, type Json } from "../../json.ts";
import { jsonBody } from "../../http/body.ts";
import { requirePluginAccess } from "./rules.ts";
import { organizationRoute, type Action, type Method, type Route } from "../../http/route.ts";
import { requirePlugin, updatePlugin, visiblePlugins } from "./routes.ts";
import type { Answer, Authenticated } from "../../http/call.ts";
import type { Organization } from "../organization/record.ts";

type Run = (call: Authenticated, owner: Organization, group: PluginGroup) => Answer;

/**
 * The operations of plugins other than CRUD, with their methods. In the document all of them answer in the shape of a
 * plugin, and none of them has a scope.
 */
const ACTIONS: Readonly<Record<string, readonly [Method, Run]>> = {
  activity: ["GET", activity],
  exports_unsubscribe_configs: ["GET", (...at) => listAnswer(at, [])],
  repository: ["GET", (...at) => listAnswer(at, [])],
  unused: [
    "GET",
    (...at) =>
      listAnswer(
        at,
        visiblePlugins(at[0], at[1]).map(({ id }) => id),
      ),
  ],
  ":id/check_for_updates": ["GET", checkForUpdates],
  ":id/source": ["GET", (...at) => sourceAnswer(at[0], requirePlugin(...at))],
  ":id/update_source": ["PATCH", updateSource],
  ":id/upgrade": ["POST", upgrade],
};

/** Returns the routes of these operations. They must come before `:id`, which would match some of them. */
export function pluginActionRoutes(group: PluginGroup): readonly Route[] {
  return Object.entries(ACTIONS).map(([suffix, [method, run]]) => {
    const action: Action & { run: (call: Authenticated, owner: Organization) => Answer } = {
      scope: null,
      run: (call, owner) => run(call, owner, group),
    };
    return organizationRoute(`${group}/${suffix}`, { [method]: action }, requirePluginAccess);
  });
}

function activity(call: Authenticated, owner: Organization, group: PluginGroup): Answer {
  if (!call.service.isRealServer) return listAnswer([call, owner, group], null);
  return activityPage(call, activityTable(call.service).within(`plugins/${owner.id}`));
}

/** Answers with a list. The document shows a single plugin instead, which is the newest of the group. */
function listAnswer([call, owner, group]: Parameters<Run>, list: Json): Answer {
  if (call.service.isRealServer) return { status: 200, body: list };
  const newest = visiblePlugins(call, owner, group).at(-1);
  return pluginAnswer(call, newest ?? { ...blankPlugin(group), organization_id: owner.id });
}

/** Deployed servers fail for a plugin without a URL, and wrap the other plugins in an object. */
function checkForUpdates(call: Authenticated, owner: Organization, group: PluginGroup): Answer {
  const row = requirePlugin(call, owner, group);
  if (!call.service.isRealServer) return pluginAnswer(call, row);
  if (row.url === null) throw serverError();
  return { status: 200, body: { plugin: renderPlugin(call.service, row) } };
}

function sourceAnswer(call: Authenticated, row: Plugin): Answer {
  return call.service.isRealServer ? { status: 200, body: row.source_files } : pluginAnswer(call, row);
}

/**
 * In the document it accepts the fields of a plugin. Deployed servers accept nothing but a map from file name to text;
 * null removes a file.
 */
function updateSource(call: Authenticated, owner: Organization, group: PluginGroup): Answer {
  if (!call.service.isRealServer) return updatePlugin(call, owner, group);
  const row = requirePlugin(call, owner, group);
  const body = jsonBody(call);
  if (!isObject(body)) throw invalid("invalid_input", "The source is an object of files.");
  const other = Object.keys(body).find((file) => body[file] !== null && typeof body[file] !== "string");
  if (other !== undefined) throw invalid("invalid_input", "The source of a file is a text.", other);
  const files = Object.entries({ ...row.source_files, ...body }).filter(([, text]) => text !== null);
  return sourceAnswer(call, pluginTable(call.service).put({ ...row, source_files: Object.fromEntries(files) }));
}

/** Sets the tag of a plugin to its latest tag, if there is one. */
function upgrade(call: Authenticated, owner: Organization, group: PluginGroup): Answer {
  const row = requirePlugin(call, owner, group);
  if (row.latest_tag === null || row.latest_tag === row.tag) return pluginAnswer(call, row);
  return pluginAnswer(call, pluginTable(call.service).put({ ...row, tag: row.latest_tag }));
}

function pluginAnswer(call: Authenticated, row: Plugin): Answer {
  return { status: 200, body: renderPlugin(call.service, row) };
}
