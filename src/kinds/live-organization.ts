/** What a live organization shows: its values, and its projects. */
import { isJsonArray, isJsonObject, type JsonObject } from "../model/json/json.ts";
import { listKey, scopePathAt, type LiveObject, type LiveWorld } from "../model/live.ts";
import { asText } from "./keys.ts";

/** The values of the live organization at a scope. Undefined if it was not read. */
export function organizationAt({ scopes, lists }: LiveWorld, scope: string): JsonObject | undefined {
  const id = scopePathAt(scopes, scope)["organization_id"];
  return lists.get(listKey("", "organization"))?.objects.find((one) => one.id === id)?.values;
}

/** A project as the organization around it lists it. */
export interface ListedProject {
  readonly id: string;
  readonly name: string;
}

/** The project that the service creates together with an organization. */
export const FIRST_PROJECT = "Default project";

/** Whether a live organization lists projects at all, even if the list cannot be trusted. */
export function listsProjects({ values }: Pick<LiveObject, "values">): boolean {
  return values["teams"] !== undefined;
}

/** The projects of a live organization. Undefined if the service does not list them, or not in a form that can be trusted. */
export function projectsOf({ values }: Pick<LiveObject, "values">): readonly ListedProject[] | undefined {
  const teams = values["teams"];
  if (!isJsonArray(teams)) return undefined;
  const found = teams.flatMap((team) => {
    const id = isJsonObject(team) ? asText(team["id"]) : undefined;
    return isJsonObject(team) && id !== undefined ? [{ id, name: asText(team["name"]) ?? id }] : [];
  });
  // A project without an id may be any of them.
  return found.length === teams.length ? found : undefined;
}
