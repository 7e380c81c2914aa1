import type { Json } from "./json.ts";
import type { KindName } from "./kind-name.ts";

/** What `explain` prints about one field. */
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
  /** Changing it replaces the object. */
  readonly immutable: boolean;
  /** A list that is compared as a set. */
  readonly unordered: boolean;
  readonly deprecated: boolean;
  /** Since when services have it: a year or a month, such as `2026-08`. Absent if all of them have it. */
  readonly since?: string | undefined;
  /** Today's service does not take it any more: what to declare or do in its place, as the rest of a sentence. */
  readonly left?: string | undefined;
  /** The value that the service uses if none is sent; absent if it is unknown. */
  readonly default?: Json | undefined;
  /** All allowed values; empty if there is no such list. */
  readonly values: readonly Json[];
  /** Names that a configuration may use instead of values. */
  readonly names?: Readonly<Record<string, Json>> | undefined;
  readonly description: string;
  /** The sources of this information: the interface document, or deployed servers. */
  readonly sources: readonly string[];
}

/** Which variations of one field do not count as differences. */
export interface PolicyExplanation {
  /** JSON Pointer of the field; with `/*` at its end, everything below it. */
  readonly path: string;
  /** Stable names. */
  readonly policies: readonly string[];
  /** The same in words, one for each name. */
  readonly meaning: readonly string[];
}

/** What `explain` prints about one kind: a machine-readable document like a plan. */
export interface KindExplanation {
  readonly type: "driftline.explanation";
  readonly schema_version: 1;
  readonly name: KindName;
  readonly title: string;
  readonly description: string;
  /** The key under which resources of this kind are declared, such as `domains`; empty for organizations. */
  readonly collection: string;
  /** The scopes in which it exists: `service`, `organization`, `project`. */
  readonly scopes: readonly string[];
  /** In words: what identifies an object. */
  readonly natural_key: string;
  /** Fields by which an object can be pinned. */
  readonly pins: readonly string[];
  /** Names of the operations that are used, such as `domains.update`. */
  readonly operations: readonly string[];
  /** In words: how an object is created, changed and removed. */
  readonly created: string;
  readonly changed: string;
  readonly removed: string;
  /** How the service rewrites values without changing their meaning. */
  readonly policies: readonly PolicyExplanation[];
  readonly fields: readonly FieldExplanation[];
}

/** The names of what is explained as well as kinds. */
export const TOPICS: readonly string[] = ["lifecycle", "project"];

/** What `explain` prints about something in a configuration that is no kind. */
export interface TopicExplanation {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly fields: readonly FieldExplanation[];
}
