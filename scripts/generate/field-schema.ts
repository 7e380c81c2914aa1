import type { Json } from "../../src/model/json.ts";

export type JsonType = "string" | "integer" | "number" | "boolean" | "object" | "array" | "null";

/** A JSON Schema (draft-07) of a field or of a part of it, as far as schemas/ uses the language. */
export interface FieldSchema {
  readonly $id?: string;
  readonly $ref?: string;
  readonly title?: string;
  /** Absent where `allOf`, `anyOf` or `$ref` say it. */
  readonly type?: JsonType | readonly JsonType[];
  /** What it means, its unit, and where that is known from. */
  readonly description?: string;
  /** Computed by the service. */
  readonly readOnly?: boolean;
  /** Sent, never given back. Together with the format `password`: a secret. */
  readonly writeOnly?: boolean;
  readonly deprecated?: boolean;
  /** What the service takes where nothing is sent. */
  readonly default?: Json;
  readonly examples?: readonly Json[];
  readonly enum?: readonly Json[];
  readonly const?: Json;
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly items?: FieldSchema;
  readonly uniqueItems?: boolean;
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | FieldSchema;
  readonly allOf?: readonly FieldSchema[];
  readonly anyOf?: readonly FieldSchema[];
  readonly if?: FieldSchema;
  readonly then?: FieldSchema;
  /** A change of it means a replace. */
  readonly "x-immutable"?: boolean;
  /** An array that is compared as a set. */
  readonly "x-unordered"?: boolean;
  /** Writable in the interface, but not to be declared. */
  readonly "x-undeclarable"?: boolean;
  /** Words that a configuration may use in place of the numbers. */
  readonly "x-names"?: Readonly<Record<string, number>>;
}

/** The schema of one kind. */
export interface KindSchema extends FieldSchema {
  readonly $id: string;
  readonly title: string;
  readonly description: string;
  readonly type: "object";
  /** Every field that the interface knows. */
  readonly properties: Readonly<Record<string, FieldSchema>>;
  /** What a create needs. */
  readonly required: readonly string[];
  /** Fields by which an object can be pinned. */
  readonly "x-pins": readonly string[];
  /** By title; the settings of a batch export's destination by its type. */
  readonly definitions?: Readonly<Record<string, FieldSchema>>;
}
