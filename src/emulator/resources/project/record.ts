import { defineTable, type Row } from "../../store/table.ts";
import type { Json } from "../../json.ts";
import type { Service } from "../../service.ts";

/** A named set of events. A calculation can use it instead of a single event. */
export interface ActionInput {
  readonly id: number;
  readonly name: string;
  readonly events: readonly string[];
}

/** A variable that the SQL of insights can use. */
export interface VariableInput {
  readonly id: string;
  readonly code_name: string;
}

/** A project of an organization, with the fields of the organization's `teams`. */
export interface Team extends Row {
  readonly id: number;
  readonly uuid: string;
  readonly organization: string;
  readonly project_id: number;
  readonly api_token: string;
  readonly name: string;
  readonly completed_snippet_onboarding: boolean;
  readonly has_completed_onboarding_for: Json;
  readonly ingested_event: boolean;
  readonly is_demo: boolean;
  readonly timezone: string;
  readonly access_control: boolean;
  /** Ids of the dashboards of the project; not rendered. */
  readonly dashboards: readonly number[];
  /** The SQL variables of the project; not rendered. */
  readonly variables: readonly VariableInput[];
  /** The actions that calculations can use; not rendered. */
  readonly actions: readonly ActionInput[];
  /** Property filters that the events of real users pass; not rendered. */
  readonly test_account_filters: Json;
}

/** The projects, by organization. */
export const teamTable = defineTable<Team>((row) => row.organization);

/** Adds a project to an organization. */
export function makeTeam(service: Service, organization: string, values: Partial<Team>): Team {
  const { ids } = service;
  const id = values.id ?? ids.next("team");
  ids.reserve("team", id);
  return teamTable(service).put({
    uuid: ids.uuid(),
    organization,
    project_id: id,
    api_token: `phc_${ids.token(43)}`,
    name: "Default project",
    completed_snippet_onboarding: false,
    has_completed_onboarding_for: null,
    ingested_event: false,
    is_demo: false,
    timezone: "UTC",
    access_control: false,
    dashboards: [],
    variables: [],
    actions: [],
    test_account_filters: [],
    ...values,
    id,
  });
}

/** Renders a project as an element of an organization's `teams`. */
export function renderTeam(team: Team): object {
  const { dashboards: _dashboards, variables: _variables, actions: _actions, ...others } = team;
  const { test_account_filters: _filters, overrides, ...shown } = others;
  return { ...shown, ...overrides };
}
