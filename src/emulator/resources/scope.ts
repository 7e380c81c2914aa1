import { organizationTable } from "./organization/record.ts";
import { teamTable, type Team } from "./project/record.ts";
import type { JsonObject } from "../json.ts";
import type { ObjectScope } from "../resource.ts";
import type { Service } from "../service.ts";
import type { User } from "../records/user.ts";

/** Returns the id of a scope's organization, or of its project's organization. @throws Error if there is none */
export function organizationOf(service: Service, scope: ObjectScope): string {
  const id = scope.organization ?? (scope.project === undefined ? "" : teamOf(service, scope).organization);
  if (organizationTable(service).get(id) === undefined) throw new Error(`There is no organization "${id}".`);
  return id;
}

/** Returns the project that a scope names. @throws Error if there is none */
export function teamOf(service: Service, scope: ObjectScope): Team {
  const team = teamTable(service).get(Number(scope.project));
  if (team === undefined) throw new Error(`There is no project "${String(scope.project)}".`);
  return team;
}

/** Returns the user of the first key, who is the default author of new objects. */
export function defaultAuthor(service: Service): User | null {
  const [first] = service.keys.values();
  return first?.user ?? null;
}

/** Picks the id from the values of a resource whose ids are texts. */
export function textId({ id }: JsonObject): { readonly id?: string } {
  return typeof id === "string" ? { id } : {};
}

/** Picks the id from the values of a resource whose ids are numbers. */
export function numberId({ id }: JsonObject): { readonly id?: number } {
  return typeof id === "number" ? { id } : {};
}
