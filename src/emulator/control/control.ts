import { acceptInvite, expireInvite } from "../resources/invite/acceptance.ts";
import { checkSeed } from "../seed/load.ts";
import { eventTable, makeEvent, type EventInput } from "../resources/event.ts";
import { findRow, insertRow, patchRow } from "./objects.ts";
import { makeTeam, teamTable, type Team } from "../resources/project/record.ts";
import { organizationTable } from "../resources/organization/record.ts";
import { plantSeed } from "../seed/plant.ts";
import { removeRow, resourceNamed, storedRows, type ObjectScope, type ResourceDefinition } from "../resource.ts";
import { setAccess, type AccessLevel } from "../resources/insight/access.ts";
import { setSwitches, type Switches } from "../current/switches.ts";
import { toObject, type StoredObject } from "../store/object.ts";
import type { EmulatedKind, RegisteredResource } from "../resources/registry.ts";
import type { Id } from "../store/table.ts";
import type { JsonObject } from "../json.ts";
import type { LaterField } from "../http/later-fields.ts";
import type { Seed } from "../seed/seed.ts";
import type { Service } from "../service.ts";
import type { User } from "../records/user.ts";

/** Everything in the store, by kind. */
export type Dump = Readonly<Record<RegisteredResource["name"], readonly StoredObject[]>>;

/** Reads and changes the store from outside, without a request and without any check. */
export interface Control {
  /** Adds an object. Read-only fields are allowed. Throws if the scope does not exist. */
  insert(kind: EmulatedKind, scope: ObjectScope, values: JsonObject): StoredObject;
  /** Sets any fields of an object, like a change that another user made. Throws if the object does not exist. */
  edit(kind: EmulatedKind, id: Id, patch: JsonObject): StoredObject;
  /** Removes an object completely, even an insight. Throws if the object does not exist. */
  remove(kind: EmulatedKind, id: Id): void;
  /** Lists the objects of a kind as stored, including secrets and deleted insights. */
  find(kind: EmulatedKind, predicate?: (object: StoredObject) => boolean): readonly StoredObject[];
  /** Adds a project to an organization and returns its id. */
  addProject(organization: string, name: string, id?: number): number;
  /** Sets any fields of a project, such as its `name`, the ids of its `dashboards`, or its SQL `variables`. */
  editProject(id: number, patch: JsonObject): StoredObject;
  /** Adds events for trends and funnels to a project. Returns the number of events that the project has now. */
  addEvents(project: number, events: readonly EventInput[]): number;
  /** Adds the contents of a seed to the existing objects. */
  plant(seed: Seed): void;
  acceptInvite(id: string): StoredObject;
  expireInvite(id: string): StoredObject;
  /**
   * Gives a user access to an insight, or takes it away, in the `deployed` dialect. Without access the insight is left out of
   * the lists of that user, and a read of it is 403. Throws if it does not exist.
   */
  setAccess(insight: Id, user: string, level: AccessLevel): void;
  /** Returns the switches of the `current` dialect. */
  switches(): Switches;
  /** Sets switches of the `current` dialect. Throws if there is no such switch. */
  setSwitches(wanted: Partial<Switches>): void;
  /**
   * Gives the objects of some routes fields that nobody knew of before, as a newer service does. `segment` is that of the routes,
   * such as `batch_exports`. It replaces the earlier ones of these routes, and keeps what was written.
   */
  setLaterFields(segment: string, fields: Readonly<Record<string, LaterField>>): void;
  /** Returns a copy of everything. */
  dump(): Dump;
}

/** Creates the control of a service. `owner` is the user whom a seed makes an owner. */
export function createControl(service: Service, owner: User): Control {
  const of = (kind: EmulatedKind): ResourceDefinition => resourceNamed(service, kind);
  /** Each call counts as one write, so a stale read after it shows the state before it. */
  const write = <Result>(change: () => Result): Result => {
    service.store.journal.begin();
    return change();
  };
  return {
    insert: (kind, scope, values) => write(() => toObject(insertRow(service, of(kind), scope, values))),
    edit(kind, id, patch) {
      const row = findRow(service, of(kind), id);
      return write(() =>
        toObject(
          of(kind)
            .table(service)
            .put(patchRow(service, row, patch)),
        ),
      );
    },
    remove(kind, id) {
      const row = findRow(service, of(kind), id);
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
    plant: (seed) => write(() => plantSeed(service, checkSeed(seed), owner)),
    acceptInvite: (id) => write(() => acceptInvite(service, id)),
    expireInvite: (id) => write(() => expireInvite(service, id)),
    setAccess: (insight, user, level) => write(() => setAccess(service, insight, user, level)),
    setSwitches: (wanted) => setSwitches(service, wanted),
    switches: () => ({ ...service.switches }),
    setLaterFields: (segment, fields) => void service.laterFields.fields.set(segment, fields),
    dump: () => dumpOf(service),
  };
}

function dumpOf(service: Service): Dump {
  const lists = service.resources.map((resource) => [resource.name, objectsOf(service, resource)] as const);
  // The object has a list for every resource, but the type system cannot infer that through `map`.
  return Object.fromEntries(lists) as Dump;
}

function objectsOf(service: Service, resource: ResourceDefinition): readonly StoredObject[] {
  return storedRows(service, resource).map(toObject);
}

function projectAt(service: Service, id: number): Team {
  const team = teamTable(service).get(id);
  if (team === undefined) throw new Error(`There is no project "${id}".`);
  return team;
}

function withoutId({ id: _id, ...patch }: JsonObject): JsonObject {
  return patch;
}
