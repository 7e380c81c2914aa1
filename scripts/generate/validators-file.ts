import { Ajv } from "ajv";
import standalone from "ajv/dist/standalone/index.js";
import { FORMATS } from "./formats.ts";
import { declarable, mapSchema, mapValues, omit } from "./schema-tools.ts";
import type { FieldSchema, KindSchema } from "./field-schema.ts";
import { HEADER, type Source } from "./source.ts";

const ANNOTATIONS = new Set([
  "$schema",
  "$id",
  "$comment",
  "title",
  "description",
  "default",
  "examples",
  "readOnly",
  "writeOnly",
  "deprecated",
]);

const HEAD = `// @ts-nocheck
// ${HEADER}
import type { KindName } from "./kind-names.ts";

/** An error at one place of a value. */
export interface ValidationError {
  /** JSON Pointer into the value. */
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string;
}

/** True if the value is valid; otherwise \`errors\` holds everything that is wrong, until the next call. */
export interface Validator {
  (value: unknown): boolean;
  errors?: readonly ValidationError[] | null;
}

`;

const CHARACTERS = `// Characters rather than UTF-16 units, as JSON Schema counts.
const characters = (text) => [...text].length;
`;

/**
 * \`src/generated/validators.ts\`: validators of declared values as plain code, which loads in a few milliseconds. Compiling the
 * schemas takes over a hundred. No top-level field is required here, because that depends on the lifecycle.
 */
export function validatorsFile({ kinds, lifecycle }: Source): string {
  const schemas: Record<string, object> = mapValues(kinds, (kind) => declaredForm(kind));
  schemas["lifecycle"] = bare(lifecycle);
  const names = Object.keys(schemas);
  return `${HEAD}${CHARACTERS}${compiled(schemas, true)}
/** Validators of declared fields (levels as numbers, with pins, without the lifecycle), and of a lifecycle. */
export const validators: Readonly<Record<KindName | "lifecycle", Validator>> = {
${names.map((name) => `  ${name},\n`).join("")}};
`;
}

/**
 * `src/generated/plan-validator.ts`: checks that a document is a plan, in every part. Unknown members are accepted. It is a
 * separate file because only saved plans need it.
 */
export function planValidatorFile({ plan }: Source): string {
  const open = mapSchema(bare(plan), (part) => omit(part, (key) => key === "additionalProperties"));
  return `// @ts-nocheck
// ${HEADER}
import type { PlanJson } from "../model/document-json.ts";

${CHARACTERS}${compiled({ plan: open }, false)}
/** Whether a value is a plan or a drift according to schemas/plan.schema.json. */
export const isPlanDocument: (value: unknown) => value is PlanJson = plan;
`;
}

/** Validators as plain code, each a constant of its name. */
function compiled(schemas: Readonly<Record<string, object>>, allErrors: boolean): string {
  const names = Object.keys(schemas);
  const ajv = new Ajv({
    schemas: names.map((name) => ({ $id: name, ...schemas[name] })),
    code: { source: true, esm: true, lines: true },
    formats: FORMATS,
    allErrors,
    allowUnionTypes: true,
  });
  const code = standalone
    .default(ajv, Object.fromEntries(names.map((name) => [name, name])))
    .replace(/^"use strict";\n/, "")
    .replace(/^export const (\w+) = (\w+);\n?/gm, "const $1 = $2;\n")
    .replaceAll('require("ajv/dist/runtime/ucs2length").default', "characters");
  if (/\brequire\(/.test(code)) throw new Error("the validators ask for a module of ajv that is not replaced yet");
  return code;
}

function declaredForm(kind: KindSchema): object {
  const { definitions = {} } = kind;
  return {
    type: "object",
    properties: mapValues(declarable(kind), bare),
    additionalProperties: false,
    // Which settings a destination needs depends on the version of the service, so a missing one is only a warning.
    definitions: mapValues(definitions, (definition) => omit(bare(definition), (key) => key === "required")),
  };
}

/** The schema without the keys that only people read, which compiled code would contain as well. */
function bare(schema: FieldSchema): FieldSchema {
  return mapSchema(schema, (part) =>
    omit(
      part,
      (key) => ANNOTATIONS.has(key) || key.startsWith("x-") || (key === "format" && part.format === "password"),
    ),
  );
}
