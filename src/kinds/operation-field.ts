import type { ResourceName } from "../generated/kind-names.ts";
import type { Json } from "../model/json/json.ts";

/**
 * The type of a query or body parameter. `date` is YYYY-MM-DD, `-7d`, `-1m`, `mStart` or `yStart`. `breakdown` is a text, or a
 * list of cohort ids if `breakdown_type` is `cohort`. `json` is any value.
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
  /** All accepted values. */
  readonly values?: readonly string[];
  /** The value that the service uses if none is sent. driftline never sends it by itself. */
  readonly default?: Json;
  /** What to use instead, "" if there is no replacement. */
  readonly deprecated?: string;
  /** Set if the document lacks it, but deployed servers accept it. */
  readonly beyond?: true;
}

export type Fields = Readonly<Record<string, Field>>;

/** The name of a resource in the document's lists of writable fields. */
export type DocumentResource = ResourceName;

/** The type of an answer: a resource, or one of the types that only answers have. */
export type Shape =
  | DocumentResource
  | "batch_export_backfill"
  | "batch_export_run"
  | "started_backfill"
  | "cancelled_run"
  | "sharing_configuration"
  | "funnel_result"
  | "trend_result"
  | "query_result";

/** The body of a request. */
export type Body =
  | {
      readonly type: "resource";
      /** Its writable fields, none of them required by the document. */
      readonly resource: DocumentResource;
      /** Set if a list of them is accepted as well. */
      readonly list?: true;
      /** Parameters beside the resource's own fields. */
      readonly more?: Fields;
    }
  | {
      readonly type: "parameters";
      readonly fields: Fields;
      /** At least one of these lists must be given and not be empty. If there are no names here, none is required. */
      readonly oneOf: readonly string[];
    }
  | {
      /** A map from file name to text. Null removes a file. */
      readonly type: "files";
      /** The resource that has the files. Its own fields are not names of files. */
      readonly resource: DocumentResource;
    };
