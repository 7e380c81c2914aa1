import { asText } from "../../json.ts";
import {
  choice,
  dateTime,
  flag,
  free,
  integer,
  list,
  nullable,
  required,
  text,
  type Field,
  type Fields,
  type Values,
} from "../../http/fields.ts";
import { currentDestination } from "./current-destination.ts";
import { invalid } from "../../http/errors.ts";

const ZONES: ReadonlySet<string> = new Set(Intl.supportedValuesOf("timeZone"));

/** Facts 165, 167 and 168: the writable fields. */
export const CURRENT_FIELDS = {
  name: required(text()),
  destination: required(currentDestination()),
  interval: required(choice(["hour", "day", "week", "every 5 minutes", "every 15 minutes"])),
  model: choice(["events", "persons", "sessions", "hogql"]),
  paused: flag(),
  last_paused_at: nullable(dateTime()),
  start_at: nullable(dateTime()),
  end_at: nullable(dateTime()),
  hogql_query: nullable(text()),
  hogql_modifiers: free(),
  primary_key: nullable(list(text())),
  version_key: nullable(list(text())),
  incremental_mode: choice(["APPEND", "MERGE"]),
  filters: free(),
  timezone: timezone(),
  offset_day: nullable(integer()),
  offset_hour: nullable(integer()),
} satisfies Fields;

/** The values that a request sends. */
export type SentExport = Values<typeof CURRENT_FIELDS>;

/** Fact 186: a name of the IANA list, old names too. Null means UTC. */
function timezone(): Field<string> {
  return {
    required: false,
    read(value, attr) {
      const name = value ?? "UTC";
      if (typeof name === "string" && isZone(name)) return name;
      throw invalid("invalid_choice", `"${asText(name)}" is not a valid choice.`, attr);
    },
  };
}

function isZone(name: string): boolean {
  if (ZONES.has(name)) return true;
  try {
    // Old names are not in the list, but they are known. Offsets such as "+01:00" are known too, but are no names.
    return /^[A-Za-z]/.test(name) && new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions() !== undefined;
  } catch {
    return false;
  }
}
