import { isObject, type Json } from "../../../src/emulator/json.ts";
import { partsOf } from "./recording.ts";

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** Maps recorded ids to ids of the emulator as they appear. Unknown ids do not change. */
export interface IdMap {
  /** Learns from the two answers to one create call. */
  learn(path: string, recorded: Json, given: Json): void;
  /** Replaces the recorded ids in a path or text by those of the emulator. */
  path(recorded: string): string;
  json<Value extends Json>(recorded: Value): Value;
  /** Returns the emulator's id for a recorded id of a family. */
  id(family: string, recorded: Json | undefined): string;
}

/** Creates an empty map. */
export function createIdMap(): IdMap {
  /** The keys are uuids and short ids, and for numbers the family and the number: `insights/23`. */
  const known = new Map<string, string>();
  const uuids = (text: string): string => text.replaceAll(UUID, (uuid) => known.get(uuid) ?? uuid);
  const space = (family: string): string => (family.startsWith("pipeline") ? "plugins" : family);

  function learnPair(family: string, recorded: Json, given: Json): void {
    if (Array.isArray(recorded) && Array.isArray(given)) {
      for (const [index, row] of recorded.entries()) learnPair(family, row as Json, (given[index] ?? null) as Json);
    }
    if (!isObject(recorded) || !isObject(given)) return;
    for (const field of ["id", "short_id"]) {
      const [from, to] = [recorded[field], given[field]];
      if (typeof from === "string" && typeof to === "string") known.set(from, to);
      if (typeof from === "number" && typeof to === "number") known.set(`${space(family)}/${from}`, String(to));
    }
  }

  return {
    learn: (path, recorded, given) => learnPair(partsOf(path).family, recorded, given),
    path(recorded) {
      const { family } = partsOf(recorded);
      const numbered = recorded.replace(
        new RegExp(`/${family}/(\\d+)(?=[/?]|$)`),
        (whole, id: string) => `/${family}/${known.get(`${space(family)}/${id}`) ?? id}`,
      );
      const short = numbered.replace(/short_id=(\w+)/, (_whole, id: string) => `short_id=${known.get(id) ?? id}`);
      return uuids(short);
    },
    json: <Value extends Json>(recorded: Value) => JSON.parse(uuids(JSON.stringify(recorded))) as Value,
    id: (family, recorded) => known.get(`${space(family)}/${String(recorded)}`) ?? uuids(String(recorded)),
  };
}
