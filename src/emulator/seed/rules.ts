import type { Id } from "../store/table.ts";
import type { JsonObject } from "../json.ts";
import type { ObjectScope } from "../resource.ts";
import type { Service } from "../service.ts";
import type { User } from "../records/user.ts";

/** What an object of a seed may hold. */
export interface SeedShape {
  /** Fields that have to be there as texts. */
  readonly needed: readonly string[];
  /** Undefined: any further field. */
  readonly fields?: readonly string[];
  /** Lists of objects that are a part of this one. */
  readonly lists?: Readonly<Record<string, SeedShape>>;
  /** What else has to hold: problems as a field and what is wrong with it. */
  readonly check?: (value: JsonObject) => readonly (readonly [string, string])[];
}

/** What an object of a seed may stand in: the seed itself, or an object of one of these resources. */
export type SeedParent = "seed" | keyof ObjectScope;

/** How seeds list the objects of a resource. */
export interface SeedRules<
  List extends string = string,
  Parent extends SeedParent = SeedParent,
  Item extends object = object,
> extends SeedShape {
  /** The name of the list, for example `domains`. */
  readonly list: List;
  /** What has such a list. */
  readonly within: readonly Parent[];
  /** Never there: it carries the type of an object of the list. Without it an object is any JSON object. */
  readonly item?: Item;
  /** Whether it is planted before the other lists of its parent, because their objects may refer to it. */
  readonly first?: boolean;
  /** Further fields, which say how to plant an object and are no part of it. */
  readonly directives?: readonly string[];
  /** The objects of a parent that has no such list. Default: none. */
  readonly otherwise?: readonly JsonObject[];
  /** The scope of the objects inside an object. Undefined: nothing stands in it. */
  readonly scopeOf?: (id: Id) => ObjectScope;
  /** Runs for each parent after its list was planted. */
  readonly after?: (planting: Planting) => void;
}

/** A place where a seed is being planted. */
export interface Planting {
  readonly service: Service;
  /** The user who becomes an owner of what the seed holds. */
  readonly owner: User;
  readonly scope: ObjectScope;
  /** The object of the seed that holds the list. */
  readonly parent: JsonObject;
}
