/**
 * The text of a configuration. Resources are written one by one, because the nodes of a whole file would need many times the
 * memory of its text.
 */
import { isMap, isNode } from "yaml";
import type { Comments } from "../edit/edit.ts";
import { compactResources } from "../edit/yaml/compact.ts";
import { textNode, yamlNode, yamlText } from "../edit/yaml/yaml-text.ts";
import { collectionOf } from "../kinds/registry.ts";
import type { ValueObject } from "../model/json/json.ts";
import { fieldsNotShown } from "./resources.ts";
import type { ExportedResource } from "./types.ts";
import { kindNames } from "../model/kind-name.ts";

/** A scope as one file declares it. */
export interface DeclaredScope {
  readonly key: string;
  readonly fields: ValueObject;
  readonly resources: readonly ExportedResource[];
  /** The resources that its notes are about: all, also those that have files of their own. */
  readonly noted: readonly ExportedResource[];
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

function scopeText({ fields, resources, noted }: DeclaredScope, comments: Comments): string {
  const fieldsText = Object.keys(fields).length === 0 ? "" : yamlText(yamlNode(fields, comments));
  const sections = kindNames.map((name) => {
    const collection = collectionOf(name);
    const here = resources.filter(({ kind }) => kind === name);
    const notes = fieldsNotShown(name, noted);
    const texts = here.map((resource) => resourceText(resource.name, resource.fields, comments));
    if (here.length === 0) return notes.map((note) => `# ${collection}: ${note}\n`).join("");
    return section(collection, [...notes.map((note) => `# ${note}\n`), ...texts].join(""));
  });
  return fieldsText + sections.join("");
}

/** The text of one resource under its name, as it stands in a collection. */
function resourceText(name: string, fields: ValueObject, comments: Comments): string {
  const node = yamlNode({ [name]: fields }, comments);
  const resource = isMap(node) ? node.items[0]?.value : undefined;
  if (isNode(resource)) compactResources(resource);
  return yamlText(node);
}

function section(key: string, body: string): string {
  const lines = body.split("\n").map((line) => (line === "" ? "" : `  ${line}`));
  return `${yamlText(textNode(key)).trimEnd()}:\n${lines.join("\n")}`;
}
