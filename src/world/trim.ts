import type { JsonObject } from "../model/json/json.ts";
import { isLookedFor, type LiveObject, type LookupKeys } from "../model/live.ts";

const NO_VALUES: JsonObject = Object.freeze({});
const NO_PINS: LiveObject["pins"] = Object.freeze({});

/**
 * Reduces an object that no resource can match to its identity. What has to be known of an undeclared object (people,
 * domains by which people come in) is rare, and such an object stays whole. The fields that a guard rule may read are
 * kept as JSON text, which takes a tenth of the memory.
 */
export function trimObject(live: LiveObject, lookupKeys: LookupKeys): LiveObject {
  if (live.about !== undefined || isLookedFor(live, lookupKeys)) return live;
  let kept: Record<string, JsonObject[string]> | undefined;
  for (const field of lookupKeys.fields) {
    const value = live.values[field];
    if (value === undefined) continue;
    kept ??= {};
    kept[field] = value;
  }
  return new TrimmedObject(live, kept === undefined ? "" : JSON.stringify(kept));
}

/** A class, because 100,000 object literals with a getter would take three times the memory. */
class TrimmedObject implements LiveObject {
  readonly kind: LiveObject["kind"];
  readonly scope: string;
  readonly id: string;
  readonly pins: LiveObject["pins"] = NO_PINS;
  readonly keys: readonly string[];
  readonly onDifference: LiveObject["onDifference"];
  readonly state: LiveObject["state"];
  readonly #text: string;

  constructor({ kind, scope, id, keys, onDifference, state }: LiveObject, text: string) {
    this.kind = kind;
    this.scope = scope;
    this.id = id;
    this.keys = keys;
    this.onDifference = onDifference;
    this.state = state;
    this.#text = text;
  }

  get values(): JsonObject {
    return this.#text === "" ? NO_VALUES : (JSON.parse(this.#text) as JsonObject);
  }
}
