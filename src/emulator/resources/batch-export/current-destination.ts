import { asObject } from "../../http/body.ts";
import { checkCurrentConfig, mergeDeeply, typedConfig, withoutCurrentSecrets } from "./current-config.ts";
import { choice, integer, nullable, type Field } from "../../http/fields.ts";
import { CURRENT_TYPES, type IntegrationRule } from "./current-types.ts";
import { denied, invalid } from "../../http/errors.ts";
import { integrationTable } from "../integration.ts";
import { isObject, type JsonObject, own } from "../../json.ts";
import { storedValue } from "./destinations.ts";
import type { Destination } from "./record.ts";
import type { Service } from "../../service.ts";

/** A destination as a request sends it. `integration` is undefined if it is not sent. */
export interface SentDestination {
  readonly type: string;
  readonly config: JsonObject;
  readonly integration: number | null | undefined;
}

/** Facts 170 and 171: reads a destination. Both names of the integration are accepted. */
export function currentDestination(): Field<SentDestination> {
  const type = choice(Object.keys(CURRENT_TYPES));
  const id = nullable(integer());
  return {
    required: false,
    read(value, attr, lenient) {
      if (value === null) throw invalid("null", "This field may not be null.", attr);
      const { type: sent, config = {}, integration_id, integration = integration_id } = asObject(value);
      if (sent === undefined) throw invalid("required", "This field is required.", `${attr}__type`);
      if (!isObject(config)) throw invalid("invalid_input", "Expected an object.", `${attr}__config`);
      return {
        type: type.read(sent, `${attr}__type`, lenient),
        config,
        integration: integration === undefined ? undefined : id.read(integration, `${attr}__integration`, lenient),
      };
    },
  };
}

/** Where a destination is written to. `before` is undefined for a create. */
interface Writing {
  readonly service: Service;
  readonly team: number;
  readonly before: Destination | undefined;
  readonly partial: boolean;
}

/** Returns the destination that is stored for a sent one. @throws ApiError 400 or 403 */
export function writtenDestination(sent: SentDestination, writing: Writing): Destination {
  const { service, team, before, partial } = writing;
  const { type } = sent;
  if (before !== undefined && before.type !== type) {
    const detail = `Cannot change destination type from '${before.type}' to '${type}'. Delete this batch export and create a new one with the new destination type.`;
    throw invalid("invalid_input", detail, "destination");
  }
  const rule = own(CURRENT_TYPES, type);
  if (rule?.flagged === true) throw denied(`${type} batch exports are not enabled for this team.`);
  const integration = rule?.integration === undefined ? null : integrationOf(sent, rule.integration, writing);
  const config = typedConfig(type, sent.config, (value) => value);
  const merged = mergeDeeply(before?.config ?? {}, config);
  checkCurrentConfig({ service, team, type, sent: config, merged, before, partial, integration });
  // 180: the service adds this setting to a new export, and to an older one with the first change of its destination.
  const added = rule?.namesParquet === true ? { legacy_parquet_extension: false } : {};
  return { type, config: { ...added, ...merged }, integration };
}

/** Facts 171 to 174: the integration of a destination after a write. @throws ApiError 400 */
function integrationOf(
  sent: SentDestination,
  rule: IntegrationRule,
  { service, team, before }: Writing,
): number | null {
  const stored = before?.integration ?? null;
  const given = sent.integration === undefined && rule.omitted === "keeps" ? stored : (sent.integration ?? null);
  if (given === null) {
    if (before !== undefined && rule.optional && stored === null) return null;
    throw invalid("invalid_input", missingText(sent.type, rule, stored), "destination");
  }
  const found = integrationTable(service).get(given);
  if (found?.team_id !== team) {
    const detail = `Invalid pk "${given}" - object does not exist.`;
    throw invalid("does_not_exist", detail, "destination__integration");
  }
  if (found.kind !== rule.kind) throw invalid("invalid_input", rule.wrong(found.kind), "destination");
  return given;
}

function missingText(type: string, { omitted }: IntegrationRule, stored: number | null): string {
  if (omitted !== "refused_if_stored" || stored === null) return `Integration is required for ${type} batch exports`;
  return `Cannot remove the integration from a ${type} batch export that uses one. Re-send its \`integration\` to keep it (or a different one to swap).`;
}

/** Fact 170: all destinations of the old type S3 were converted. */
export function convertedDestination({ type, config, integration }: Destination): Destination {
  const bucket = (config["endpoint_url"] ?? "") === "" ? "AwsS3" : "S3Compatible";
  return { type: type === "S3" ? bucket : type, config, integration: integration ?? null };
}

/** Facts 182 and 183: how a stored destination is shown. */
export function shownDestination({ type, config, integration = null }: Destination): Destination {
  return { type, config: typedConfig(type, withoutCurrentSecrets(type, config), storedValue), integration };
}
