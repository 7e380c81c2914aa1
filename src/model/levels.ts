/** The levels of people, and their words: those of the configuration. Who may more than the others stands out: `member`, `ADMIN`. */
import { type Json, own } from "./json/json.ts";
import { type KindName, valueNames } from "./kind-name.ts";

/** The field with the level of a person. JSON Pointer. */
export const LEVEL = "/level";

/** The words for the values of a field, which is given by its JSON Pointer. Only levels have any. */
export function namesOfField(kind: KindName, path: string): Readonly<Record<string, number>> {
  const names = Object.entries(own(own(valueNames, kind), path) ?? {});
  const least = Math.min(...names.map(([, level]) => level));
  return Object.fromEntries(names.map(([name, level]) => [level === least ? name : name.toUpperCase(), level]));
}

/** The words for levels; undefined if the objects of a kind are no people. */
export function levelsOf(kind: KindName): Readonly<Record<string, number>> | undefined {
  const levels = namesOfField(kind, LEVEL);
  return Object.keys(levels).length === 0 ? undefined : levels;
}

/** The word for a level; undefined if it has none. */
export function wordOfLevel(kind: KindName, level: Json | undefined): string | undefined {
  const [word] = Object.entries(levelsOf(kind) ?? {}).find(([, value]) => value === level) ?? [];
  return word;
}
