import { CURRENT_TYPES, declaredSettings, TOLERATED, type SettingType } from "./current-types.ts";
import { COMPRESSIONS } from "./destinations.ts";
import { integrationTable } from "../integration.ts";
import { invalid } from "../../http/errors.ts";
import { asText, isObject, type Json, type JsonObject, own } from "../../json.ts";
import { typeName } from "../../http/body.ts";
import type { Destination } from "./record.ts";
import type { Service } from "../../service.ts";

/** What a rule about the settings of a destination knows. */
interface Checked {
  readonly service: Service;
  readonly team: number;
  readonly type: string;
  /** The settings as sent, with declared ones already in their types. */
  readonly sent: JsonObject;
  /** The stored settings with those that were sent. */
  readonly merged: JsonObject;
  /** Undefined for a create. */
  readonly before: Destination | undefined;
  /** Whether settings may be missing. */
  readonly partial: boolean;
  readonly integration: number | null;
}

/** A reason to refuse the settings. */
interface Rule {
  readonly fact: number;
  readonly types?: readonly string[];
  readonly problem: (checked: Checked) => string | undefined;
}

const BUCKETS = ["AwsS3", "S3Compatible"];
const FILES = [...BUCKETS, "AzureBlob"];
const DATABASES = ["Postgres", "Redshift"];
const HTTP_URLS: ReadonlySet<Json> = new Set(["https://us.i.posthog.com/batch/", "https://eu.i.posthog.com/batch/"]);
const COPY_INPUTS = ["s3_bucket", "region_name", "authorization", "bucket_credentials"];
const CREDENTIALS = ["authorization", "bucket_credentials"];
const BAD_HOST = "Invalid host. Enter a hostname or IP address without credentials, scheme, or path.";
const INTERNAL = /^(localhost$|127\.|10\.|192\.168\.|169\.254\.|172\.(1[6-9]|2\d|3[01])\.)/;

const RULES: readonly Rule[] = [
  {
    fact: 175,
    problem({ type, sent }) {
      const known = declaredSettings(type);
      const unknown = Object.keys(sent).filter((key) => !Object.hasOwn(known, key) && !TOLERATED.has(key));
      const names = unknown.toSorted().map((key) => `'${key}'`);
      return names.length === 0 ? undefined : `Configuration has unknown field/s: ${names.join(", ")}`;
    },
  },
  {
    fact: 175,
    problem({ type, sent, partial }) {
      const missing = Object.keys(own(CURRENT_TYPES, type)?.required ?? {}).find((key) => own(sent, key) === undefined);
      return partial || missing === undefined ? undefined : `Configuration missing required field: '${missing}'`;
    },
  },
  {
    fact: 175,
    problem({ type, sent }) {
      const known = declaredSettings(type);
      const wrong = Object.entries(sent).find(([key, value]) => !hasType(value, own(known, key)));
      if (wrong === undefined) return undefined;
      return `Configuration has invalid type: got '${typeName(wrong[1])}', expected '${own(known, wrong[0])}'`;
    },
  },
  {
    fact: 179,
    types: BUCKETS,
    problem({ merged }) {
      const empty = ["bucket_name", "region", "prefix"].filter((key) => own(merged, key) === "");
      return empty.length === 0
        ? undefined
        : `The following inputs are empty: [${empty.map((key) => `'${key}'`).join(", ")}]`;
    },
  },
  {
    fact: 179,
    types: FILES,
    problem({ merged }) {
      const { file_format: format = "JSONLines", compression = null } = merged;
      const known = typeof format === "string" ? own(COMPRESSIONS, format) : undefined;
      if (known === undefined)
        return `File format ${asText(format)} is not supported. Supported file formats are: ${Object.keys(COMPRESSIONS).join(", ")}.`;
      if (compression === null || known.some((name) => name === compression)) return undefined;
      return `Compression ${asText(compression)} is not supported for file format ${asText(format)}. Supported compressions are: ${known.join(", ")}.`;
    },
  },
  {
    fact: 180,
    types: FILES,
    problem: ({ sent, before }) =>
      sent["legacy_parquet_extension"] === true && before?.config["legacy_parquet_extension"] !== true
        ? "'legacy_parquet_extension' can only stay on for an export that already writes such names."
        : undefined,
  },
  {
    fact: 184,
    types: ["HTTP"],
    problem: ({ merged }) =>
      HTTP_URLS.has(merged["url"] ?? null) ? undefined : `Invalid destination URL: ${asText(merged["url"] ?? "")}`,
  },
  {
    fact: 185,
    types: DATABASES,
    problem({ service, integration, merged }) {
      const config = integration === null ? {} : (integrationTable(service).get(integration)?.config ?? {});
      const hosts = [merged["host"], isObject(config) ? config["host"] : undefined];
      const isBad = hosts.some(
        (host) => typeof host === "string" && host !== "" && (!/^[\w.:-]+$/.test(host) || INTERNAL.test(host)),
      );
      return isBad ? BAD_HOST : undefined;
    },
  },
  {
    fact: 179,
    types: ["Redshift"],
    problem: ({ integration, merged }) =>
      integration !== null && (merged["host"] ?? "") === ""
        ? "A 'host' is required when using an AWS Redshift integration: set it to the cluster or workgroup endpoint."
        : undefined,
  },
  { fact: 178, types: ["Redshift"], problem: copyProblem },
];

/** Facts 175 and 177 to 185. @throws ApiError 400 for the first problem */
export function checkCurrentConfig(checked: Checked): void {
  for (const { types, problem } of RULES) {
    if (types?.includes(checked.type) === false) continue;
    const detail = problem(checked);
    if (detail !== undefined) throw invalid("invalid_input", detail, "destination");
  }
}

/** Fact 178: what Redshift needs to copy from a bucket. */
function copyProblem({ service, team, merged, before }: Checked): string | undefined {
  if (merged["mode"] !== "COPY") return undefined;
  const inputs = merged["copy_inputs"];
  if (!isObject(inputs)) return "Missing required inputs for 'COPY'";
  if (COPY_INPUTS.some((key) => (own(inputs, key) ?? null) === null)) return "Missing required input for 'COPY'";
  const stored = before?.config["copy_inputs"];
  for (const field of CREDENTIALS) {
    const value = own(inputs, field) ?? null;
    const earlier = isObject(stored) ? (own(stored, field) ?? null) : null;
    if (typeof earlier === "number" && typeof value !== "number") {
      return `Cannot switch '${field}' from an integration to inline credentials. Create a new batch export instead.`;
    }
    const found = typeof value === "number" ? integrationTable(service).get(value) : undefined;
    if (typeof value === "number" && (found?.team_id !== team || found.kind !== "aws-s3")) {
      return `'${field}' does not reference an AWS S3 integration of this project.`;
    }
  }
  return undefined;
}

function hasType(value: Json, type: SettingType | undefined): boolean {
  if (type === undefined || value === null) return true;
  if (type === "str") return typeof value === "string";
  if (type === "int") return typeof value === "number" && Number.isInteger(value);
  return type === "bool" ? typeof value === "boolean" : isObject(value);
}

const WORDS: Readonly<Record<string, boolean>> = {
  true: true,
  false: false,
  "1": true,
  "0": false,
  yes: true,
  no: false,
};

/** Facts 175 and 182: brings the declared settings into their types. The others are text, as the storage returns them. */
export function typedConfig(type: string, config: JsonObject, others: (value: Json) => Json): JsonObject {
  const known = declaredSettings(type);
  const typed = Object.entries(config).map(([key, value]) => {
    const expected = own(known, key);
    return [key, expected === undefined ? others(value) : typedValue(value, expected)] as const;
  });
  return Object.fromEntries(typed);
}

function typedValue(value: Json, type: SettingType): Json {
  if (typeof value !== "string") return type === "str" && typeof value === "number" ? asText(value) : value;
  if (type === "int" && /^-?\d+$/.test(value)) return Number(value);
  return type === "bool" ? (own(WORDS, value.toLowerCase()) ?? value) : value;
}

/** Fact 181: merges deeply. A key is never removed, and null stays null. */
export function mergeDeeply(stored: JsonObject, sent: JsonObject): JsonObject {
  const merged = Object.entries(sent).map(([key, value]) => {
    const before = own(stored, key);
    return [key, isObject(before) && isObject(value) ? mergeDeeply(before, value) : value] as const;
  });
  return { ...stored, ...Object.fromEntries(merged) };
}

/** Fact 183: leaves out the secrets, at any depth. */
export function withoutCurrentSecrets(type: string, config: JsonObject): JsonObject {
  const secret = own(CURRENT_TYPES, type)?.secret ?? [];
  const shown = (value: Json): Json => (isObject(value) ? withoutCurrentSecrets(type, value) : value);
  return Object.fromEntries(
    Object.entries(config)
      .filter(([key]) => !secret.includes(key))
      .map(([key, value]) => [key, shown(value)]),
  );
}
