import { invalid, serverError } from "../../http/errors.ts";
import { isObject, type Json, type JsonObject, own } from "../../json.ts";
import type { Destination } from "./record.ts";

interface DestinationType {
  /** Required settings. A create call without one of them is a server error. */
  readonly needed: readonly string[];
  /** Settings that are stored but never shown. */
  readonly secret: readonly string[];
}

const DATABASE: DestinationType = { needed: ["user", "password", "host", "database"], secret: ["user", "password"] };

/** The destination types of deployed servers. */
const TYPES: Readonly<Record<string, DestinationType>> = {
  S3: { needed: ["bucket_name", "region", "prefix"], secret: ["aws_access_key_id", "aws_secret_access_key"] },
  Snowflake: {
    needed: ["account", "user", "database", "warehouse", "schema"],
    secret: ["user", "password", "private_key", "private_key_passphrase"],
  },
  Postgres: DATABASE,
  Redshift: DATABASE,
  BigQuery: {
    needed: ["project_id", "dataset_id", "private_key", "private_key_id", "token_uri", "client_email"],
    secret: ["private_key", "private_key_id", "client_email", "token_uri"],
  },
  HTTP: { needed: ["url", "token"], secret: [] },
  NoOp: { needed: [], secret: [] },
};

/** The types that a deployed server accepts. */
export const DESTINATION_TYPES: readonly string[] = Object.keys(TYPES);

/** The compressions of each format of files. */
export const COMPRESSIONS: Readonly<Record<string, readonly string[]>> = {
  Parquet: ["zstd", "lz4", "snappy", "gzip", "brotli"],
  JSONLines: ["gzip", "brotli"],
};

/**
 * Checks settings like deployed servers, which answer 500 if a setting is missing.
 * @throws ApiError 500 or 400
 */
export function checkConfig({ type, config }: Destination): void {
  if (own(TYPES, type)?.needed.some((name) => config[name] === undefined) === true) throw serverError();
  const password = config["password"] ?? null;
  if (type === "Snowflake" && (config["authentication_type"] ?? "password") === "password" && password === null) {
    throw invalid("invalid_input", "Password is required if authentication type is password", "destination");
  }
  const compression = config["compression"] ?? null;
  const known = own(COMPRESSIONS, stringOrUndefined(config["file_format"]) ?? "JSONLines") ?? [];
  if (type === "S3" && compression !== null && !known.includes(stringOrUndefined(compression) ?? "")) {
    const detail = `Compression ${JSON.stringify(compression)} is not supported. Supported: ${known.join(", ")}.`;
    throw invalid("invalid_input", detail, "destination");
  }
}

function stringOrUndefined(value: Json | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Merges a changed destination. Settings are never removed, even if the type changes. */
export function mergeDestination(stored: Destination, sent: Destination): Destination {
  return { type: sent.type, config: { ...stored.config, ...sent.config } };
}

/** Removes the secrets of the current type from a destination. Secrets of an earlier type remain visible. */
export function withoutSecrets({ type, config }: Destination): Destination {
  const secret = own(TYPES, type)?.secret ?? [];
  const shown = Object.entries(config).filter(([name]) => !secret.includes(name));
  return { type, config: Object.fromEntries(shown) };
}

/** Converts a destination like the encrypted column: scalars become strings, and the order of keys changes. */
export function throughStorage({ type, config }: Destination): Destination {
  return { type, config: sortKeys(stringified(config)) };
}

function stringified(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, storedValue(inner)]));
}

/** Converts a value like the encrypted column: scalars become strings, at any depth. */
export function storedValue(value: Json): Json {
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "number") return String(value);
  if (Array.isArray(value)) return value.map((item: Json) => storedValue(item));
  return isObject(value) ? stringified(value) : value;
}

/** Sorts keys like the JSON columns of the database, at every depth: shorter keys first, then by code unit. */
export function reorderKeys(value: Json): Json {
  if (Array.isArray(value)) return value.map((item: Json) => reorderKeys(item));
  return isObject(value) ? sortKeys(value) : value;
}

function sortKeys(value: JsonObject): JsonObject {
  const entries = Object.entries(value).map(([key, inner]) => [key, reorderKeys(inner)] as const);
  return Object.fromEntries(entries.toSorted(([a], [b]) => a.length - b.length || (a < b ? -1 : 1)));
}
