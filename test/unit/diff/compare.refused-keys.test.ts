import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { patchBody } from "../../../src/diff/body.ts";
import { compare } from "../../../src/diff/compare.ts";
import { replacementOf } from "../../../src/diff/replacement.ts";
import { kindSchema } from "../../../src/kinds/fields.ts";
import { kinds } from "../../../src/kinds/registry.ts";
import type { Json, JsonObject } from "../../../src/model/json/json.ts";
import { pointer } from "../../../src/model/pointer.ts";
import { budget } from "../../support/budget.ts";

const KIND = kinds.batch_export;
/** The types whose settings are known, with the names of the settings. */
const TYPES = Object.entries(kindSchema("batch_export").definitions ?? {}).flatMap(([type, { properties = {} }]) =>
  type === "BatchExportRun" ? [] : [[type, Object.keys(properties)] as const],
);

/** An export of a type, with settings of the type, and with settings that no type has any more. */
const EXPORTS = fc.constantFrom(...TYPES).chain(([type, names]) =>
  fc.record({
    type: fc.constant(type),
    names: fc.constant(names),
    taken: fc.subarray([...names, "include_events", "exclude_events"]),
    old: fc.uniqueArray(
      fc.oneof(
        fc.constantFrom("json_config_file", "timeout", "file_prefix"),
        fc.string({ minLength: 1 }).filter((key) => !names.includes(key) && !/_events$|legacy|__proto__/u.test(key)),
      ),
      { minLength: 1, maxLength: 3 },
    ),
    value: fc.constantFrom<Json>(null, "", "text", 7, true, {}, ["a"]),
    declaresOld: fc.boolean(),
  }),
);

describe("the settings of an export that its type takes no more", () => {
  it("are sent only if they are declared, and the others as before", () => {
    fc.assert(
      fc.property(EXPORTS, ({ type, names, taken, old, value, declaresOld }) => {
        const config: JsonObject = Object.fromEntries([
          ...taken.map((key) => [key, `live ${key}`] as const),
          ...old.map((key) => [key, value] as const),
        ]);
        const live: JsonObject = { name: "E", interval: "hour", model: "events", destination: { type, config } };
        const [first = ""] = names;
        const own = { [first]: "new", ...(declaresOld ? { [old[0] ?? ""]: "declared" } : {}) };
        const declared = { name: "E", interval: "hour", destination: { type, config: own, integration: 7 } };
        const body = patchBody(KIND, { values: declared }, live, compare(KIND, declared, live));
        const expected = [...new Set([...taken, ...Object.keys(own)])].toSorted();
        const configOf = ({ destination }: { destination?: unknown }): readonly string[] =>
          Object.keys((destination as { config: object }).config).toSorted();
        expect(configOf(body)).toEqual(expected);
        const { values, lost } = replacementOf(KIND, declared, live);
        expect(configOf(values)).toEqual(expected);
        // A replacement says what it does not carry over. A null is nothing.
        const isLost = (key: string) => lost.includes(pointer("destination", "config", key));
        expect(old.filter(isLost)).toEqual(value === null ? [] : old.slice(declaresOld ? 1 : 0));
      }),
      { numRuns: budget(500) },
    );
  });
});
