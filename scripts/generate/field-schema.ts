import type { Json } from "../../src/model/json/json.ts";

export type JsonType = "string" | "integer" | "number" | "boolean" | "object" | "array" | "null";

/** The part of JSON Schema (draft-07) that schemas/ uses for a field or a part of it. */
export interface FieldSchema {
  readonly $id?: string;
  readonly $ref?: string;
  readonly title?: string;
  /** Absent if `allOf`, `anyOf` or `$ref` define it. */
  readonly type?: JsonType | readonly JsonType[];
  /** Its meaning, its unit, and the source of these facts. */
  readonly description?: string;
  /** Computed by the service. */
  readonly readOnly?: boolean;
  /** The service accepts it but never returns it. With the format `password` it is a secret. */
  readonly writeOnly?: boolean;
  readonly deprecated?: boolean;
  /** Why not to use it: only in the schema for editors, which read it instead of `deprecated`. */
  readonly deprecationMessage?: string;
  /** The value of a new object if none is declared. */
  readonly default?: Json;
  readonly examples?: readonly Json[];
  readonly enum?: readonly Json[];
  /** What the values of `enum` mean, in their order: only in the schema for editors. */
  readonly enumDescriptions?: readonly string[];
  readonly const?: Json;
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly items?: FieldSchema;
  readonly uniqueItems?: boolean;
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly patternProperties?: Readonly<Record<string, FieldSchema>>;
  readonly definitions?: Readonly<Record<string, FieldSchema>>;
  readonly required?: readonly string[];
  readonly propertyNames?: FieldSchema;
  readonly additionalProperties?: boolean | FieldSchema;
  readonly allOf?: readonly FieldSchema[];
  readonly anyOf?: readonly FieldSchema[];
  readonly not?: FieldSchema;
  readonly if?: FieldSchema;
  readonly then?: FieldSchema;
  readonly else?: FieldSchema;
  /** It cannot be updated: a change is a replace. */
  readonly "x-immutable"?: boolean;
  /** An array that is compared as a set. */
  readonly "x-unordered"?: boolean;
  /** A setting that an integration has, so that a destination with one does without. */
  readonly "x-credential"?: boolean;
  /**
   * Today's service takes only the keys that the schema names, and these. An object may still show others of older days: they are neither
   * sent nor exported.
   */
  readonly "x-closed"?: readonly string[];
  /** Newer services may know other words than these. */
  readonly "x-open"?: boolean;
  /** The examples are all that is known. The service takes any text. */
  readonly "x-known"?: boolean;
  /** It says how a create is done, and the object does not keep it. */
  readonly "x-once"?: boolean;
  /** A create sends the default, because the service's own is another one. */
  readonly "x-sent"?: boolean;
  /** The interface document does not have it: when the service got it. A service that does not show it does not have it. */
  readonly "x-since"?: string;
  /** Today's service has it no more, or only shows it. */
  readonly "x-left"?: LeftField;
  /** Writable in the interface, but not declarable. */
  readonly "x-undeclarable"?: boolean;
  /** The id of an object in the same scope, or of a project there. A configuration may name the object in its place. */
  readonly "x-reference"?: "domain" | "project";
  /** Names that a configuration may use for the numbers. */
  readonly "x-names"?: Readonly<Record<string, number>>;
  /** What each value of `enum` means, or each name of `x-names`. Editors show it. */
  readonly "x-values"?: Readonly<Record<string, string>>;
}

/** Where a field of the interface document went. */
export interface LeftField {
  /** What to declare or do in its place, as the rest of a sentence. */
  readonly instead: string;
  /** The field that a service shows if this one is read-only there. Without it, the service does not show this one either. */
  readonly read_only_beside?: string;
  /** The field in which a service shows what this one says. It is compared with that field if the other one is not declared. */
  readonly shown_as?: string;
}

/** The schema of one kind. */
export interface KindSchema extends FieldSchema {
  readonly $id: string;
  readonly title: string;
  readonly description: string;
  readonly type: "object";
  /** Every field of the interface. */
  readonly properties: Readonly<Record<string, FieldSchema>>;
  /** The fields that a create needs. */
  readonly required: readonly string[];
  /** Fields by which an object can be pinned. */
  readonly "x-pins": readonly string[];
  /** Other keys of its rows: the service sets them alone, and they are no fields of the interface document. */
  readonly "x-read-only"?: readonly string[];
  /** By title. The settings of a destination are named by its type. */
  readonly definitions?: Readonly<Record<string, FieldSchema>>;
}
