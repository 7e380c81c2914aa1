import { Secret } from "../../model/json.ts";
import type { Lookup } from "./substitute.ts";
import type { Node } from "../tree/tree.ts";

/**
 * The limit on the characters that substitution may add. Each value counts a fixed number besides its own characters.
 */
const MAX_CHARACTERS = 32 * 1024 * 1024;
const CHARACTERS_PER_VALUE = 32;

/**
 * Wraps a lookup so that it stops returning values once their total size exceeds the limit. Without the limit, a page
 * of variables that use each other, or a file that is included in every line, could fill the memory.
 */
export function withExpansionLimit(lookup: Lookup): Lookup {
  const sizes = new Map<Node, number>();
  let total = 0;
  const charge = <T>(place: Parameters<Lookup["file"]>[1], found: T | undefined, size: number): T | undefined => {
    const isOver = total > MAX_CHARACTERS;
    total += size;
    if (total <= MAX_CHARACTERS) return found;
    // The error is reported only once.
    if (!isOver) {
      const message = "the values of all ${...} in the configuration exceed 32 million characters";
      lookup.problems.error(place, { code: "too_large", message, hint: "Use fewer or smaller variables and files." });
    }
    return undefined;
  };
  const textSize = (found: string | undefined): number => CHARACTERS_PER_VALUE + (found?.length ?? 0);
  return {
    problems: lookup.problems,
    variable: (name, place) => {
      const found = lookup.variable(name, place);
      if (found === undefined) return undefined;
      const size = sizes.get(found) ?? sizeOf(found);
      sizes.set(found, size);
      return charge(place, found, size);
    },
    environment: (name, place) => {
      const found = lookup.environment(name, place);
      return charge(place, found, textSize(found));
    },
    file: (path, place) => {
      const found = lookup.file(path, place);
      return charge(place, found, textSize(found));
    },
  };
}

function sizeOf(node: Node): number {
  if (node.type === "list") return node.items.reduce((sum, item) => sum + sizeOf(item), CHARACTERS_PER_VALUE);
  if (node.type === "map")
    return [...node.members.values()].reduce(
      (sum, { key, value }) => sum + key.length + sizeOf(value),
      CHARACTERS_PER_VALUE,
    );
  if (node.type === "broken") return CHARACTERS_PER_VALUE;
  const { value } = node;
  return CHARACTERS_PER_VALUE + (value instanceof Secret ? value.expression.length : String(value).length);
}
