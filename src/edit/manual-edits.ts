/** What is printed of an edit that a person has to make. */
import { keyIn } from "../model/resource.ts";
import { isProgram } from "../config/source/files.ts";
import { rawValue, yamlNode, yamlText } from "./yaml/yaml-text.ts";
import type { ValueObject } from "../model/json/json.ts";
import { pointerKeys } from "../model/pointer.ts";
import type { Edit, ManualEdit } from "./edit.ts";

/** The alias in the place of a mapping to which members are to be added. */
export function aliasOf({ reference }: Pick<ManualEdit, "reference">): string | undefined {
  return reference?.startsWith("*") === true ? reference : undefined;
}

/** The members to add, in the language of their file. They take the place of an alias, and merge its mapping. */
export function linesToAdd(manual: Pick<ManualEdit, "edit" | "reference">): string {
  const { at, path, source, value } = manual.edit;
  const { file = "" } = at;
  const members = value as ValueObject;
  if (isProgram(file) || file.endsWith(".json")) return jsonLines(members);
  const lines = yamlText(yamlNode(members));
  const alias = aliasOf(manual);
  if (alias === undefined) return lines;
  const key = pointerKeys(path).at(-1) ?? keyIn(source.address);
  return `${yamlText(yamlNode(key)).trim()}:\n${`<<: ${alias}\n${lines}`.replaceAll(/^(?=.)/gm, "  ")}`;
}

function jsonLines(members: ValueObject): string {
  const lines = JSON.stringify(rawValue(members), null, 2).split("\n").slice(1, -1);
  return lines.map((line) => `${line.slice(2)}${line === lines.at(-1) ? "," : ""}\n`).join("");
}

/** Where an edit belongs: "driftline.yaml:12/insights". */
export function formatPosition({ at: { file = "", line, pointer = "" }, path }: Edit): string {
  return (line === undefined ? `${file}#${pointer}` : `${file}:${line}`) + path;
}
