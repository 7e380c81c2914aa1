import { createJournal } from "./journal.ts";
import { createTable } from "./table.ts";
import type { Journal } from "./journal.ts";
import type { Id, Table } from "./table.ts";
import type { Activity } from "../records/activity.ts";
import type { BatchExport } from "../records/batch-export.ts";
import type { Domain } from "../records/domain.ts";
import type { Insight } from "../records/insight.ts";
import type { Invite } from "../records/invite.ts";
import type { Member } from "../records/member.ts";
import type { Organization } from "../records/organization.ts";
import type { Plugin } from "../records/plugin.ts";
import type { ProjectEvent } from "../records/event.ts";
import type { Team } from "../records/team.ts";
import type { User } from "../records/user.ts";
import type { Calculation, Viewing } from "../records/viewing.ts";

/** Everything the emulator holds. Reads and writes are synchronous, so a request is never half done. */
export interface Store {
  readonly journal: Journal;
  readonly users: Table<User>;
  readonly organizations: Table<Organization>;
  readonly teams: Table<Team>;
  readonly members: Table<Member>;
  readonly domains: Table<Domain>;
  readonly invites: Table<Invite>;
  readonly batchExports: Table<BatchExport>;
  readonly plugins: Table<Plugin>;
  readonly insights: Table<Insight>;
  readonly events: Table<ProjectEvent>;
  readonly activities: Table<Activity>;
  readonly viewings: Table<Viewing>;
  readonly calculations: Table<Calculation>;
  /** The organization that `@current` means, per user. */
  readonly current: Map<Id, string>;
}

/** A store with nothing in it. */
export function createStore(): Store {
  const journal = createJournal();
  return {
    journal,
    users: createTable<User>(journal, () => "users"),
    organizations: createTable<Organization>(journal, () => "organizations"),
    teams: createTable<Team>(journal, (row) => row.organization),
    members: createTable<Member>(journal, (row) => row.organization_id),
    domains: createTable<Domain>(journal, (row) => row.organization_id),
    invites: createTable<Invite>(journal, (row) => row.organization_id),
    batchExports: createTable<BatchExport>(journal, (row) => row.organization_id),
    plugins: createTable<Plugin>(journal, (row) => row.organization_id),
    insights: createTable<Insight>(journal, (row) => row.team_id),
    events: createTable<ProjectEvent>(journal, (row) => row.team_id),
    activities: createTable<Activity>(journal, (row) => row.place),
    viewings: createTable<Viewing>(journal, (row) => row.user),
    calculations: createTable<Calculation>(journal, () => "calculations"),
    current: new Map(),
  };
}

/** Removes an organization with everything in it. */
export function removeOrganization(store: Store, id: string): void {
  for (const team of store.teams.within(id)) {
    for (const table of [store.insights, store.events]) for (const row of table.within(team.id)) table.remove(row.id);
    store.teams.remove(team.id);
  }
  const tables = [store.members, store.domains, store.invites, store.batchExports, store.plugins];
  for (const table of tables) for (const row of table.within(id)) table.remove(row.id);
  store.organizations.remove(id);
}
