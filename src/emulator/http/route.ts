import { checkGates } from "../current/gates.ts";
import { CURRENT, requireCurrent, restoreCurrent } from "../deployed/current-organization.ts";
import { denied, notFound, serverError } from "./errors.ts";
import { isUuid } from "../store/ids.ts";
import { membershipOf } from "../resources/member/record.ts";
import { organizationTable, type Organization } from "../resources/organization/record.ts";
import { teamTable, type Team } from "../resources/project/record.ts";
import type { Answer, Authenticated } from "./call.ts";
import type { Dialect } from "../service.ts";
import type { FlagName } from "../current/switches.ts";
import type { RateLimits } from "../deployed/rate-limit.ts";

/** All methods. */
export const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

/** One of the methods. PUT is not available in the `document` dialect. */
export type Method = (typeof METHODS)[number];

/** How the requests of a resource are handled before the code of the resource runs. */
export interface RequestRules {
  /** The rate limit that applies. */
  readonly budget: keyof RateLimits;
  /** The status of a deployed server if the key is missing or unknown. */
  readonly unauthenticated: 401 | 403;
  /** Whether deployed servers accept a form as the body. */
  readonly forms: boolean;
  /** Whether `?format=csv` is supported. */
  readonly formats: boolean;
}

/** The default rules. */
export const DEFAULT_RULES: RequestRules = { budget: "general", unauthenticated: 401, forms: true, formats: false };

/** One method of a route. */
export interface Action {
  /** The scope that the document lists, or null if it lists none. */
  readonly scope: string | null;
  /** The scope that deployed servers require if the document lists none. */
  readonly deployedScope?: string;
  /** Whether the `current` dialect checks no scope. */
  readonly currentUnscoped?: boolean;
}

interface ParentAction<Parent> extends Action {
  readonly run: (call: Authenticated, parent: Parent) => Answer;
}

/** The methods of a path with their actions. */
export type Actions<Parent> = Partial<Readonly<Record<Method, ParentAction<Parent>>>>;

/** The beginning of every path of a project. */
const PROJECT_PREFIX = "/api/projects/";

/** A path of the service. */
export interface Route {
  readonly path: string;
  /** The dialects that have this route. Undefined: all. */
  readonly dialects?: readonly Dialect[];
  /** The switch that takes this route away. */
  readonly goneBy?: FlagName;
  /** The answer is always JSON, although the resource supports other formats. */
  readonly jsonOnly?: boolean;
  readonly actions: Partial<Readonly<Record<Method, Action>>>;
  /**
   * Finds the parent that the path names and checks that the caller may access it.
   * @returns a function that runs the action, or undefined if the route does not have the method
   * @throws ApiError 403, 404, and in the `deployed` dialect 500 for a malformed organization id
   */
  readonly authorize: (call: Authenticated) => (() => Answer) | undefined;
}

/** A route together with the rules of its resource. */
export interface ServedRoute extends Route {
  readonly rules: RequestRules;
}

/**
 * Fact 135: `/api/environments/ID/...` is another name of the routes of projects, so each of them is served twice in the
 * `current` dialect.
 */
export function withEnvironments(routes: readonly ServedRoute[]): readonly ServedRoute[] {
  const others = routes.filter(({ path }) => path.startsWith(PROJECT_PREFIX));
  return [
    ...routes,
    ...others.map((route) => ({ ...route, path: `/api/environments/${route.path.slice(PROJECT_PREFIX.length)}` })),
  ];
}

/** An additional check of the caller, before an object under the parent is looked up. */
export type Guard = (call: Authenticated, organization: Organization) => void;

/** Defines a route without a parent. */
export function topRoute(path: string, actions: Actions<null>): Route {
  return {
    path,
    actions,
    authorize(call) {
      if (call.params["id"] !== CURRENT) requireCurrent(call);
      return bind(actions, call, null);
    },
  };
}

/** Defines a route under `/api/organizations/:organization_id`. */
export function organizationRoute(suffix: string, actions: Actions<Organization>, guard?: Guard): Route {
  return {
    path: `/api/organizations/:organization_id/${suffix}`,
    actions,
    authorize(call) {
      const organization = requireOrganizationAccess(call, call.params["organization_id"] ?? "");
      guard?.(call, organization);
      return bind(actions, call, organization);
    },
  };
}

/** Defines a route under `/api/projects/:project_id`. */
export function projectRoute(suffix: string, actions: Actions<Team>): Route {
  return {
    path: `/api/projects/:project_id/${suffix}`,
    actions,
    authorize: (call) => bind(actions, call, requireProjectAccess(call, call.params["project_id"] ?? "")),
  };
}

function bind<Parent>(actions: Actions<Parent>, call: Authenticated, parent: Parent): (() => Answer) | undefined {
  if (call.method === "PUT" && !call.service.isRealServer) return undefined;
  const action = actionOf(actions, call.method);
  return action === undefined ? undefined : () => action.run(call, parent);
}

/** Returns the action of a method, if the route has the method. */
export function actionOf<Kind>(actions: Partial<Readonly<Record<Method, Kind>>>, method: string): Kind | undefined {
  const name = METHODS.find((known) => known === method);
  return name === undefined ? undefined : actions[name];
}

/**
 * Replaces `@current` by the id of the user's current organization. Only deployed servers support it.
 * @throws ApiError 404 if the caller is not a member of any organization
 */
export function resolveAlias(call: Authenticated, id: string): string {
  return call.service.isRealServer && id === CURRENT ? restoreCurrent(call) : id;
}

function requireOrganizationAccess(call: Authenticated, given: string): Organization {
  const { service, key, user } = call;
  const id = resolveAlias(call, given);
  if (service.isRealServer && !isUuid(id)) throw serverError();
  const organization = organizationTable(service).get(id);
  if (organization === undefined) throw notFound("Organization not found.");
  if (key.organizations?.includes(id) === false) {
    throw denied(`API key does not have access to the requested organization: ID ${id}.`);
  }
  if (membershipOf(service, id, user) === undefined) {
    throw denied("You do not have permission to perform this action.");
  }
  checkGates(call, organization);
  return organization;
}

function requireProjectAccess(call: Authenticated, id: string): Team {
  requireCurrent(call);
  const { service, key, user } = call;
  const team = /^\d+$/.test(id) ? teamTable(service).get(Number(id)) : undefined;
  if (team === undefined) throw notFound("Project not found.");
  const allowed = key.organizations?.includes(team.organization) ?? true;
  if (!allowed || membershipOf(service, team.organization, user) === undefined) {
    throw denied("You don't have access to the project.");
  }
  const organization = organizationTable(service).get(team.organization);
  if (organization !== undefined) checkGates(call, organization);
  return team;
}
