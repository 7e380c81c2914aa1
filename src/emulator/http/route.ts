import { denied, notFound, serverError } from "./errors.ts";
import { isUuid } from "../store/ids.ts";
import { membershipOf } from "../resources/member/record.ts";
import { organizationTable } from "../resources/organization/record.ts";
import { teamTable } from "../resources/project/record.ts";
import type { Answer, Authenticated } from "./call.ts";
import type { Dialect, Service } from "../service.ts";
import type { Organization } from "../resources/organization/record.ts";
import type { RateLimits } from "../deployed/rate-limit.ts";
import type { Team } from "../resources/project/record.ts";

/** All methods. */
export const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

/** The methods that the interface uses; PUT only answers in the `deployed` dialect. */
export type Method = (typeof METHODS)[number];

/** How the requests of a resource are handled before its own code runs. */
export interface RequestRules {
  /** The budget of `rateLimits` that counts them. */
  readonly budget: keyof RateLimits;
  /** What a deployed server answers where the key is missing or unknown. */
  readonly unauthenticated: 401 | 403;
  /** Whether deployed servers take a form for a body. */
  readonly forms: boolean;
  /** Whether `?format=csv` asks for CSV. */
  readonly formats: boolean;
}

/** The rules of a resource that has none of its own. */
export const USUAL_RULES: RequestRules = { budget: "general", unauthenticated: 401, forms: true, formats: false };

/** One method of a route. */
export interface Action {
  /** The scope that the document lists, null where it lists none. */
  readonly scope: string | null;
  /** The scope that deployed servers ask for, where the document lists none. */
  readonly deployedScope?: string;
}

interface ParentAction<Parent> extends Action {
  readonly run: (call: Authenticated, parent: Parent) => Answer;
}

/** The methods of a path, and what runs. */
export type Actions<Parent> = Partial<Readonly<Record<Method, ParentAction<Parent>>>>;

/** A path of the service. */
export interface Route {
  readonly path: string;
  /** The only dialect that has it; undefined: both. */
  readonly dialect?: Dialect;
  /** It always answers JSON, although its resource knows other formats. */
  readonly jsonOnly?: boolean;
  readonly actions: Partial<Readonly<Record<Method, Action>>>;
  /**
   * Finds what the path stands under, and checks that the caller may be there.
   * @returns what runs a method on it; undefined for a method that the route does not have.
   * @throws ApiError 403, 404, and in the deployed dialect 500 for a malformed organization id
   */
  readonly enter: (call: Authenticated) => (() => Answer) | undefined;
}

/** A route together with the rules of its resource. */
export interface ServedRoute extends Route {
  readonly rules: RequestRules;
}

/** What may additionally be asked of the caller, before anything is looked up under the parent. */
export type Guard = (call: Authenticated, organization: Organization) => void;

/** A route that stands under nothing. */
export function topRoute(path: string, actions: Actions<null>): Route {
  return { path, actions, enter: (call) => bind(actions, call, null) };
}

/** A route under `/api/organizations/:organization_id`. */
export function organizationRoute(suffix: string, actions: Actions<Organization>, guard?: Guard): Route {
  return {
    path: `/api/organizations/:organization_id/${suffix}`,
    actions,
    enter(call) {
      const organization = enterOrganization(call, call.params["organization_id"] ?? "");
      guard?.(call, organization);
      return bind(actions, call, organization);
    },
  };
}

/** A route under `/api/projects/:project_id`. */
export function projectRoute(suffix: string, actions: Actions<Team>): Route {
  return {
    path: `/api/projects/:project_id/${suffix}`,
    actions,
    enter: (call) => bind(actions, call, enterProject(call, call.params["project_id"] ?? "")),
  };
}

function bind<Parent>(actions: Actions<Parent>, call: Authenticated, parent: Parent): (() => Answer) | undefined {
  if (call.method === "PUT" && !call.service.deployed) return undefined;
  const action = actionOf(actions, call.method);
  return action === undefined ? undefined : () => action.run(call, parent);
}

/** What a route does on a method, if it has it. */
export function actionOf<Kind>(actions: Partial<Readonly<Record<Method, Kind>>>, method: string): Kind | undefined {
  const name = METHODS.find((known) => known === method);
  return name === undefined ? undefined : actions[name];
}

/** What `@current` stands for; only deployed servers know it. */
export function resolveAlias(service: Service, userId: number, id: string): string {
  return service.deployed && id === "@current" ? (service.store.current.get(userId) ?? id) : id;
}

function enterOrganization(call: Authenticated, given: string): Organization {
  const { service, key, user } = call;
  const id = resolveAlias(service, user.id, given);
  if (service.deployed && !isUuid(id)) throw serverError();
  const organization = organizationTable(service).get(id);
  if (organization === undefined) throw notFound("Organization not found.");
  if (key.organizations?.includes(id) === false) {
    throw denied(`API key does not have access to the requested organization: ID ${id}.`);
  }
  if (membershipOf(service, id, user) === undefined) {
    throw denied("You do not have permission to perform this action.");
  }
  return organization;
}

function enterProject(call: Authenticated, id: string): Team {
  const { service, key, user } = call;
  const team = /^\d+$/.test(id) ? teamTable(service).get(Number(id)) : undefined;
  if (team === undefined) throw notFound("Project not found.");
  const allowed = key.organizations?.includes(team.organization) ?? true;
  if (!allowed || membershipOf(service, team.organization, user) === undefined) {
    throw denied("You don't have access to the project.");
  }
  return team;
}
