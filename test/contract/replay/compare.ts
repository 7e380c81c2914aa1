import { isObject, type Json, type JsonObject } from "../../../src/emulator/json.ts";

/** The parts of an answer that are compared. */
export interface Seen {
  readonly status: number;
  readonly response: Json;
}

/**
 * What differs between two answers: the status; of an error its type, code and field; otherwise the keys and the types
 * of values at every depth, null being a type of its own. Elements of a list are taken together, because which ones are
 * on a page is chance: together they have the same keys, and under each key at least one type in common; what is inside
 * of their filters and queries is left out.
 */
export function differences(recorded: Seen, given: Seen): readonly string[] {
  if (recorded.status !== given.status) return [`status ${given.status} instead of ${recorded.status}`];
  const values = recorded.status >= 400 ? errorDifferences(recorded.response, given.response) : [];
  return [...values, ...shapeDifferences("", shapeOf(recorded.response), shapeOf(given.response))];
}

function errorDifferences(recorded: Json, given: Json): readonly string[] {
  if (!isObject(recorded) || !isObject(given)) return [];
  return ["type", "code", "attr"].flatMap((field) =>
    recorded[field] === given[field]
      ? []
      : [`${field} is ${String(given[field])} instead of ${String(recorded[field])}`],
  );
}

/** The types that a value may have, and its contents. */
interface Shape {
  readonly types: ReadonlySet<string>;
  readonly keys: ReadonlyMap<string, Shape>;
  /** Undefined: not a list, or an empty list. */
  readonly element: Shape | undefined;
}

function shapeOf(value: Json): Shape {
  if (Array.isArray(value)) {
    const shapes = value.map((item: Json) => shapeOf(item));
    return { types: new Set(["list"]), keys: new Map(), element: shapes.length === 0 ? undefined : merged(shapes) };
  }
  if (!isObject(value))
    return { types: new Set([value === null ? "null" : typeof value]), keys: new Map(), element: undefined };
  const keys = Object.entries(value).map(([key, inner]) => [key, shapeOf(inner)] as const);
  return { types: new Set(["object"]), keys: new Map(keys), element: undefined };
}

function merged(shapes: readonly Shape[]): Shape {
  const names = new Set(shapes.flatMap((shape) => [...shape.keys.keys()]));
  const keys = [...names].map((name) => [name, merged(shapes.flatMap((shape) => shape.keys.get(name) ?? []))] as const);
  const elements = shapes.flatMap((shape) => shape.element ?? []);
  return {
    types: new Set(shapes.flatMap((shape) => [...shape.types])),
    keys: new Map(keys),
    element: elements.length === 0 ? undefined : merged(elements),
  };
}

/** Free-form values are not compared if they depend on the rows of a page. */
const FREE: ReadonlySet<string> = new Set(["filters", "query"]);

function shapeDifferences(at: string, recorded: Shape, given: Shape): readonly string[] {
  const name = at === "" ? "the answer" : at;
  if (![...recorded.types].some((type) => given.types.has(type))) {
    return [`${name} is ${[...given.types].join("|")} instead of ${[...recorded.types].join("|")}`];
  }
  const found: string[] = [];
  // If one side has no such objects, there are no keys to compare.
  if (recorded.types.has("object") && given.types.has("object")) {
    for (const key of recorded.keys.keys()) if (!given.keys.has(key)) found.push(`${at}/${key} is missing`);
    for (const key of given.keys.keys()) if (!recorded.keys.has(key)) found.push(`${at}/${key} is too much`);
  }
  for (const [key, shape] of recorded.keys) {
    const other = at.includes("[]") && FREE.has(key) ? undefined : given.keys.get(key);
    if (other !== undefined) found.push(...shapeDifferences(`${at}/${key}`, shape, other));
  }
  if (recorded.element !== undefined && given.element !== undefined) {
    found.push(...shapeDifferences(`${at}[]`, recorded.element, given.element));
  }
  return found;
}

/** Lists the fields whose values differ between two objects. The order of keys and of lists is ignored. */
export function valueDifferences(fields: Iterable<string>, recorded: JsonObject, given: JsonObject): readonly string[] {
  return [...fields].flatMap((field) => {
    const [wanted, actual] = [recorded[field], given[field]];
    if (wanted === undefined || canonical(wanted) === canonical(actual ?? null)) return [];
    return [`${field} is ${JSON.stringify(actual)} instead of ${JSON.stringify(wanted)}`];
  });
}

function canonical(value: Json): string {
  if (Array.isArray(value))
    return `[${value
      .map((item: Json) => canonical(item))
      .toSorted()
      .join()}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, inner]) => `${key}:${canonical(inner)}`).join()}}`;
}
