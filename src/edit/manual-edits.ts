/**
 * Adds members to declarations in the configuration: ids, and resources.
 *
 * Premise: only YAML can be edited. What belongs into a program, and what the editor refuses, is left for people to add.
 * Algorithm: put the members of one mapping into one edit, because a mapping that is missing can be made only once.
 */
import type { LoadedConfig } from "../config/index.ts";
import { isProgram } from "../config/source/files.ts";
import { type Comments, rawValue, yamlNode, yamlText } from "../config/yaml-text.ts";
import type { Position } from "../model/diagnostic.ts";
import { pointerKeys, type ValueObject } from "../model/json.ts";
import { type FileEdit, type PreparedFile, prepareFiles } from "./files.ts";

/** Members to be added to a declaration. */
export interface Addition {
  /** What is added, or what the members are added to. */
  readonly address: string;
  /** Position of the key of a declared resource or scope. */
  readonly position: Position;
  /** JSON Pointer of a mapping below it; "" for the declaration itself. */
  readonly path: string;
  readonly members: ValueObject;
  /** Whether the members go before the others. */
  readonly first?: boolean | undefined;
  /** The resources in the members, if they are not the one at `address`. */
  readonly addresses?: readonly string[] | undefined;
}

/** An addition that driftline cannot write. */
export interface LeftAddition {
  readonly addition: Addition;
  /** Why not, as the end of a sentence. */
  readonly why: string;
  /** The alias that stands there in the place of a mapping. */
  readonly alias?: string | undefined;
}

/** An edit that makes several additions to one mapping. */
export interface AdditionEdit extends FileEdit {
  readonly additions: readonly Addition[];
}

export interface PreparedAdditions {
  readonly files: readonly PreparedFile<AdditionEdit>[];
  readonly left: readonly LeftAddition[];
}

/**
 * Prepares additions, file by file. Writes nothing.
 *
 * @param comments comments above mappings in the members, by mapping
 * @throws EngineError `stale` if a file is no longer as it was loaded
 */
export async function prepareAdditions(
  additions: readonly Addition[],
  config: Pick<LoadedConfig, "fileHashes">,
  cwd: string,
  comments?: Comments,
): Promise<PreparedAdditions> {
  const edits = new Map<string, AdditionEdit>();
  const left: LeftAddition[] = [];
  for (const addition of additions) {
    const { file, line, column } = addition.position;
    if (file === undefined || line === undefined || column === undefined || isProgram(file)) {
      left.push({ addition, why: `${file ?? "its file"} is a program` });
      continue;
    }
    const { path, first } = addition;
    const key = [file, line, column, path].join("\n");
    const grouped = [...(edits.get(key)?.additions ?? []), addition];
    const value = Object.assign({}, ...grouped.map(({ members }) => members)) as ValueObject;
    edits.set(key, { file, edit: { line, column, path, value, first, add: true, comments }, additions: grouped });
  }
  const files = await prepareFiles([...edits.values()], config, cwd);
  const refused = files.flatMap((prepared) =>
    prepared.refused.flatMap(({ edit, why, reference }) =>
      edit.additions.map((addition) => ({ addition, why, alias: aliasOf(reference) })),
    ),
  );
  return { files: files.filter(({ made }) => made.length > 0), left: [...left, ...refused] };
}

/** The addresses of what a prepared file adds, or of what it adds to. */
export function addressesIn({ made }: PreparedFile<AdditionEdit>): readonly string[] {
  return made.flatMap(({ additions }) => additions.flatMap(addressesOf));
}

/** The addresses of what is added, or of what it is added to. */
export function addressesOf({ address, addresses }: Addition): readonly string[] {
  return addresses ?? [address];
}

/** The alias of a refused edit, if nothing can be added below it. */
function aliasOf(reference: string | undefined): string | undefined {
  return reference?.startsWith("*") === true ? reference : undefined;
}

/** The lines that people have to add, in the language of their file. They take the place of an alias, and merge what it stands for. */
export function linesToAdd({ addition, alias }: Pick<LeftAddition, "addition" | "alias">): string {
  const { members, address, path, position } = addition;
  const { file = "" } = position;
  if (isProgram(file) || file.endsWith(".json")) return jsonLines(members);
  const lines = yamlText(yamlNode(members));
  if (alias === undefined) return lines;
  const key = pointerKeys(path).at(-1) ?? address.slice(address.lastIndexOf("/") + 1);
  return `${yamlText(yamlNode(key)).trim()}:\n${`<<: ${alias}\n${lines}`.replaceAll(/^(?=.)/gm, "  ")}`;
}

function jsonLines(members: ValueObject): string {
  const lines = JSON.stringify(rawValue(members), null, 2).split("\n").slice(1, -1);
  return lines.map((line) => `${line.slice(2)}${line === lines.at(-1) ? "," : ""}\n`).join("");
}

/** Where an addition belongs: "driftline.yaml:12/insights". */
export function placeOf({ position: { file = "", line, pointer = "" }, path }: Addition): string {
  return (line === undefined ? `${file}#${pointer}` : `${file}:${line}`) + path;
}
