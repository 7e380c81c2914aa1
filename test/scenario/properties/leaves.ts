import type { Json, JsonObject } from "../../../src/model/json/json.ts";
import { SECRET } from "../../support/configurations.ts";

/** A place in declared values at which a difference has to be found. */
export interface DeclaredLeaf {
  readonly keys: readonly string[];
  readonly pointer: string;
  /** A list that is compared as a set. */
  readonly isSet: boolean;
}

/** The identity of objects: a change of it makes another object. */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  domains: ["domain"],
  invites: ["target_email"],
  batch_exports: ["name"],
  insights: ["name"],
  pipeline_destinations: ["name", "plugin_type", "url"],
  pipeline_frontend_apps: ["name", "plugin_type", "url"],
  pipeline_import_apps: ["name", "plugin_type", "url"],
};
const SETS: ReadonlySet<string> = new Set(["tags", "dashboards"]);

/** The identity of a query's nodes: another one is another node, which differs as a whole. */
const NODE_KEYS: ReadonlySet<string> = new Set(["kind", "type"]);

/**
 * The leaves of declared values: scalars, sets, and what is empty. Secrets, the service's own `version`, and the
 * identity of nodes are none.
 */
export function leavesOf(collection: string, values: JsonObject): readonly DeclaredLeaf[] {
  const fields = Object.entries(values).filter(([field]) => KEYS[collection]?.includes(field) !== true);
  return fields.flatMap(([field, value]) => {
    if (collection === "insights" && SETS.has(field)) return [leafAt([field], true)];
    const isQuery = collection === "insights" && field === "query";
    return below([field], value).filter(
      ({ keys }) => !(isQuery && (keys.includes("version") || NODE_KEYS.has(keys.at(-1) ?? ""))),
    );
  });
}

function below(keys: readonly string[], value: Json): readonly DeclaredLeaf[] {
  if (value === SECRET) return [];
  if (Array.isArray(value) && value.length > 0)
    return value.flatMap((item: Json, index) => below([...keys, String(index)], item));
  if (isObject(value) && Object.keys(value).length > 0)
    return Object.entries(value).flatMap(([key, item]) => below([...keys, key], item));
  return [leafAt(keys, false)];
}

function leafAt(keys: readonly string[], isSet: boolean): DeclaredLeaf {
  return { keys, isSet, pointer: keys.map((key) => `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("") };
}

/** The stored value with another one at the place, of the same type where there is such a type. */
export function mutated(value: Json, keys: readonly string[], isSet = false): Json {
  const [key, ...rest] = keys;
  if (key !== undefined && Array.isArray(value))
    return value.with(Number(key), mutated(value[Number(key)] ?? null, rest)) as Json;
  if (key !== undefined && isObject(value)) return { ...value, [key]: mutated(value[key] ?? null, rest) };
  if (isSet)
    return [
      ...(value as readonly Json[]),
      ...((value as readonly Json[]).every((item) => typeof item === "number") ? [99] : ["edited"]),
    ];
  return other(value);
}

function other(value: Json): Json {
  if (typeof value === "boolean") return !value;
  if (value === 1) return 8;
  if (typeof value === "number") return Math.abs(value) < 1e9 ? value + 1 : 0;
  if (typeof value === "string") return /^\d{4}-\d\d-\d\dT/.test(value) ? "2030-06-01T00:00:00Z" : `${value}edited`;
  if (value === null) return "edited";
  return Array.isArray(value) ? ["edited"] : "edited";
}

function isObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
