/**
 * The text of a configuration. Resources are written one by one, because the nodes of a whole file would need many times the
 * memory of its text.
 */
import { isMap, isPair, isScalar, isSeq, type Node, type YAMLSeq } from "yaml";
import type { Comments } from "../edit/edit.ts";
import { textNode, yamlNode, yamlText } from "../edit/yaml/yaml-text.ts";
import { allKinds } from "../kinds/registry.ts";
import type { ValueObject } from "../model/json.ts";
import { fieldsNotShown } from "./resources.ts";
import type { ExportedResource } from "./types.ts";

/** A scope as one file declares it. */
export interface DeclaredScope {
  readonly key: string;
  readonly fields: ValueObject;
  readonly resources: readonly ExportedResource[];
}

/** An organization as one file declares it. */
export interface DeclaredOrganization extends DeclaredScope {
  readonly projects: readonly DeclaredScope[];
}

/**
 * The text of a configuration.
 *
 * @param comments comments above mappings, by mapping
 * @param schema the schema, for editors with a YAML language server: a URL, or a path from the folder of the file; undefined for none
 * @param reporting whether live values that the file does not say are drift
 */
export function renderDocument(
  organizations: readonly DeclaredOrganization[],
  comments: Comments,
  schema: string | undefined,
  reporting: boolean,
): string {
  const texts = organizations.map((organization) => {
    const projects = organization.projects.map((project) => section(project.key, scopeText(project, comments)));
    const inner = projects.length === 0 ? "" : section("projects", projects.join(""));
    return section(organization.key, scopeText(organization, comments) + inner);
  });
  const setting = reporting ? "undeclared: report\n" : "";
  return `${schemaLine(schema)}driftline: 1\n${setting}${section("organizations", texts.join(""))}`;
}

/** The first line of a file: a comment that names its schema, for editors. Empty if there is no schema. */
export function schemaLine(schema: string | undefined): string {
  return schema === undefined ? "" : `# yaml-language-server: $schema=${schema}\n`;
}

function scopeText({ fields, resources }: DeclaredScope, comments: Comments): string {
  const fieldsText = Object.keys(fields).length === 0 ? "" : yamlText(yamlNode(fields, comments));
  const collections = allKinds.map(({ name, collection }) => {
    const here = resources.filter(({ kind }) => kind === name);
    const notes = fieldsNotShown(name, here).map((note) => `# ${note}\n`);
    const texts = here.map((resource) => resourceText(resource.name, resource.fields, comments));
    return here.length === 0 ? "" : section(collection, [...notes, ...texts].join(""));
  });
  return fieldsText + collections.join("");
}

/** The text of one resource under its name, as it stands in a collection. */
function resourceText(name: string, fields: ValueObject, comments: Comments): string {
  const node = yamlNode({ [name]: fields }, comments);
  const resource = isMap<Node, Node>(node) ? node.items[0]?.value : undefined;
  if (isMap<Node, Node>(resource)) {
    const isOneField = resource.items.length === 1;
    for (const { value } of resource.items) if (value !== null) compact(value);
    if (isOneField) compact(resource);
  }
  return yamlText(node);
}

/** The most characters of a collection on one line, without its indentation: a filter with a few values. */
const MAX_LINE = 90;

/**
 * Puts lists of scalars, and mappings of those, on one line if they fit. Returns the length of what may stand on the line of the
 * collection around it, which a mapping may not.
 */
function compact(node: Node): number | undefined {
  if (isScalar(node)) {
    const text = String(node.value);
    // An expression would need quotes between braces.
    return /\n|\$\{/u.test(text) || typeof node.comment === "string" ? undefined : text.length;
  }
  if (!isMap<Node, Node>(node) && !isSeq<Node>(node)) return undefined;
  const parts = node.items.flatMap((item): readonly (Node | null)[] =>
    isPair<Node, Node>(item) ? [item.key, item.value] : [item],
  );
  const length = parts
    .map((part) => (part === null ? 2 : compact(part)))
    .reduce<number>((sum, one) => sum + (one ?? Infinity) + 2, 2);
  if (length > MAX_LINE || typeof node.commentBefore === "string") return undefined;
  node.flow = true;
  if (isMap(node)) return undefined;
  withoutPadding(node);
  return length;
}

/** Writes `[a, b]`, as formatters do. The library has one setting for lists and mappings, which are `{ a: b }`. */
function withoutPadding(list: YAMLSeq<Node>): void {
  const write = list.toString.bind(list);
  list.toString = (context, ...others) => write(context && { ...context, flowCollectionPadding: "" }, ...others);
}

function section(key: string, body: string): string {
  const lines = body.split("\n").map((line) => (line === "" ? "" : `  ${line}`));
  return `${yamlText(textNode(key)).trimEnd()}:\n${lines.join("\n")}`;
}
