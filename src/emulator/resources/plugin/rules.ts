import { denied, invalid, serverError } from "../../http/errors.ts";
import { isObject, type Json, type JsonObject } from "../../json.ts";
import { pluginTable, type Plugin, type PluginGroup } from "./record.ts";
import type { Guard } from "../../http/route.ts";
import type { Service } from "../../service.ts";

/** The minimum `plugins_access_level` of an organization that may install plugins. */
const MIN_LEVEL = 6;
const SENDING_METHODS = new Set(["onEvent", "composeWebhook"]);

/** Deployed servers refuse every write if the plugin access level of the organization is too low. */
export const requirePluginAccess: Guard = ({ service, method }, organization) => {
  if (service.isRealServer && method !== "GET" && organization.plugins_access_level < MIN_LEVEL) {
    throw denied("Your organization's plugin access level is insufficient.");
  }
};

/** Returns the group in which deployed servers show a plugin. It depends on the capabilities only. */
export function deployedGroup(capabilities: Json): PluginGroup {
  const methods = namesIn(capabilities, "methods");
  if (methods.some((method) => SENDING_METHODS.has(method))) return "pipeline_destinations";
  const idle = methods.length === 0 && namesIn(capabilities, "scheduled_tasks").length === 0;
  return idle ? "pipeline_frontend_apps" : "pipeline_import_apps";
}

function namesIn(capabilities: Json, key: string): string[] {
  const value = isObject(capabilities) ? capabilities[key] : undefined;
  return Array.isArray(value) ? value.map(String) : [];
}

/**
 * Reads the URL from which deployed servers install a plugin. Only a create call reads it. It is required unless the
 * plugin has its own source, and it must be new.
 * @throws ApiError 500 without a URL, 400 if the URL is already installed or names a file, which never exists
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

/** Refuses to remove a global plugin. @throws ApiError 400 */
export function checkDeployedRemoval(row: Plugin): void {
  if (row.is_global) {
    throw invalid("invalid_input", "This plugin is marked as global! Make it local before uninstallation");
  }
}
