import type { Id } from "../store/table.ts";
import type { JsonObject } from "../json.ts";
import type { ObjectScope } from "../resource.ts";
import type { Service } from "../service.ts";
import type { User } from "../records/user.ts";

/** The shape of an object of a seed. */
export interface SeedShape {
  /** Required fields, all of them texts. */
  readonly needed: readonly string[];
  /** The optional fields. Undefined: all fields are allowed. */
  readonly fields?: readonly string[];
  /** Lists of objects inside this object. */
  readonly lists?: Readonly<Record<string, SeedShape>>;
  /** Further checks. Returns problems as pairs of a field and a message. */
  readonly check?: (value: JsonObject) => readonly (readonly [string, string])[];
}

/** The parent of an object of a seed: the seed itself, or an object of one of these resources. */
export type SeedParent = "seed" | keyof ObjectScope;

/** How seeds list the objects of a resource. */
export interface SeedRules<
  List extends string = string,
  Parent extends SeedParent = SeedParent,
  Item extends object = object,
> extends SeedShape {
  /** The name of the list, for example `domains`. */
  readonly list: List;
  /** The parents that may have this list. */
  readonly within: readonly Parent[];
  /** Never set. It carries the type of an object of the list. Without it an object may be any JSON object. */
  readonly item?: Item;
  /** Whether the list is planted before the other lists of its parent, because their objects may refer to it. */
  readonly plantedFirst?: boolean;
  /** Further fields that control how an object is planted. They are not stored. */
  readonly directives?: readonly string[];
  /** The objects of a parent without this list. Default: none. */
  readonly fallback?: readonly JsonObject[];
  /** Returns the scope of the objects inside an object. Undefined: an object has no children. */
  readonly scopeOf?: (id: Id) => ObjectScope;
  /** Runs for each parent after its list is planted. */
  readonly after?: (planting: Planting) => void;
}

/** The parent whose lists are planted. */
export interface Planting {
  readonly service: Service;
  /** The user who becomes an owner of the organizations in the seed. */
  readonly owner: User;
  readonly scope: ObjectScope;
  /** The object of the seed that contains the list. */
  readonly parent: JsonObject;
}
