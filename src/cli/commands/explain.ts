import { isDeclarable, isSecretField, kindSchema, typesOf, type FieldSchema } from "../../kinds/fields.ts";
import type { Kind } from "../../kinds/kind.ts";
import { collectionOf, allKinds, isScope } from "../../kinds/registry.ts";
import { command } from "../../model/command.ts";
import { own, type Json } from "../../model/json/json.ts";
import { suggest } from "../../model/text/suggest.ts";
import { painter } from "../../report/color.ts";
import { inline, safeJson } from "../../report/escape.ts";
import { columns } from "../../report/width.ts";
import { wrapWords } from "../../report/wrap.ts";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { invalidError } from "../failure.ts";
import type { Runtime } from "../runtime.ts";
import { printResult } from "../terminal/output.ts";
import { kindNames } from "../../model/kind-name.ts";

/** A kind or a field with its schema. */
interface ExplainedSchema {
  readonly name: string;
  readonly schema: FieldSchema;
  /** Whether an object needs the field. */
  readonly isRequired?: boolean;
}

/** `driftline explain [KIND[.FIELD]]`: prints what the schemas say, as text or as they are. */
export function explainCommand(
  runtime: Runtime,
  name: string | undefined,
  { format }: { readonly format: "text" | "json" },
): Promise<ExitCode> {
  const about = name === undefined ? undefined : schemaNamed(name);
  const document =
    about === undefined
      ? { type: "driftline.kinds", schema_version: 1, kinds: allKinds.map(summaryOf) }
      : { type: "driftline.explanation", schema_version: 1, ...about };
  const lines =
    about === undefined ? allKinds.flatMap((kind) => kindLines(kind, runtime)) : schemaLines(about, runtime);
  printResult(runtime, format, format === "json" ? safeJson(document) : `${lines.join("\n")}\n`);
  return Promise.resolve(EXIT.ok);
}

/** The schema of a kind or of one of its fields. @throws EngineError if there is none */
function schemaNamed(text: string): ExplainedSchema {
  const [first = "", ...keys] = text.split(".");
  const page = own(PAGES, keys[0] === "lifecycle" ? "lifecycle" : first);
  if (page !== undefined) throw invalidError("unknown_kind", `${text} is explained on a page`, page);
  const kind = allKinds.find(({ name }) => name === first || collectionOf(name) === first);
  if (kind === undefined) {
    const near = suggest(
      first,
      kindNames.flatMap((name) => [name, collectionOf(name)]),
    );
    const message = `there is no kind ${JSON.stringify(first)}`;
    throw unknownNameError("unknown_kind", message, near === undefined ? undefined : [near, ...keys].join("."), "");
  }
  let explained: ExplainedSchema = { name: kind.name, schema: kindSchema(kind.name) };
  for (const [at, key] of keys.entries()) {
    const { properties = {} } = explained.schema;
    const schema = own(properties, key);
    if (schema === undefined) {
      const near = suggest(key, Object.keys(properties));
      const instead = near === undefined ? undefined : [explained.name, near, ...keys.slice(at + 1)].join(".");
      throw unknownNameError(
        "unknown_field",
        `${explained.name} has no field ${JSON.stringify(key)}`,
        instead,
        explained.name,
      );
    }
    explained = { name: `${explained.name}.${key}`, schema };
  }
  return explained;
}

/** What people look up here, and a page explains. */
const PAGES: Readonly<Record<string, string>> = {
  lifecycle: "docs/configuration.md of the package has all keys of lifecycle.",
  project: "docs/concepts.md of the package says how a project is found.",
};

const PAGE =
  "docs/concepts.md of the package says which values count as equal, and docs/configuration.md what a lifecycle is.";

/**
 * The error for a name that does not exist.
 *
 * @param near the name that was probably meant
 * @param parent the kind or field whose names are listed if no name is near; empty for the list of kinds
 */
function unknownNameError(code: string, message: string, near: string | undefined, parent: string): Error {
  const [hint, name] = near === undefined ? ["To list the names:", parent] : ["Did you mean this?", near];
  return invalidError(code, message, { hint, command: command("explain", {}, ...(name === "" ? [] : [name])) });
}

function summaryOf(kind: Kind): Readonly<Record<"name" | "collection" | "description", string>> {
  const { name } = kind;
  const collection = isScope(kind) ? "organizations" : collectionOf(name);
  return { name, collection, description: kindSchema(name).description };
}

function kindLines(kind: Kind, runtime: Runtime): readonly string[] {
  const { name, collection, description } = summaryOf(kind);
  return [
    `${painter({ color: runtime.color.stdout })("bold", name)}  ${collection}`,
    ...textLines(description, runtime),
  ];
}

/** A value, and the name that may be written in its place. */
function enumText(value: Json, names: FieldSchema["x-names"] = {}): string {
  const [name] = Object.entries(names).find(([, named]) => named === value) ?? [];
  return `${inline(value)}${name === undefined ? "" : ` (${name})`}`;
}

/** A schema with all that it has, each field as what it accepts and what it means. */
function schemaLines({ name, schema, isRequired = false }: ExplainedSchema, runtime: Runtime): readonly string[] {
  const {
    readOnly,
    properties = {},
    required = [],
    description = "",
    enum: values = [],
    "x-names": names = {},
  } = schema;
  const facts: readonly (readonly [text: string, isTrue: boolean])[] = [
    ["required", isRequired],
    ["set by the service", !isDeclarable(schema)],
    ["secret", isSecretField(schema)],
    ["a change replaces the object", schema["x-immutable"] === true],
    ["the order does not matter", schema["x-unordered"] === true],
    [`default ${inline(schema.default ?? null)}`, schema.default !== undefined],
  ];
  const type = schema.title ?? (typesOf(schema).join(" or ") || "object");
  const words = [type, ...facts.flatMap(([text, isTrue]) => (isTrue ? text : []))];
  // What people can write comes first.
  const fields = readOnly === true ? [] : Object.entries(properties).toSorted(byDeclarable);
  const [first = "", ...rest] = wrapWords(words.join(", "), columns({ width: runtime.columns }) - name.length - 2);
  return [
    `${painter({ color: runtime.color.stdout })("bold", name)}  ${first}`,
    ...rest.map((line) => `    ${line}`),
    ...textLines(description.replace(/ (?:Interface: .*|Server facts\.|Current service\.).*$/u, ""), runtime),
    ...(values.length === 0
      ? []
      : textLines(`One of: ${values.map((value) => enumText(value, names)).join(", ")}`, runtime)),
    ...(schema.title === undefined ? [] : textLines(PAGE, runtime)),
    ...fields.flatMap(([key, field]) =>
      schemaLines({ name: `${name}.${key}`, schema: field, isRequired: required.includes(key) }, runtime),
    ),
  ];
}

const byDeclarable = ([, left]: [string, FieldSchema], [, right]: [string, FieldSchema]): number =>
  Number(isDeclarable(right)) - Number(isDeclarable(left));

function textLines(text: string, { columns: width }: Runtime): readonly string[] {
  return wrapWords(text, columns({ width }) - 4).map((line) => `    ${line}`);
}
