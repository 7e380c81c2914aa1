import { resourceKinds } from "../../generated/kind-names.ts";
import { kindSchema, type FieldSchema } from "../../kinds/fields.ts";
import type { Body, Field, Fields, Operation, ParameterType } from "../operations/index.ts";

/** One parameter of an operation, wherever it goes. */
export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "body";
  readonly type: Field["type"] | ParameterType;
  readonly required: boolean;
  /** All that is accepted; absent where that is open. */
  readonly values?: readonly string[];
  readonly default?: Field["default"];
  /** What to use in its place, "" for nothing. */
  readonly deprecated?: string;
  /** Set where the document does not show it. */
  readonly beyond?: true;
}

/** Every parameter of an operation: those of the path, of the query, and the top-level ones of the body. */
export function parametersOf(operation: Operation): readonly Parameter[] {
  return [
    ...Object.entries(operation.params).map(([name, type]) => ({ name, in: "path" as const, type, required: true })),
    ...Object.entries(operation.query).map(([name, field]) => ({
      name,
      in: "query" as const,
      required: false,
      ...field,
    })),
    ...Object.entries(bodyFields(operation.body)).map(([name, field]) => ({
      name,
      in: "body" as const,
      required: false,
      ...field,
    })),
  ];
}

/** The top-level fields of a body. */
export function bodyFields(body: Body | null): Fields {
  if (body === null) return {};
  if (body.type === "parameters") return body.fields;
  const { properties } = kindSchema(resourceKinds[body.resource]);
  const writable = Object.entries(properties).filter(([, schema]) => schema.readOnly !== true);
  return { ...Object.fromEntries(writable.map(([name, schema]) => [name, fieldOf(schema)])), ...body.more };
}

/** What is known of a resource's field; its values stay open, as services come to take new ones. */
function fieldOf({ type, $ref, deprecated }: FieldSchema): Field {
  const types = type === undefined ? [] : [type].flat();
  const [only, ...others] = types.filter((one) => one !== "null");
  const known = only === undefined || others.length > 0 ? "json" : only;
  // Which of several shapes a reference stands for is for the service to say.
  return { type: $ref === undefined ? known : "json", ...(deprecated === true ? { deprecated: "" } : {}) };
}
