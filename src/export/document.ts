import { yamlNode, yamlText, type Comments } from "../config/yaml-text.ts";
import type { ValueObject } from "../model/json.ts";

/** Names the schema for editors with a YAML language server. They resolve the path relative to the file. */
const modeline = (up: string): string =>
  `# yaml-language-server: $schema=${up}node_modules/driftline/schemas/config.schema.json`;

/**
 * The text of a configuration in block style.
 *
 * @param comments comments above mappings, by mapping
 * @param up the relative path to the folder in which driftline is installed, such as `../`
 */
export function renderDocument(tree: ValueObject, comments: Comments, up = ""): string {
  return `${modeline(up)}\n${yamlText(yamlNode(tree, comments))}`;
}
