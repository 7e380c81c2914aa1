import { isObject, parseJson } from "../json.ts";
import { toUtc } from "../store/time.ts";
import type { JsonObject } from "../json.ts";
import type { Seed } from "./seed.ts";

/** A seed that cannot be used: every problem with its place as a JSON Pointer, one a line. */
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
 * @throws SeedError for text that is no JSON or no seed
 */
export function loadSeed(text: string): Seed {
  try {
    JSON.parse(text);
  } catch (error) {
    throw new SeedError([`The seed is not JSON: ${error instanceof Error ? error.message : String(error)}`]);
  }
  return checkSeed(parseJson(text));
}

/** What an object of a seed may hold. */
interface Shape {
  /** Fields that have to be there as texts. */
  readonly needed: readonly string[];
  readonly lists: Readonly<Record<string, Shape>>;
  /** Undefined: any further field. */
  readonly fields: readonly string[] | undefined;
  /** What else has to hold: problems as a field and what is wrong with it. */
  readonly check?: (value: JsonObject) => readonly (readonly [string, string])[];
}

const leaf = (...needed: readonly string[]): Shape => ({ needed, lists: {}, fields: undefined });

const EVENT: Shape = {
  needed: ["event", "distinct_id"],
  lists: {},
  fields: ["event", "distinct_id", "timestamp", "properties"],
  check: ({ timestamp = "2000-01-01", properties = {} }) => [
    ...(typeof timestamp === "string" && toUtc(timestamp) !== undefined
      ? []
      : [["timestamp", "a date and time is needed here."] as const]),
    ...(isObject(properties) ? [] : [["properties", "an object is expected here."] as const]),
  ],
};
const ACTION: Shape = {
  needed: ["name"],
  lists: {},
  fields: ["id", "name", "events"],
  check: ({ id, events }) => [
    ...(typeof id === "number" ? [] : [["id", "a number is needed here."] as const]),
    ...(Array.isArray(events) ? [] : [["events", "a list of names of events is needed here."] as const]),
  ],
};
const PROJECT: Shape = {
  needed: ["name"],
  lists: { batch_exports: leaf("name"), insights: leaf(), events: EVENT, actions: ACTION },
  fields: ["id", "name", "dashboards", "test_account_filters"],
};
const ORGANIZATION: Shape = {
  needed: ["name"],
  lists: {
    projects: PROJECT,
    members: leaf("email"),
    domains: leaf("domain"),
    invites: leaf("target_email"),
    batch_exports: leaf("name"),
    pipeline_destinations: leaf(),
    pipeline_frontend_apps: leaf(),
    pipeline_import_apps: leaf(),
  },
  fields: [
    "id",
    "name",
    "slug",
    "created_at",
    "updated_at",
    "plugins_access_level",
    "available_product_features",
    "is_member_join_email_enabled",
    "metadata",
    "customer_id",
    "enforce_2fa",
    "foreign",
  ],
};
const SEED: Shape = { needed: [], lists: { organizations: ORGANIZATION }, fields: [] };

/** Holds a value to the form of a seed. @throws SeedError */
export function checkSeed(value: unknown): Seed {
  const problems = inspect(value, SEED, "");
  if (!isSound(value, problems)) throw new SeedError(problems);
  // A seed without organizations is an emulator with nothing in it.
  return { organizations: [], ...value };
}

function isSound(_value: unknown, problems: readonly string[]): _value is Partial<Seed> {
  return problems.length === 0;
}

function inspect(value: unknown, shape: Shape, at: string): string[] {
  if (!isObject(value)) return [`${at || "/"}: an object is expected here.`];
  const { needed, lists, fields } = shape;
  const problems = needed
    .filter((name) => typeof value[name] !== "string" || value[name] === "")
    .map((name) => `${at}/${name}: a text is needed here.`);
  for (const [field, problem] of shape.check?.(value) ?? []) problems.push(`${at}/${field}: ${problem}`);
  for (const [key, inner] of Object.entries(value)) {
    const list = Object.hasOwn(lists, key) ? lists[key] : undefined;
    if (list !== undefined) problems.push(...inspectList(inner, list, `${at}/${key}`));
    else if (fields?.includes(key) === false) {
      const known = [...fields, ...Object.keys(lists)].join(", ");
      problems.push(`${at}/${key}: there is no such field; there are ${known}.`);
    }
  }
  return problems;
}

function inspectList(value: unknown, shape: Shape, at: string): string[] {
  if (!Array.isArray(value)) return [`${at}: a list is expected here.`];
  return value.flatMap((item: unknown, index) => inspect(item, shape, `${at}/${index}`));
}
