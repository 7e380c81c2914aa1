import { acceptInvite, expireInvite } from "../resources/invite/acceptance.ts";
import { checkSeed } from "../seed/load.ts";
import { eventTable, makeEvent } from "../resources/event.ts";
import { existingRow, insertRow, withPatch } from "./objects.ts";
import { makeTeam, teamTable } from "../resources/project/record.ts";
import { organizationTable } from "../resources/organization/record.ts";
import { plantSeed } from "../seed/plant.ts";
import { removeRow, resourceNamed, rowsOf } from "../resource.ts";
import { toObject } from "../store/object.ts";
import type { EmulatedKind, RegisteredResource } from "../resources/registry.ts";
import type { EventInput } from "../resources/event.ts";
import type { Id } from "../store/table.ts";
import type { JsonObject } from "../json.ts";
import type { ObjectScope, ResourceDefinition } from "../resource.ts";
import type { Seed } from "../seed/seed.ts";
import type { Service } from "../service.ts";
import type { StoredObject } from "../store/object.ts";
import type { Team } from "../resources/project/record.ts";
import type { User } from "../records/user.ts";

/** Everything in the store, by kind. */
export type Dump = Readonly<Record<RegisteredResource["name"], readonly StoredObject[]>>;

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
  const of = (kind: EmulatedKind): ResourceDefinition => resourceNamed(service, kind);
  /** Each call is one write, so that a stale read after it shows the state before it. */
  const write = <Result>(change: () => Result): Result => {
    service.store.journal.begin();
    return change();
  };
  return {
    insert: (kind, scope, values) => write(() => toObject(insertRow(service, of(kind), scope, values))),
    edit(kind, id, patch) {
      const row = existingRow(service, of(kind), id);
      return write(() =>
        toObject(
          of(kind)
            .table(service)
            .put(withPatch(service, row, patch)),
        ),
      );
    },
    remove(kind, id) {
      const row = existingRow(service, of(kind), id);
      write(() => removeRow(service, of(kind), row.id));
    },
    find: (kind, predicate = () => true) => objectsOf(service, of(kind)).filter(predicate),
    addProject(organization, name, id) {
      if (organizationTable(service).get(organization) === undefined) {
        throw new Error(`There is no organization "${organization}".`);
      }
      return write(() => makeTeam(service, organization, { name, ...(id === undefined ? {} : { id }) }).id);
    },
    editProject: (id, patch) =>
      write(() => toObject(teamTable(service).put({ ...projectAt(service, id), ...withoutId(patch) }))),
    addEvents: (project, events) =>
      write(() => {
        const { id } = projectAt(service, project);
        for (const event of events) makeEvent(service, id, event);
        return eventTable(service).within(id).length;
      }),
    plant: (seed) => write(() => plantSeed(service, checkSeed(seed, service.resources), owner)),
    acceptInvite: (id) => write(() => acceptInvite(service, id)),
    expireInvite: (id) => write(() => expireInvite(service, id)),
    dump: () => dumpOf(service),
  };
}

function dumpOf(service: Service): Dump {
  const lists = service.resources.map((resource) => [resource.name, objectsOf(service, resource)] as const);
  // There is a list for every resource, which the type system cannot follow through `map`.
  return Object.fromEntries(lists) as Dump;
}

function objectsOf(service: Service, resource: ResourceDefinition): readonly StoredObject[] {
  return rowsOf(service, resource).map(toObject);
}

function projectAt(service: Service, id: number): Team {
  const team = teamTable(service).get(id);
  if (team === undefined) throw new Error(`There is no project "${id}".`);
  return team;
}

function withoutId({ id: _id, ...patch }: JsonObject): JsonObject {
  return patch;
}
