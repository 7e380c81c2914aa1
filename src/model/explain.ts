import type { Json } from "./json.ts";
import type { KindName } from "./kind-name.ts";

/** What `explain` tells about one field. */
export interface FieldExplanation {
  /** Name of the field; below the top level dotted, such as `destination.type`. */
  readonly name: string;
  /** In words, such as `string` or `string or null`. */
  readonly type: string;
  /** Needed for a create. */
  readonly required: boolean;
  /** Whether it may be declared; the others are computed by the service. */
  readonly writable: boolean;
  readonly secret: boolean;
  /** A change of it means a replace. */
  readonly immutable: boolean;
  /** A list that is compared as a set. */
  readonly unordered: boolean;
  readonly deprecated: boolean;
  /** What the service takes where nothing is sent; absent where nobody knows. */
  readonly default?: Json | undefined;
  /** All values that it can have; empty where there is no such list. */
  readonly values: readonly Json[];
  /** Words that a configuration may use in place of values. */
  readonly names?: Readonly<Record<string, Json>> | undefined;
  readonly description: string;
  /** Where that is known from: the interface document, or deployed servers. */
  readonly sources: readonly string[];
}

/** What is no difference in one field. */
export interface PolicyExplanation {
  /** JSON Pointer of the field; with `/*` at its end, everything below it. */
  readonly path: string;
  /** Stable names. */
  readonly policies: readonly string[];
  /** The same in words, one for each name. */
  readonly meaning: readonly string[];
}

/** What `explain` tells about one kind: a machine output like plans are. */
export interface KindExplanation {
  readonly type: "driftline.explanation";
  readonly schema_version: 1;
  readonly name: KindName;
  readonly title: string;
  readonly description: string;
  /** The key under which resources of this kind are declared, such as `domains`; empty for organizations. */
  readonly collection: string;
  /** Where it lives: `service`, `organization`, `project`. */
  readonly scopes: readonly string[];
  /** In words, what tells one object from another. */
  readonly natural_key: string;
  /** Fields by which an object can be pinned. */
  readonly pins: readonly string[];
  /** Names of the operations that are used, such as `domains.update`. */
  readonly operations: readonly string[];
  /** In words: how an object comes into being, is changed, and goes. */
  readonly created: string;
  readonly changed: string;
  readonly removed: string;
  /** What the service does to values without meaning different ones. */
  readonly policies: readonly PolicyExplanation[];
  readonly fields: readonly FieldExplanation[];
}
