import { kindNames } from "../../src/generated/kind-names.ts";
import { lifecycleSchema, schemas, type FieldSchema } from "../../src/generated/schemas.ts";
import { isDeclarable, isSecretField } from "../../src/kinds/fields.ts";
import type { Kind } from "../../src/kinds/kind.ts";
import { scopesOfKind, isKeyedByEmail, collectionOf, allKinds, isScope } from "../../src/kinds/registry.ts";
import { EXTRA_FIELDS, EXTRA_FIELDS_DESCRIPTION } from "../../src/model/extra-fields.ts";
import type { Json } from "../../src/model/json/json.ts";
import { withoutSources } from "./schema-tools.ts";

/** Without these comments a formatter would pad the tables to the width of their longest cell. */
const BEGIN = "<!-- prettier-ignore-start -->";
const END = "<!-- prettier-ignore-end -->";

/** The configuration reference as Markdown, made from the schemas. */
function reference(): string {
  const sections = [...kindSections(), destinationSection(), extraFieldsSection(), lifecycleSection()];
  return sections.map((lines) => lines.join("\n")).join("\n\n");
}

/** The text with its reference brought up to date. @throws Error if a marker is missing, or a kind in the registry */
export function withReference(text: string): string {
  const start = text.indexOf(BEGIN);
  const end = text.indexOf(END);
  if (start < 0 || end < start) throw new Error(`the reference lacks ${start < 0 ? BEGIN : END}`);
  return `${text.slice(0, start)}${BEGIN}\n\n${reference()}\n\n${text.slice(end)}`;
}

function extraFieldsSection(): readonly string[] {
  return [`${code(EXTRA_FIELDS)}, of every resource: a mapping. ${EXTRA_FIELDS_DESCRIPTION}`];
}

/** A table for each kind, below a description of the kind. Kinds with the same fields share a table. */
function kindSections(): readonly (readonly string[])[] {
  const groups = new Map<string, Kind[]>();
  for (const [at, name] of kindNames.entries()) {
    const kind = allKinds[at];
    if (kind === undefined)
      throw new Error(`src/kinds/registry.ts has no ${name}: add the kind there, then generate schemas/README.md`);
    const rows = fieldRows(schemas[kind.name], "").join("\n");
    groups.set(rows, [...(groups.get(rows) ?? []), kind]);
  }
  return [...groups].map(([rows, kinds]) => {
    const names = kinds.map((kind) => code(collectionOf(kind.name))).join(", ");
    return [`| ${names} | type | default | ${aboutKind(kinds)} |`, "|---|---|---|---|", rows];
  });
}

function aboutKind(kinds: readonly Kind[]): string {
  const [kind] = kinds;
  if (kind === undefined) return "";
  const { description, "x-pins": pins } = schemas[kind.name];
  const under = isScope(kind)
    ? []
    : [
        `under ${scopesOfKind(kind.name)
          .map((scope) => (scope === "project" ? "a project" : "an organization"))
          .join(" or ")}`,
      ];
  const key = !isKeyedByEmail(kind.name)
    ? `found by ${kind.identity.keyFields.map(code).join(", else ")}`
    : "found by the email that is its key";
  const pinned = pins.length === 0 ? [] : [`pinned by ${pins.map(code).join(" or ")}`];
  const about = kinds.length === 1 ? description : kinds.map((one) => schemas[one.name].description).join(" ");
  return `${about} ${sentence([...under, key, ...pinned].join("; "))}`;
}

/** A row for each declarable field and for the fields in it. A field that a new object needs is bold. */
function fieldRows({ properties = {}, required = [] }: FieldSchema, prefix: string): readonly string[] {
  return Object.entries(properties).flatMap(([name, field]) => {
    if (!isDeclarable(field)) return [];
    const path = code(`${prefix}${name}`);
    const title = required.includes(name) ? `**${path}**` : path;
    const row = `| ${title} | ${typeOf(field)} | ${defaultOf(field)} | ${meaning(field)} |`;
    return [row, ...fieldRows(field, `${prefix}${name}.`)];
  });
}

function typeOf(field: FieldSchema): string {
  if (field["x-names"] !== undefined) return `${Object.keys(field["x-names"]).map(code).join(", ")}, or the number`;
  if (field.enum !== undefined) return field.enum.map(valueOf).join(", ");
  return typesOf(field).join(" or ");
}

function valueOf(value: Json): string {
  return code(typeof value === "string" && value !== "" ? value : JSON.stringify(value));
}

function typesOf({ type }: FieldSchema): readonly string[] {
  return typeof type === "string" ? [type] : (type ?? ["object"]);
}

function defaultOf(field: FieldSchema): string {
  return field.default === undefined ? "" : code(JSON.stringify(field.default));
}

/** The meaning of a field and its special properties. The sources of these facts are only in the schemas. */
function meaning(field: FieldSchema): string {
  const marks = [
    ...(isSecretField(field) ? ["Secret."] : []),
    ...(field.writeOnly === true && !isSecretField(field) ? ["Never given back."] : []),
    ...(field["x-immutable"] === true ? ["Immutable: a change is a replace."] : []),
    ...(field["x-unordered"] === true ? ["A set."] : []),
    ...(field.deprecated === true ? ["Deprecated."] : []),
  ];
  const text = withoutSources(field.description ?? "");
  return [text, ...marks].join(" ").replaceAll("|", "\\|");
}

/** One row for each type of destination, with its settings. `driftline explain` explains them. */
function destinationSection(): readonly string[] {
  const types = Object.entries(schemas.batch_export.definitions ?? {}).filter(
    ([, { title }]) => title?.endsWith("Config") === true,
  );
  const groups = new Map<string, string[]>();
  for (const [type, settings] of types) {
    const cells = destinationCells(settings);
    groups.set(cells, [...(groups.get(cells) ?? []), type]);
  }
  const rows = [...groups].map(([cells, names]) => `| ${names.map(code).join(", ")} | ${cells} |`);
  return [
    "`destination.config`, by `destination.type`. *Italic*: a secret; `?`: never given back. Other keys and types are sent as they are.",
    "",
    "| `type` | needed | optional |",
    "|---|---|---|",
    ...rows,
  ];
}

function destinationCells(settings: FieldSchema): string {
  const all = Object.entries(settings.properties ?? {});
  const cell = (needed: boolean): string =>
    all
      .filter(([name]) => (settings.required?.includes(name) === true) === needed)
      .map(([name, field]) => settingName(name, field))
      .join(", ");
  return `${cell(true)} | ${cell(false)}`;
}

function settingName(name: string, field: FieldSchema): string {
  if (isSecretField(field)) return `*${code(name)}*`;
  const fallback =
    field.default === undefined || field.default === null || field.default === ""
      ? ""
      : ` (${code(JSON.stringify(field.default))})`;
  return `${code(name)}${field.writeOnly === true ? "?" : ""}${fallback}`;
}

function lifecycleSection(): readonly string[] {
  return [
    "| `lifecycle` | type | Of every resource: what driftline may do with it. |",
    "|---|---|---|",
    ...Object.entries(lifecycleSchema.properties ?? {}).map(
      ([name, field]) => `| ${code(name)} | ${typeOf(field)} | ${meaning(field)} |`,
    ),
  ];
}

function code(text: string): string {
  return `\`${text}\``;
}

function sentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}
