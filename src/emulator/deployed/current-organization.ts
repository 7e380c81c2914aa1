import { notFound } from "../http/errors.ts";
import { membershipOf, memberTable } from "../resources/member/record.ts";
import { organizationTable } from "../resources/organization/record.ts";
import type { Authenticated } from "../http/call.ts";
import type { Service } from "../service.ts";
import type { User } from "../records/user.ts";

/** The id by which a path refers to the current organization of the caller. */
export const CURRENT = "@current";

/**
 * Returns the id of a user's current organization. If that organization was deleted, the user has none until a request
 * for `@current`. A user who left it, or who never had one, is in the first organization with a membership.
 */
function currentOrganization(service: Service, user: User): string | undefined {
  const id = service.store.current.get(user.id);
  if (id !== undefined && organizationTable(service).get(id) === undefined) return undefined;
  return id !== undefined && membershipOf(service, id, user) !== undefined ? id : firstOrganization(service, user);
}

function firstOrganization(service: Service, user: User): string | undefined {
  const member = memberTable(service)
    .all()
    .find((row) => row.user.id === user.id);
  return member?.organization_id;
}

/**
 * Returns the id of the caller's current organization. If the caller has lost it, another organization becomes the
 * current one, but none of its projects becomes the current project.
 * @throws ApiError 404 if the caller is not a member of any organization
 */
export function restoreCurrent({ service, user }: Authenticated): string {
  const { current, projectless } = service.store;
  const id = currentOrganization(service, user);
  if (id !== undefined) return id;
  const next = firstOrganization(service, user);
  if (next === undefined) throw needsOrganization();
  current.set(user.id, next);
  projectless.add(user.id);
  return next;
}

/**
 * Checks that the caller has a current organization. Deployed servers ask for it on every route that is not nested
 * under an organization.
 * @throws ApiError 404
 */
export function requireCurrent({ service, user }: Authenticated): void {
  if (service.isRealServer && currentOrganization(service, user) === undefined) throw needsOrganization();
}

/** Reports whether a user has a current project. */
export function hasCurrentProject(service: Service, user: User): boolean {
  return currentOrganization(service, user) !== undefined && !service.store.projectless.has(user.id);
}

function needsOrganization(): ReturnType<typeof notFound> {
  return notFound("You need to belong to an organization.");
}
