/** An example of each resource, in the languages of Pulumi: one declaration, made of the examples of the kind's fields. */
import { stringify } from "yaml";
import type { Json, JsonObject } from "../../src/model/json/json.ts";
import type { KindSource } from "./kind-schema.ts";
import { camelCase } from "./pulumi-file.ts";

/** A resource of the example. The value of an argument may be the id of the organization that stands before it. */
interface Declared {
  readonly title: string;
  readonly name: string;
  readonly args: Readonly<Record<string, Json | typeof ACME_ID>>;
}

const ACME_ID: unique symbol = Symbol("the id of the organization acme");
const ACME: Declared = { title: "Organization", name: "acme", args: { name: "Acme Inc", adopt: true } };
/** The longest line of a literal. */
const WIDTH = 80;

export type Language = "typescript" | "yaml" | "python";

/** The example of a kind as Markdown, in the form in which Pulumi's documentation shows only one language. */
export function pulumiExample(kind: KindSource): string {
  const blocks = Object.entries(examplesOf([kind])).map(([language, code]) => `\`\`\`${language}\n${code}\`\`\``);
  return `{{% examples %}}
## Example Usage
{{% example %}}

${blocks.join("\n\n")}

{{% /example %}}
{{% /examples %}}`;
}

/** How an existing object of a kind is imported, as the registry shows it below the example. */
export function importSection(kind: KindSource): string {
  const id = kind["x-keyed-by"] === undefined ? "ID" : "E-MAIL";
  const forms = kind["x-scopes"].map((scope) => (scope === "service" ? id : `${scope.toUpperCase()}_ID/${id}`));
  const commands = forms.map(
    (form) => `pulumi import driftline:index:${kind.title} ${kind["x-example"].name} ${form}\n`,
  );
  return `## Import\n\n\`\`\`sh\n${commands.join("")}\`\`\``;
}

/** A program with an example of each of these kinds. */
export function examplesOf(kinds: readonly KindSource[]): Readonly<Record<Language, string>> {
  const own = kinds.map(declared);
  const needsAcme = own.some(({ args }) => Object.values(args).includes(ACME_ID));
  const resources = needsAcme ? [ACME, ...own] : own;
  return { typescript: typescript(resources), yaml: yaml(resources), python: python(resources) };
}

function declared(kind: KindSource): Declared {
  const { name, fields } = kind["x-example"];
  const scopes = kind["x-scopes"];
  const isInProject = scopes.includes("project");
  const values = fields.map((field) => [camelCase(field), exampleOf(kind, field)] as const);
  const args: Declared["args"] = {
    ...(isInProject && { projectId: 2 }),
    ...(!isInProject && scopes.includes("organization") && { organizationId: ACME_ID }),
    ...(kind["x-keyed-by"] && { email: `${name}@acme.com` }),
    ...Object.fromEntries(values),
    ...(scopes.includes("service") && { adopt: true }),
  };
  return { title: kind.title, name, args };
}

function exampleOf({ properties, title }: KindSource, field: string): Json {
  const { examples: [example] = [], "x-names": names = {} } = properties[field] ?? {};
  if (example === undefined) throw new Error(`${title}: x-example names ${field}, which has no example`);
  return Object.keys(names).find((name) => names[name] === example) ?? example;
}

function typescript(resources: readonly Declared[]): string {
  const lines = resources.map(({ title, name, args }) => {
    const list = Object.entries(args).map(
      ([key, value]) => `  ${key}: ${value === ACME_ID ? "acme.id" : literal(value, TYPESCRIPT, 2)},\n`,
    );
    return `const ${name} = new driftline.${title}("${name}", {\n${list.join("")}});\n`;
  });
  return `import * as driftline from "driftline/packaged";\n\n${lines.join("\n")}`;
}

function python(resources: readonly Declared[]): string {
  const lines = resources.map(({ title, name, args }) => {
    const list = Object.entries(args).map(
      ([key, value]) => `    ${snakeCase(key)}=${value === ACME_ID ? "acme.id" : literal(value, PYTHON, 4)},\n`,
    );
    return `${name} = driftline.${title}(\n    "${name}",\n${list.join("")})\n`;
  });
  return `import pulumi_driftline as driftline\n\n${lines.join("\n")}`;
}

function yaml(resources: readonly Declared[]): string {
  const entries = resources.map(({ title, name, args }) => {
    const properties = Object.entries(args).map(([key, value]) => [key, value === ACME_ID ? "${acme.id}" : value]);
    return [name, { type: `driftline:${title}`, properties: Object.fromEntries(properties) as JsonObject }];
  });
  return stringify({ resources: Object.fromEntries(entries) as JsonObject });
}

/** How a language writes values. */
interface Notation {
  readonly indent: number;
  /** What stands inside of braces. */
  readonly padding: string;
  readonly key: (key: string) => string;
  readonly word: (value: boolean | null) => string;
}

const TYPESCRIPT: Notation = {
  indent: 2,
  padding: " ",
  key: (key) => (/^[A-Za-z_]\w*$/.test(key) ? key : JSON.stringify(key)),
  word: String,
};
const PYTHON: Notation = {
  indent: 4,
  padding: "",
  key: (key) => JSON.stringify(key),
  word: (value) => (value === null ? "None" : value ? "True" : "False"),
};

/** @param column indent of the line on which the value begins */
function literal(value: Json, notation: Notation, column: number): string {
  if (value === null || typeof value === "boolean") return notation.word(value);
  if (typeof value !== "object") return JSON.stringify(value);
  const items = (at: number): readonly string[] =>
    Array.isArray(value)
      ? value.map((item: Json) => literal(item, notation, at))
      : Object.entries(value).map(([key, item]) => `${notation.key(key)}: ${literal(item, notation, at)}`);
  const [open, close] = Array.isArray(value) ? ["[", "]"] : [`{${notation.padding}`, `${notation.padding}}`];
  const line = `${open}${items(column).join(", ")}${close}`;
  if (line.length + column <= WIDTH && !line.includes("\n")) return line;
  const inner = column + notation.indent;
  const rows = items(inner).map((item) => `${" ".repeat(inner)}${item},\n`);
  return `${open.trim()}\n${rows.join("")}${" ".repeat(column)}${close.trim()}`;
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
