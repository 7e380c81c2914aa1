import type { ResourceName } from "../generated/kind-names.ts";
import type { Json } from "../model/json.ts";

/**
 * What a query or body parameter may be. `date` is YYYY-MM-DD, `-7d`, `-1m`, `mStart` or `yStart`; `breakdown` is a text, or
 * the ids of cohorts where `breakdown_type` is `cohort`; `json` is anything.
 */
export type FieldType =
  | "string"
  | "integer"
  | "number"
  | "boolean"
  | "array"
  | "object"
  | "json"
  | "date"
  | "breakdown";

/** One query or body parameter. */
export interface Field {
  readonly type: FieldType;
  /** All that is accepted. */
  readonly values?: readonly string[];
  /** What the service takes where nothing is sent. It is never sent on its own account. */
  readonly default?: Json;
  /** What to use in its place, "" for nothing. */
  readonly deprecated?: string;
  /** Set where the document does not show it, but deployed servers know it. */
  readonly beyond?: true;
}

export type Fields = Readonly<Record<string, Field>>;

/** What operations write, by its name in the document's lists of writable fields. */
export type Resource = ResourceName;

/** What an answer holds: a resource, or one of the shapes that only answers have. */
export type Shape = Resource | "sharing_configuration" | "funnel_result" | "trend_result";

/** What a request carries. */
export type Body =
  | {
      readonly type: "resource";
      /** Its writable fields, none of them required by the document. */
      readonly resource: Resource;
      /** Set where a list of them is taken as well. */
      readonly list?: true;
      /** Parameters beside the resource's own fields. */
      readonly more?: Fields;
    }
  | {
      readonly type: "parameters";
      readonly fields: Fields;
      /** At least one of these has to be given, and not empty. */
      readonly oneOf: readonly string[];
    };
