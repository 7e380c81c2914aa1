/** What the destinations of today's service take. */
import type { Action } from "../../model/change.ts";
import { isValueObject, type JsonObject, type ValueObject, valueAt, own } from "../../model/json/json.ts";
import { filterKeys } from "../../model/json/object.ts";
import type { ValueProblem } from "../kind-parts.ts";
import type { Check } from "../check.ts";
import { hasDestinationRules } from "../service-signs.ts";
import { offsetProblems } from "./timing.ts";

const KEYS = ["aws_access_key_id", "aws_secret_access_key", "endpoint_url"];
const SNOWFLAKE_KEYS = ["account", "user", "password", "authentication_type", "private_key", "private_key_passphrase"];

/** Current service 170, 176 and 177: the types that took the place of `S3`, with its settings that they do not take. */
const SUCCESSORS: Readonly<Record<string, readonly string[]>> = {
  AwsS3: [...KEYS, "use_virtual_style_addressing"],
  S3Compatible: [...KEYS, "encryption", "kms_key_id"],
};

/** The declared values of an export of the type `S3`, as they are since the service has converted it; undefined if it has not. */
export function convertedFromS3(declared: ValueObject, live: JsonObject): ValueObject | undefined {
  const { destination } = declared;
  const type = valueAt(live, ["destination", "type"]);
  if (!isValueObject(destination) || destination["type"] !== "S3" || typeof type !== "string") return undefined;
  const gone = own(SUCCESSORS, type);
  return gone && { ...declared, destination: { ...withoutSettings(destination, gone), type } };
}

/** A live export without the settings that its type does not take any more: some services still show those of old exports. */
export function withoutOldSettings(live: JsonObject): JsonObject {
  const { destination } = live;
  if (!isValueObject(destination)) return live;
  return { ...live, destination: withoutSettings(destination, notTaken(destination)) as JsonObject };
}

/** Current service 177: settings that no service takes beside such a type or such an integration. */
function notTaken({ type, integration }: ValueObject): readonly string[] {
  if (type === "Snowflake" && typeof integration === "number") return SNOWFLAKE_KEYS;
  return (typeof type === "string" ? own(SUCCESSORS, type) : undefined) ?? [];
}

function typeOf({ type }: ValueObject): string {
  return typeof type === "string" ? type : "";
}

function withoutSettings(destination: ValueObject, names: readonly string[]): ValueObject {
  const { config } = destination;
  if (!isValueObject(config)) return destination;
  return { ...destination, config: filterKeys(config, (key) => !names.includes(key)) };
}

/** What is wrong with the declared settings of a destination. */
export function destinationProblems({ destination }: ValueObject): readonly ValueProblem[] {
  if (!isValueObject(destination) || !isValueObject(destination["config"])) return [];
  const { config, integration = null } = destination;
  const type = typeOf(destination);
  const refused = notTaken(destination).filter((key) => Object.hasOwn(config, key));
  return refused.map((key) => ({
    keys: ["destination", "config", key],
    code: "not_taken",
    message: `no service takes ${key} for the type ${type}`,
    hint: inIntegration(key)
      ? `Remove it: the integration has it.${integration === null ? " Declare the number of the integration as destination.integration." : ""}`
      : "Remove it.",
  }));
}

const inIntegration = (key: string): boolean => KEYS.includes(key) || SNOWFLAKE_KEYS.includes(key);

/** Current service 172: the types that need an integration. */
const WITH_INTEGRATION: ReadonlySet<string> = new Set([
  ...Object.keys(SUCCESSORS),
  "Snowflake",
  "Postgres",
  "Redshift",
  "BigQuery",
  "Databricks",
  "AzureBlob",
]);
/** Current service 174: those whose exports cannot be changed without one. */
const NEVER_WITHOUT: ReadonlySet<string> = new Set(["BigQuery", "Databricks", "AzureBlob"]);
const URLS: ReadonlySet<string> = new Set(["https://us.i.posthog.com/batch/", "https://eu.i.posthog.com/batch/"]);

/**
 * What to declare so that today's service takes a destination; undefined if it does. Current service 170, 172, 174, 177 and 184.
 */
export function destinationRefusal({ destination, model = null }: ValueObject, action: Action): string | undefined {
  if (!isValueObject(destination)) return undefined;
  const { config = {}, integration = null } = destination;
  const type = typeOf(destination);
  const isNew = action !== "update";
  if (!isValueObject(config)) return undefined;
  if (type === "S3")
    return isNew ? "declare the type AwsS3 or S3Compatible in the place of S3, with an integration" : undefined;
  if (integration === null && (isNew ? WITH_INTEGRATION : NEVER_WITHOUT).has(type))
    return `declare destination.integration, the number of an integration of the project: ${type} needs one`;
  const keys = SNOWFLAKE_KEYS.filter((key) => type === "Snowflake" && Object.hasOwn(config, key));
  if (keys.length > 0) return `remove ${keys.join(", ")} from destination.config: the integration has them`;
  if (type !== "HTTP") return undefined;
  if (isNew && model !== null && model !== "events") return "declare the model events: HTTP takes no other";
  const { url } = config;
  return typeof url === "string" && !URLS.has(url)
    ? `declare one of the URLs that the service takes: ${[...URLS].join(" or ")}`
    : undefined;
}

export const refusedDestination: Check = {
  rule: "service_refuses",
  inspect:
    ({ world }) =>
    ({ action, work: { scope, body, live } }) => {
      if (!hasDestinationRules(world, scope)) return undefined;
      const { interval = null } = { ...live?.values, ...body };
      const lift = destinationRefusal(body, action) ?? offsetProblems({ ...body, interval })[0]?.message;
      return lift === undefined ? undefined : { blocked: { lift } };
    },
};
