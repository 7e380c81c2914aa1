import { defineTable, type Row } from "../../store/table.ts";
import { makeMember, memberTable } from "../member/record.ts";
import { makeFirstProject } from "../project/first-project.ts";
import { renderTeam, teamTable } from "../project/record.ts";
import { NEW_SETTINGS } from "./new-settings.ts";
import { setCurrent } from "../../deployed/set-current.ts";
import { stamp } from "../../store/time.ts";
import type { CurrentSettings } from "./current-fields.ts";
import type { Json } from "../../json.ts";
import type { Service } from "../../service.ts";
import type { User } from "../../records/user.ts";

/**
 * An organization. Teams, members and the caller's level are computed when it is rendered. Only the `current` dialect has the
 * optional fields.
 */
export interface Organization extends Row, Partial<CurrentSettings> {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly plugins_access_level: number;
  readonly available_product_features: Json;
  readonly is_member_join_email_enabled: boolean;
  readonly metadata: Json;
  readonly customer_id: string | null;
  readonly enforce_2fa: boolean | null;
}

/** All organizations. */
export const organizationTable = defineTable<Organization>(() => "all");

/** Adds an organization without projects and members. */
export function makeOrganization(service: Service, values: Partial<Organization>): Organization {
  const at = stamp(service.now());
  const name = values.name ?? "Organization";
  return organizationTable(service).put({
    id: service.ids.uuid(),
    slug: freeSlug(service, name),
    created_at: at,
    updated_at: at,
    plugins_access_level: 9,
    available_product_features: [],
    is_member_join_email_enabled: true,
    // The document types it as a string. Deployed servers send an object.
    metadata: service.isRealServer ? { instance_tag: "none" } : "",
    customer_id: null,
    enforce_2fa: null,
    ...(service.current ? NEW_SETTINGS : {}),
    ...values,
    name,
  });
}

/** Adds an organization like a create call: with a first project, and with the caller as its owner. */
export function createOrganization(service: Service, values: Partial<Organization>, owner: User): Organization {
  const organization = makeOrganization(service, values);
  makeFirstProject(service, organization.id);
  makeMember(service, organization.id, { user: owner, level: 15 });
  setCurrent(service, owner, organization.id);
  return organization;
}

function freeSlug(service: Service, name: string): string {
  const base =
    name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-+|-+$/g, "") || "organization";
  const taken = new Set(
    organizationTable(service)
      .all()
      .map((row) => row.slug),
  );
  if (!taken.has(base)) return base;
  let suffix = 2;
  while (taken.has(`${base}-${suffix}`)) suffix += 1;
  return `${base}-${suffix}`;
}

/** Renders an organization for `viewer`. */
export function renderOrganization(service: Service, row: Organization, viewer: User): object {
  const { current, isRealServer } = service;
  const members = memberTable(service).within(row.id);
  const teams = teamTable(service).within(row.id);
  const { overrides, plugins_access_level, ...fields } = row;
  return {
    ...fields,
    membership_level: members.find((member) => member.user.id === viewer.id)?.level ?? null,
    plugins_access_level,
    teams: teams.map(renderTeam),
    member_count: isRealServer ? members.length : String(members.length),
    ...(isRealServer ? { projects: projectsOf(row, teams) } : {}),
    ...(isRealServer && !current ? DEPLOYED_FIELDS : {}),
    ...overrides,
  };
}

/** Settings that deployed servers send. A client has to accept them. */
const DEPLOYED_FIELDS = {
  logo_media_id: null,
  members_can_invite: true,
  members_can_use_personal_api_keys: true,
  is_ai_data_processing_approved: null,
  default_experiment_stats_method: "bayesian",
};

/** The projects of an organization, in the form that only deployed servers send. */
function projectsOf(
  row: Organization,
  teams: readonly { readonly id: number; readonly name: string }[],
): readonly object[] {
  return teams.map((team) => ({ id: team.id, organization_id: row.id, name: team.name }));
}
