import { membershipOf } from "../records/member.ts";
import { page } from "../http/page.ts";
import { renderTeam } from "../records/team.ts";
import { topRoute } from "../http/route.ts";
import type { Answer, Authenticated } from "../http/call.ts";
import type { Route } from "../http/route.ts";

/** Where the ids of projects are found. The document names the path and nothing else of it. */
export const projectRoutes: readonly Route[] = [
  topRoute("/api/projects", "projects", { GET: { scope: null, deployedScope: "project:read", run: list } }),
];

/** The projects of every organization that the caller may see. */
function list(call: Authenticated): Answer {
  const { service, key, user } = call;
  const rows = service.store.teams
    .all()
    .filter(
      ({ organization }) =>
        (key.organizations?.includes(organization) ?? true) && membershipOf(service, organization, user) !== undefined,
    );
  return page(call, rows, renderTeam);
}
