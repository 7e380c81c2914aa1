import { Ajv } from "ajv";
import standalone from "ajv/dist/standalone/index.js";
import { FORMATS } from "./formats.ts";
import type { FieldSchema } from "./field-schema.ts";
import { fileSchema } from "./file-schema.ts";
import { mapSchema, mapValues, omit, type Schemas } from "./schema-tools.ts";
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
  /** The name that it is about, which is a key of the value. */
  readonly propertyName?: string;
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

const APPEND = `// A concatenation for each resource would make the time quadratic in the number of errors.
const append = (errors, more) => {
  for (const error of more) errors.push(error);
  return errors;
};
`;

/**
 * \`src/generated/validators.ts\`: the validators of a file and of its parts as plain code, which loads in a few milliseconds.
 * Compiling the schemas takes over a hundred.
 */
export function validatorsFile(source: Source): string {
  const { definitions = {}, ...file } = fileSchema(source);
  const names = {
    file: "file",
    lifecycle: "Lifecycle",
    ...mapValues(source.kinds, ({ title }) => `${title}Input`),
    organization: "OrganizationConfig",
  };
  return `${HEAD}${CHARACTERS}${APPEND}${compiled({ file, ...definitions }, names)}
/** Validators of a file after substitution, of the lifecycle in it, and of what it declares of a kind. */
export const validators: Readonly<Record<KindName | "file" | "lifecycle", Validator>> = {
${Object.keys(names)
  .map((name) => `  ${name},\n`)
  .join("")}};
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
import type { PlanDocument } from "../model/plan.ts";

${CHARACTERS}${compiled({ plan: open }, { plan: "plan" })}
/** Whether a value is a plan or a drift according to schemas/plan.schema.json. */
export const isPlanDocument: (value: unknown) => value is PlanDocument = plan;
`;
}

/**
 * Validators as plain code, each a constant of its name.
 *
 * @param schemas by the names that they use for each other
 * @param names those of the validators, with the schema of each
 */
function compiled(schemas: Schemas, names: Readonly<Record<string, string>>): string {
  const isFile = "file" in names;
  const ajv = new Ajv({
    schemas: Object.entries(schemas).map(([name, schema]) => ({
      $id: name,
      ...(isFile ? byName(bare(schema)) : schema),
    })),
    code: { source: true, esm: true, lines: true },
    formats: FORMATS,
    allErrors: isFile,
    inlineRefs: !isFile,
    allowUnionTypes: true,
  });
  const code = standalone
    .default(ajv, names)
    .replace(/^"use strict";\n/, "")
    .replace(/^export const (\w+) = (\w+);\n?/gm, "const $1 = $2;\n")
    .replaceAll(/\bvErrors\.concat\(([\w.]+)\)/g, "append(vErrors, $1)")
    .replaceAll('require("ajv/dist/runtime/ucs2length").default', "characters");
  if (/\brequire\(/.test(code)) throw new Error("the validators ask for a module of ajv that is not replaced yet");
  return code;
}

/** The schema with references to other schemas in the place of those to definitions. */
function byName(schema: FieldSchema): FieldSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/definitions/', '"')) as FieldSchema;
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
