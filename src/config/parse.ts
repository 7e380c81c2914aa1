import type { FoundFile } from "./files.ts";
import type { Problems } from "./problems.ts";
import { readSimple } from "./simple-yaml.ts";
import type { MapNode } from "./tree.ts";

/** The documents of one YAML file. */
export interface YamlFile {
  /** Those with the top-level key `driftline`, or all of them where the file was named. */
  readonly documents: readonly MapNode[];
  /** Numbers, from 1, of those that are somebody else's. */
  readonly foreign: readonly number[];
  /** Something in it does not parse. */
  readonly broken: boolean;
}

/** Parses YAML. The library is loaded for what takes more than {@link readSimple} knows, or is wrong. */
export async function parseYaml(text: string, file: FoundFile, problems: Problems): Promise<YamlFile> {
  // An escape may stand for either character.
  const isLiteral = !/\$\{|\\/.test(text);
  const simple = readSimple(text, { path: file.path, file: file.file, isLiteral });
  if (simple === undefined) {
    const { parseWithLibrary } = await import("./yaml.ts");
    return parseWithLibrary(text, file, isLiteral, problems);
  }
  const isOurs = file.named || simple.members.has("driftline");
  return { documents: isOurs ? [simple] : [], foreign: isOurs ? [] : [1], broken: false };
}
