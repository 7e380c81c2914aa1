import type { AnyTable, HasStore, Id, Row } from "./store/table.ts";
import type { JsonObject } from "./json.ts";
import type { RequestRules, Route } from "./http/route.ts";
import type { SeedRules } from "./seed/rules.ts";
import type { Service } from "./service.ts";

/** The parent of a new object: an organization, or a project and with it the project's organization. */
export interface ObjectScope {
  readonly organization?: string;
  readonly project?: string | number;
}

/** The definition of one kind of object. `resources/registry.ts` lists all definitions. */
export interface ResourceDefinition {
  /** The name of one object in the control interface and in dumps, for example `domain`. */
  readonly name: string;
  /** The table of the rows. Several resources may share one. */
  readonly table: (at: HasStore) => AnyTable;
  /** Reports whether a row of a shared table belongs to this resource. Undefined: every row does. */
  readonly owns?: (row: Row) => boolean;
  /** The kind of the parent, which is the scope of the table. The rows are removed together with the parent. */
  readonly livesIn?: keyof ObjectScope;
  /** The routes of the service. If two of them match a request, the first one answers. */
  readonly routes?: readonly Route[];
  /** Request rules that differ from the default rules. */
  readonly requests?: Partial<RequestRules>;
  /** Whether the control interface has it as a kind. False for resources that have their own control calls. */
  readonly controlled: boolean;
  /**
   * Creates an object without any check, with the defaults of a create call. It reads from `values` only fields that
   * need special treatment, such as the id. The caller then sets the plain fields.
   * @throws Error if the scope does not exist
   */
  readonly insert: (service: Service, scope: ObjectScope, values: JsonObject) => Row;
  /** Returns the plain fields among the values that `insert` gets. Undefined: all values are plain. */
  readonly plainFields?: (values: JsonObject) => JsonObject;
  /** Finds a row by an identifier other than its id. */
  readonly findByAlias?: (service: Service, id: Id) => Row | undefined;
  /** How seeds list its objects. Undefined: seeds cannot contain them. */
  readonly seed?: SeedRules;
}

/** Defines a resource. The result keeps the literal names, because types are derived from them. */
export function defineResource<const Definition extends ResourceDefinition>(definition: Definition): Definition {
  return definition;
}

/** Returns the definition with a name. @throws Error if there is none */
export function resourceNamed({ resources }: Service, name: string): ResourceDefinition {
  const found = resources.find((resource) => resource.name === name);
  if (found === undefined) throw new Error(`The emulator has no kind ${name}.`);
  return found;
}

/** Lists the rows of a resource. */
export function storedRows(service: Service, resource: ResourceDefinition): readonly Row[] {
  const rows = resource.table(service).all();
  return resource.owns === undefined ? rows : rows.filter(resource.owns);
}

/** Removes a row and all its children. */
export function removeRow(service: Service, resource: ResourceDefinition, id: Id): void {
  for (const inner of service.resources.filter(({ livesIn }) => livesIn === resource.name)) {
    for (const row of inner.table(service).within(id)) removeRow(service, inner, row.id);
  }
  resource.table(service).remove(id);
}
