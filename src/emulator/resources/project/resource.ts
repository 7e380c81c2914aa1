import { defineResource } from "../../resource.ts";
import { makeTeam, renderTeam, teamTable, type ActionInput } from "./record.ts";
import { membershipOf } from "../member/record.ts";
import { numberId, organizationOf } from "../scope.ts";
import { page } from "../../http/page.ts";
import { topRoute, type Route } from "../../http/route.ts";
import type { Answer, Authenticated } from "../../http/call.ts";
import type { Json } from "../../json.ts";
import type { SeedRules, SeedShape } from "../../seed/rules.ts";

/** Clients find the ids of projects here. The document names only the path. */
const ROUTES: readonly Route[] = [
  topRoute("/api/projects", { GET: { scope: null, deployedScope: "project:read", run: list } }),
];

/** Lists the projects of every organization that the caller may see. */
function list(call: Authenticated): Answer {
  const { service, key, user } = call;
  const rows = teamTable(service)
    .all()
    .filter(
      ({ organization }) =>
        (key.organizations?.includes(organization) ?? true) && membershipOf(service, organization, user) !== undefined,
    );
  return page(call, rows, renderTeam);
}

/** The fields of a project in a seed. */
export interface ProjectFields {
  readonly id?: number;
  readonly name: string;
  /** Ids of the dashboards that insights may refer to. */
  readonly dashboards?: readonly number[];
  /** Named sets of events that calculations can use by id. */
  readonly actions?: readonly ActionInput[];
  /** Property filters that only the events of real users pass. `filter_test_accounts` applies them. */
  readonly test_account_filters?: Json;
}

const ACTION: SeedShape = {
  needed: ["name"],
  fields: ["id", "name", "events"],
  check: ({ id, events }) => [
    ...(typeof id === "number" ? [] : [["id", "a number is needed here."] as const]),
    ...(Array.isArray(events) ? [] : [["events", "a list of names of events is needed here."] as const]),
  ],
};

const SEED_RULES: SeedRules<"projects", "organization", ProjectFields> = {
  list: "projects",
  within: ["organization"],
  needed: ["name"],
  fields: ["id", "name", "dashboards", "test_account_filters"],
  lists: { actions: ACTION },
  plantedFirst: true,
  fallback: [{ name: "Default project" }],
  scopeOf: (id) => ({ project: id }),
};

/** Projects can only be listed. Seeds and the control interface add them. */
export const project = defineResource({
  name: "project",
  table: teamTable,
  livesIn: "organization",
  routes: ROUTES,
  controlled: false,
  insert: (service, scope, values) => makeTeam(service, organizationOf(service, scope), numberId(values)),
  seed: SEED_RULES,
});
