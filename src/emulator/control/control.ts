import { acceptInvite, expireInvite } from "./people.ts";
import { insertObject, withPatch } from "./insert.ts";
import { checkSeed } from "../seed/load.ts";
import { makeEvent } from "../records/event.ts";
import { plantSeed } from "../seed/plant.ts";
import { makeTeam } from "../records/team.ts";
import { objectsOf, tableOf, toObject } from "./kinds.ts";
import { removeOrganization } from "../store/store.ts";
import type { EmulatedKind, StoredObject } from "./kinds.ts";
import type { Id, Row } from "../store/table.ts";
import type { JsonObject } from "../json.ts";
import type { ObjectScope } from "./insert.ts";
import type { EventInput } from "../records/event.ts";
import type { Seed } from "../seed/seed.ts";
import type { Service } from "../service.ts";
import type { Store } from "../store/store.ts";
import type { Team } from "../records/team.ts";
import type { User } from "../records/user.ts";

/** Everything in the store, by kind. */
export type Dump = Readonly<Record<EmulatedKind | "project" | "event", readonly StoredObject[]>>;

/** How the store is looked at and changed from outside, past every check and without a request. */
export interface Control {
  /** Adds an object; read-only fields may be given too. Throws where the scope does not exist. */
  insert(kind: EmulatedKind, scope: ObjectScope, values: JsonObject): StoredObject;
  /** Sets any fields of an object, as somebody else would behind a tool's back. Throws where there is none. */
  edit(kind: EmulatedKind, id: Id, patch: JsonObject): StoredObject;
  /** Takes an object away for good, an insight too. Throws where there is none. */
  remove(kind: EmulatedKind, id: Id): void;
  /** The objects of a kind as stored, secrets and deleted insights included. */
  find(kind: EmulatedKind, predicate?: (object: StoredObject) => boolean): readonly StoredObject[];
  /** Adds a project to an organization and gives its id. */
  addProject(organization: string, name: string, id?: number): number;
  /** Sets any fields of a project, such as its `name`, or `dashboards`, the ids that insights may name. */
  editProject(id: number, patch: JsonObject): StoredObject;
  /** Adds events to a project, for trends and funnels to count. Gives how many there are now. */
  addEvents(project: number, events: readonly EventInput[]): number;
  /** Adds what a seed holds to what is there. */
  plant(seed: Seed): void;
  acceptInvite(id: string): StoredObject;
  expireInvite(id: string): StoredObject;
  /** A copy of everything. */
  dump(): Dump;
}

/** The control of a service. `owner` is whom a seed makes an owner. */
export function createControl(service: Service, owner: User): Control {
  const { store } = service;
  /** Each call is one write, so that a stale read after it shows the state before it. */
  const write = <Result>(change: () => Result): Result => {
    store.journal.begin();
    return change();
  };
  return {
    insert: (kind, scope, values) => write(() => insertObject(service, kind, scope, values)),
    edit(kind, id, patch) {
      const row = existing(service, kind, id);
      return write(() => toObject(tableOf(store, kind).put(withPatch(service, row, patch))));
    },
    remove(kind, id) {
      const row = existing(service, kind, id);
      write(() => {
        if (kind === "organization") removeOrganization(store, String(row.id));
        else tableOf(store, kind).remove(row.id);
      });
    },
    find: (kind, predicate = () => true) => objectsOf(store, kind).filter(predicate),
    addProject(organization, name, id) {
      if (store.organizations.get(organization) === undefined) {
        throw new Error(`There is no organization "${organization}".`);
      }
      return write(() => makeTeam(service, organization, { name, ...(id === undefined ? {} : { id }) }).id);
    },
    editProject: (id, patch) =>
      write(() => toObject(store.teams.put({ ...projectAt(store, id), ...withoutId(patch) }))),
    addEvents: (project, events) =>
      write(() => {
        const { id } = projectAt(store, project);
        for (const event of events) makeEvent(service, id, event);
        return store.events.within(id).length;
      }),
    plant: (seed) => write(() => plantSeed(service, checkSeed(seed), owner)),
    acceptInvite: (id) => write(() => acceptInvite(service, id)),
    expireInvite: (id) => write(() => expireInvite(service, id)),
    dump: () => dumpOf(store),
  };
}

function dumpOf(store: Store): Dump {
  return {
    organization: objectsOf(store, "organization"),
    project: store.teams.all().map(toObject),
    domain: objectsOf(store, "domain"),
    invite: objectsOf(store, "invite"),
    member: objectsOf(store, "member"),
    batch_export: objectsOf(store, "batch_export"),
    pipeline_destination: objectsOf(store, "pipeline_destination"),
    pipeline_frontend_app: objectsOf(store, "pipeline_frontend_app"),
    pipeline_import_app: objectsOf(store, "pipeline_import_app"),
    insight: objectsOf(store, "insight"),
    event: store.events.all().map(toObject),
  };
}

function projectAt(store: Store, id: number): Team {
  const team = store.teams.get(id);
  if (team === undefined) throw new Error(`There is no project "${id}".`);
  return team;
}

function withoutId({ id: _id, ...patch }: JsonObject): JsonObject {
  return patch;
}

/** An object by its id; a member also by the uuid of the user, an insight by its short id. */
function existing({ store }: Service, kind: EmulatedKind, id: Id): Row {
  const row = tableOf(store, kind).get(id) ?? byAlias(store, kind, id);
  if (row === undefined) throw new Error(`The emulator has no ${kind} "${String(id)}".`);
  return row;
}

function byAlias(store: Store, kind: EmulatedKind, id: Id): Row | undefined {
  if (kind === "member") return store.members.all().find((row) => row.user.uuid === id);
  if (kind === "insight") return store.insights.all().find((row) => row.short_id === id);
  return undefined;
}
