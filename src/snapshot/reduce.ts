import type { JsonObject } from "../model/json.ts";
import { isSought, type LiveObject, type Sought } from "../model/live.ts";

const NOTHING: JsonObject = Object.freeze({});

/** An object that nobody looks for, as who it is. What a rule may still look at of it is kept as text: a tenth of the size. */
export function reduceObject(live: LiveObject, sought: Sought): LiveObject {
  if (isSought(live, sought)) return live;
  const { kind, scope, id, keys, onDifference, deleted } = live;
  const identity = { kind, scope, id, pins: {}, keys, onDifference, deleted };
  const kept = Object.entries(live.values).filter(([field]) => sought.fields.has(field));
  if (kept.length === 0) return { ...identity, values: NOTHING };
  const text = JSON.stringify(Object.fromEntries(kept));
  return {
    ...identity,
    get values(): JsonObject {
      return JSON.parse(text) as JsonObject;
    },
  };
}
