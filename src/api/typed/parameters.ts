import { resourceKinds } from "../../generated/kind-names.ts";
import { kindSchema, type FieldSchema } from "../../kinds/fields.ts";
import type { Body, Field, Fields, Operation, ParameterType } from "../operations/index.ts";

/** One parameter of an operation, in the path, the query or the body. */
export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "body";
  readonly type: Field["type"] | ParameterType;
  readonly required: boolean;
  /** The accepted values. Absent if any value is accepted. */
  readonly values?: readonly string[];
  readonly default?: Field["default"];
  /** What to use instead, or "" if there is no replacement. */
  readonly deprecated?: string;
  /** Set if the parameter is not in the document. */
  readonly beyond?: true;
}

/** Lists every parameter of an operation: path, query, and the top-level fields of the body. */
export function parametersOf(operation: Operation): readonly Parameter[] {
  return [
    ...Object.entries(operation.params).map(([name, type]) => ({ name, in: "path" as const, type, required: true })),
    ...optional("query", operation.query),
    ...optional("body", bodyFields(operation.body)),
  ];
}

function optional(place: "query" | "body", fields: Fields): readonly Parameter[] {
  return Object.entries(fields).map(([name, field]) => ({ name, in: place, required: false, ...field }));
}

export function bodyFields(body: Body | null): Fields {
  if (body === null || body.type === "files") return {};
  if (body.type === "parameters") return body.fields;
  const { properties } = kindSchema(resourceKinds[body.resource]);
  const writable = Object.entries(properties).filter(([, schema]) => schema.readOnly !== true);
  return { ...Object.fromEntries(writable.map(([name, schema]) => [name, fieldOf(schema)])), ...body.more };
}

/** Describes a field of a resource. Its values are not restricted, because services may accept new ones. */
function fieldOf({ type, $ref, deprecated }: FieldSchema): Field {
  const types = type === undefined ? [] : [type].flat();
  const [only, ...others] = types.filter((one) => one !== "null");
  const known = only === undefined || others.length > 0 ? "json" : only;
  // A reference may stand for several shapes, and only the service knows which.
  return { type: $ref === undefined ? known : "json", ...(deprecated === true ? { deprecated: "" } : {}) };
}
