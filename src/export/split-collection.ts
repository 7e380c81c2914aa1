/**
 * Splits a collection that is too large for one file.
 *
 * Premise: people look a resource up by its name. A file keeps its name when resources come and go, so no file is numbered.
 * Algorithm: resources whose names begin with the same character are a group, which that character names. A group that is too
 * large is split by one character more, and so on. So another group never changes when one grows.
 */
import { groupBy } from "../model/group-by.ts";
import type { ValueObject } from "../model/json/json.ts";

interface SplitResource {
  readonly name: string;
  readonly fields: ValueObject;
}

/** Resources for one file. */
export interface FileGroup<R> {
  /** What the names of the resources begin with, in lower case. It ends with a letter or a digit where it can. */
  readonly prefix: string;
  readonly resources: readonly R[];
}

/** The most resources and characters of JSON in one file: some thousand lines. The YAML has two to four times the characters. */
const MAX_RESOURCES = 500;
const MAX_CHARACTERS = 500_000;

/** Whether the resources belong into more than one file. */
export function isLarge(resources: readonly SplitResource[]): boolean {
  if (resources.length > MAX_RESOURCES) return true;
  let characters = 0;
  return resources.length > 1 && resources.some(({ fields }) => (characters += sizeOf(fields)) > MAX_CHARACTERS);
}

/** Groups resources by the beginning of their names, in the order of the prefixes. No group is large, unless the names cannot be split. */
export function splitByName<R extends SplitResource>(resources: readonly R[], prefix = ""): readonly FileGroup<R>[] {
  const groups = groupBy(resources, ({ name }) => nextPrefix(name, prefix));
  const sorted = [...groups].toSorted(([left], [right]) => (left < right ? -1 : 1));
  return sorted.flatMap(([next, group]) =>
    next === prefix || !isLarge(group) ? [{ prefix: next, resources: group }] : splitByName(group, next),
  );
}

/** The beginning of a name that has one letter or digit more than the prefix; the whole name if there is none. */
export function nextPrefix(name: string, prefix: string): string {
  const lower = name.toLowerCase();
  const step = /^[^\p{L}\p{N}]*[\p{L}\p{N}]/u.exec(lower.slice(prefix.length));
  return step === null ? lower : prefix + step[0];
}

function sizeOf(fields: ValueObject): number {
  return JSON.stringify(fields).length;
}
