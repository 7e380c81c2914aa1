import { isObject, parseJson } from "../json.ts";
import { resourcesListedIn, type SeededResource } from "./plant.ts";
import { RESOURCES } from "../resources/registry.ts";
import type { Seed } from "./seed.ts";
import type { SeedShape } from "./rules.ts";

/** An invalid seed. The message has one line for each problem, with its position as a JSON Pointer. */
export class SeedError extends Error {
  override readonly name = "SeedError";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join("\n"));
    this.problems = problems;
  }
}

/**
 * Reads a seed from the text of a JSON file.
 * @throws SeedError if the text is not JSON or not a valid seed
 */
export function loadSeed(text: string): Seed {
  try {
    JSON.parse(text);
  } catch (error) {
    throw new SeedError([`The seed is not JSON: ${error instanceof Error ? error.message : String(error)}`]);
  }
  return checkSeed(parseJson(text));
}

/** Returns the shape of a resource's objects in a seed, including the lists of child resources. */
function seedShape({ name, seed }: SeededResource): SeedShape {
  const { fields, directives = [], lists, ...shape } = seed;
  return {
    ...shape,
    lists: { ...seedLists(name), ...lists },
    ...(fields === undefined ? {} : { fields: [...fields, ...directives] }),
  };
}

function seedLists(parent: string): Readonly<Record<string, SeedShape>> {
  const listed = resourcesListedIn(parent, RESOURCES);
  return Object.fromEntries(listed.map((resource) => [resource.seed.list, seedShape(resource)]));
}

/** Checks that a value is a seed. @throws SeedError */
export function checkSeed(value: unknown): Seed {
  const problems = findProblems(value, { needed: [], lists: seedLists("seed"), fields: [] }, "");
  if (!isValidSeed(value, problems)) throw new SeedError(problems);
  // A seed may be empty.
  return { organizations: [], ...value };
}

function isValidSeed(_value: unknown, problems: readonly string[]): _value is Partial<Seed> {
  return problems.length === 0;
}

function findProblems(value: unknown, shape: SeedShape, at: string): string[] {
  if (!isObject(value)) return [`${at || "/"}: an object is expected here.`];
  const { needed, lists = {}, fields } = shape;
  const problems = needed
    .filter((name) => typeof value[name] !== "string" || value[name] === "")
    .map((name) => `${at}/${name}: a text is needed here.`);
  for (const [field, problem] of shape.check?.(value) ?? []) problems.push(`${at}/${field}: ${problem}`);
  for (const [key, inner] of Object.entries(value)) {
    const list = Object.hasOwn(lists, key) ? lists[key] : undefined;
    if (list !== undefined) problems.push(...findListProblems(inner, list, `${at}/${key}`));
    else if (fields?.includes(key) === false) {
      const known = [...fields, ...Object.keys(lists)].join(", ");
      problems.push(`${at}/${key}: there is no such field; there are ${known}.`);
    }
  }
  return problems;
}

function findListProblems(value: unknown, shape: SeedShape, at: string): string[] {
  if (!Array.isArray(value)) return [`${at}: a list is expected here.`];
  return value.flatMap((item: unknown, index) => findProblems(item, shape, `${at}/${index}`));
}
