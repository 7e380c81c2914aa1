import { denied, invalid, serverError } from "../../http/errors.ts";
import { isObject } from "../../json.ts";
import { pluginTable } from "./record.ts";
import type { Guard } from "../../http/route.ts";
import type { Json, JsonObject } from "../../json.ts";
import type { Plugin, PluginGroup } from "./record.ts";
import type { Service } from "../../service.ts";

/** The least `plugins_access_level` of an organization that may install. */
const INSTALL = 6;
const SENDING = new Set(["onEvent", "composeWebhook"]);

/** Deployed servers refuse every write where the organization's plugin level is too low, as it is in the cloud. */
export const mayWritePlugins: Guard = ({ service, method }, organization) => {
  if (service.deployed && method !== "GET" && organization.plugins_access_level < INSTALL) {
    throw denied("Your organization's plugin access level is insufficient.");
  }
};

/** The only group that a deployed server shows a plugin in: its capabilities decide, not where it was created. */
export function deployedGroup(capabilities: Json): PluginGroup {
  const methods = names(capabilities, "methods");
  if (methods.some((method) => SENDING.has(method))) return "pipeline_destinations";
  const idle = methods.length === 0 && names(capabilities, "scheduled_tasks").length === 0;
  return idle ? "pipeline_frontend_apps" : "pipeline_import_apps";
}

function names(capabilities: Json, key: string): string[] {
  const value = isObject(capabilities) ? capabilities[key] : undefined;
  return Array.isArray(value) ? value.map(String) : [];
}

/**
 * The URL that a deployed server installs a plugin from. It is read at create only, has to be new, and has to be there
 * unless the plugin carries its own source.
 * @throws ApiError 500 without a URL, 400 for one that is installed or that names a file, which is never there
 */
export function readUrl(service: Service, body: JsonObject, pluginType: string | null): string | null {
  const url = typeof body["url"] === "string" ? body["url"].trim() : "";
  if (pluginType === "source") return null;
  if (url === "") throw serverError();
  if (url.startsWith("file:")) throw invalid("invalid_input", `Could not load a plugin from ${url}.`);
  if (
    pluginTable(service)
      .all()
      .some((row) => row.url === url)
  ) {
    throw invalid("invalid_input", `Plugin from URL "${url}" already installed!`);
  }
  return url;
}

/** A plugin that all organizations use is not removed. @throws ApiError 400 */
export function checkDeployedRemoval(row: Plugin): void {
  if (row.is_global) {
    throw invalid("invalid_input", "This plugin is marked as global! Make it local before uninstallation");
  }
}
