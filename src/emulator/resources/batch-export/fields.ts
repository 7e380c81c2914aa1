import { throughStorage, DESTINATION_TYPES, withoutSecrets } from "./destinations.ts";
import { renderCurrentExport } from "./current.ts";
import { asObject } from "../../http/body.ts";
import {
  choice,
  dateTime,
  flag,
  free,
  nullable,
  required,
  text,
  type Field,
  type Fields,
  type Values,
} from "../../http/fields.ts";
import { denied, invalid } from "../../http/errors.ts";
import { isObject, type Json } from "../../json.ts";
import { renderBatchExport, type BatchExport, type Destination } from "./record.ts";
import { shownQuery } from "./shown-query.ts";
import type { Service } from "../../service.ts";

const INTERVALS = ["hour", "day", "week", "every 5 minutes"];

const common = {
  name: required(text()),
  destination: required(destinationOf(text())),
  interval: required(text()),
  model: nullable(choice<string>(["events", "persons"])),
  paused: flag(),
  last_paused_at: nullable(dateTime()),
  start_at: nullable(dateTime()),
  end_at: nullable(dateTime()),
  hogql_query: nullable(text({ blank: true })),
  filters: free(),
} satisfies Fields;

const deployed = {
  ...common,
  destination: required(destinationOf(choice(DESTINATION_TYPES))),
  interval: required(choice(INTERVALS)),
  model: nullable(choice<string>(["events", "persons", "sessions"])),
  hogql_query: nullable(text()),
} satisfies Fields;

/** Returns the writable fields. Only deployed servers restrict intervals, destination types and blank queries. */
export function exportFields(isDeployed: boolean): typeof common & Partial<typeof deployed> {
  return isDeployed ? deployed : common;
}

/** A destination: an object with a type and free-form settings. */
function destinationOf(type: Field<string>): Field<Destination> {
  return {
    required: false,
    read(value, attr, lenient) {
      if (value === null) throw invalid("null", "This field may not be null.", attr);
      const body = asObject(value);
      const { type: sent, config = {} } = body;
      if (sent === undefined) throw invalid("required", "This field is required.", `${attr}__type`);
      if (!isObject(config)) throw invalid("invalid_input", "Expected an object.", `${attr}__config`);
      return { type: type.read(sent, `${attr}__type`, lenient), config };
    },
  };
}

/**
 * Refuses the options that deployed servers allow only for some teams. No team of the emulator has them.
 * @throws ApiError 403
 */
export function checkFlags(values: Values<typeof common>): void {
  if (values.interval?.startsWith("every") === true) {
    throw denied("Higher frequency batch exports are not enabled for this team.");
  }
  if (values.model === "sessions") throw denied("Sessions batch exports are not enabled for this team.");
}

/**
 * Renders a batch export in the dialect. Deployed servers hide secrets and the query, and show settings as the storage
 * returns them. `written` is the destination that the current request wrote, which they show unchanged.
 */
export function renderExport(service: Service, row: BatchExport, written?: Destination): object {
  if (service.current) return renderCurrentExport(row);
  const shown = renderBatchExport(row);
  if (!service.isRealServer) return shown;
  const { hogql_query: _query, ...fields } = shown;
  const destination = withoutSecrets(written ?? throughStorage(row.destination));
  return { ...fields, schema: schemaOf(row), destination, filters: row.filters, ...row.overrides };
}

/** What deployed servers make of the query. The emulator compiles nothing, and only prints it anew. */
function schemaOf({ hogql_query: query, schema }: BatchExport): Json {
  return query === null || query === "" ? schema : { fields: [], values: {}, hogql_query: shownQuery(query) };
}
