import { Secret } from "../../model/json.ts";
import type { Lookup } from "./substitute.ts";
import type { Node } from "../tree/tree.ts";

/** What substitution may add to a configuration. Characters, of which every value takes some besides its own. */
const LARGEST = 32 * 1024 * 1024;
const PER_VALUE = 32;

/**
 * The same lookup, which gives nothing any more once too much was given: variables that use each other ten times over, or a
 * file that is named in every line, would fill the memory with what was written on one page.
 */
export function withExpansionLimit(lookup: Lookup): Lookup {
  const sizes = new Map<Node, number>();
  let given = 0;
  const charge = <T>(place: Parameters<Lookup["file"]>[1], found: T | undefined, size: number): T | undefined => {
    const isOver = given > LARGEST;
    given += size;
    if (given <= LARGEST) return found;
    // Told once.
    if (!isOver) {
      const message = "what stands for the ${...} of the configuration comes to more than 32 million characters";
      lookup.problems.error(place, { code: "too_large", message, hint: "use fewer or smaller variables and files" });
    }
    return undefined;
  };
  const text = (found: string | undefined): number => PER_VALUE + (found?.length ?? 0);
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
      return charge(place, found, text(found));
    },
    file: (path, place) => {
      const found = lookup.file(path, place);
      return charge(place, found, text(found));
    },
  };
}

function sizeOf(node: Node): number {
  if (node.type === "list") return node.items.reduce((sum, item) => sum + sizeOf(item), PER_VALUE);
  if (node.type === "map")
    return [...node.members.values()].reduce((sum, { key, value }) => sum + key.length + sizeOf(value), PER_VALUE);
  if (node.type === "broken") return PER_VALUE;
  const { value } = node;
  return PER_VALUE + (value instanceof Secret ? value.expression.length : String(value).length);
}
