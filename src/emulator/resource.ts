import type { AnyTable, HasStore, Id, Row } from "./store/table.ts";
import type { JsonObject } from "./json.ts";
import type { RequestRules, Route } from "./http/route.ts";
import type { SeedRules } from "./seed/rules.ts";
import type { Service } from "./service.ts";

/** Where an object is to live: an organization, or a project (and with it the project's organization). */
export interface ObjectScope {
  readonly organization?: string;
  readonly project?: string | number;
}

/** Everything that the emulator knows about one kind of objects. `resources/registry.ts` lists the definitions. */
export interface ResourceDefinition {
  /** The name of one object in the control interface and in dumps, for example `domain`. */
  readonly name: string;
  /** The table that keeps the rows. Several resources may share one. */
  readonly table: (at: HasStore) => AnyTable;
  /** Which rows of a shared table belong to this resource. Undefined: all. */
  readonly owns?: (row: Row) => boolean;
  /** The parent that the scope of the table names. The rows are removed together with it. */
  readonly livesIn?: keyof ObjectScope;
  /** The paths of the service. Where two of them fit a request, the first one answers. */
  readonly routes?: readonly Route[];
  /** How its requests differ from those of most resources. */
  readonly requests?: Partial<RequestRules>;
  /** Whether the control interface knows it as a kind. False for what has control calls of its own. */
  readonly controlled: boolean;
  /**
   * Makes an object, past every check, with the defaults of a create call. It reads from `values` only what is no plain
   * field, such as the id; the caller then sets the plain fields.
   * @throws Error where the scope does not exist
   */
  readonly insert: (service: Service, scope: ObjectScope, values: JsonObject) => Row;
  /** The plain fields among the values that `insert` gets. Undefined: all values. */
  readonly plainFields?: (values: JsonObject) => JsonObject;
  /** Finds a row by another identifier than its id. */
  readonly findByAlias?: (service: Service, id: Id) => Row | undefined;
  /** How seeds list its objects. Undefined: they do not. */
  readonly seed?: SeedRules;
}

/** Defines a resource. The result keeps the literal names, so that types can be made from them. */
export function defineResource<const Definition extends ResourceDefinition>(definition: Definition): Definition {
  return definition;
}

/** The definition with a name. @throws Error where there is none */
export function resourceNamed({ resources }: Service, name: string): ResourceDefinition {
  const found = resources.find((resource) => resource.name === name);
  if (found === undefined) throw new Error(`The emulator has no kind ${name}.`);
  return found;
}

/** The rows of a resource. */
export function rowsOf(service: Service, resource: ResourceDefinition): readonly Row[] {
  const rows = resource.table(service).all();
  return resource.owns === undefined ? rows : rows.filter(resource.owns);
}

/** Removes a row with everything that lives in it. */
export function removeRow(service: Service, resource: ResourceDefinition, id: Id): void {
  for (const inner of service.resources.filter(({ livesIn }) => livesIn === resource.name)) {
    for (const row of inner.table(service).within(id)) removeRow(service, inner, row.id);
  }
  resource.table(service).remove(id);
}
