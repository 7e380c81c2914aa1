import { insertObject } from "../control/insert.ts";
import { makeEvent } from "../records/event.ts";
import { makeMember, membershipOf } from "../records/member.ts";
import { makeTeam } from "../records/team.ts";
import { PLUGIN_GROUPS } from "../records/plugin.ts";
import type { EmulatedKind } from "../control/kinds.ts";
import type { JsonObject } from "../json.ts";
import type { Seed, SeedOrganization, SeedProject } from "./seed.ts";
import type { Service } from "../service.ts";
import type { User } from "../records/user.ts";

const KIND_OF_PLUGINS = {
  pipeline_destinations: "pipeline_destination",
  pipeline_frontend_apps: "pipeline_frontend_app",
  pipeline_import_apps: "pipeline_import_app",
} as const;

/** Puts a seed into the store. `owner` becomes an owner of every organization that is not foreign. */
export function plantSeed(service: Service, seed: Seed, owner: User): void {
  for (const organization of seed.organizations) plantOrganization(service, organization, owner);
}

function plantOrganization(service: Service, seed: SeedOrganization, owner: User): void {
  const { foreign, projects, members, domains, invites, batch_exports, ...rest } = seed;
  const { pipeline_destinations: _d, pipeline_frontend_apps: _f, pipeline_import_apps: _i, ...fields } = rest;
  const { id } = insertObject(service, "organization", {}, fields);
  const organization = String(id);
  const add = (kind: EmulatedKind, list: readonly JsonObject[] | undefined): void => {
    for (const values of list ?? []) insertObject(service, kind, { organization }, values);
  };
  for (const project of projects ?? [{ name: "Default project" }]) plantProject(service, organization, project);
  add(
    "member",
    members?.map((member) => ({ ...member })),
  );
  if (foreign !== true && membershipOf(service, organization, owner) === undefined) {
    makeMember(service, organization, { user: owner, level: 15 });
  }
  if (!service.store.current.has(owner.id) && foreign !== true) service.store.current.set(owner.id, organization);
  add("domain", domains);
  add("invite", invites);
  add("batch_export", batch_exports);
  for (const group of PLUGIN_GROUPS) add(KIND_OF_PLUGINS[group], seed[group]);
}

function plantProject(service: Service, organization: string, seed: SeedProject): void {
  const { name, dashboards = [], actions = [], test_account_filters = [], batch_exports, insights, events } = seed;
  const id = seed.id === undefined ? {} : { id: seed.id };
  const team = makeTeam(service, organization, { ...id, name, dashboards, actions, test_account_filters });
  const project = team.id;
  for (const values of batch_exports ?? []) insertObject(service, "batch_export", { project }, values);
  for (const values of insights ?? []) insertObject(service, "insight", { project }, values);
  for (const input of events ?? []) makeEvent(service, project, input);
}
