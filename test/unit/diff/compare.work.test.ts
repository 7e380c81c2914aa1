/** What a comparison costs, counted in the values that it looks at: time depends on the machine. */
import { describe, expect, it } from "vitest";
import { patchBody } from "../../../src/diff/body.ts";
import { compare } from "../../../src/diff/compare.ts";
import { kinds } from "../../../src/kinds/registry.ts";
import type { Json, JsonObject } from "../../../src/model/json/json.ts";

const node = (subject: JsonObject, name: string): JsonObject => ({
  kind: "EventsNode",
  ...subject,
  name,
  custom_name: `custom ${name}`,
  math: "total",
  properties: [{ key: `key ${name}`, value: [name], operator: "exact", type: "event" }],
});
const seriesOf = (count: number, text: string, hasSubject: boolean): readonly JsonObject[] =>
  Array.from({ length: count }, (_, index) => {
    const name = `${text} ${String(index)}`;
    return node(hasSubject ? { event: name } : {}, name);
  });
const insightOf = (series: readonly Json[]): JsonObject => ({
  query: { kind: "InsightVizNode", source: { kind: "TrendsQuery", series } },
});

/** Counts each read of a member of a live value. */
function counting(value: Json, count: () => void): Json {
  if (typeof value !== "object" || value === null) return value;
  const inner = Array.isArray(value)
    ? value.map((one) => counting(one as Json, count))
    : Object.fromEntries(Object.entries(value).map(([key, one]) => [key, counting(one, count)]));
  const get = (target: object, key: string | symbol): unknown => {
    count();
    return Reflect.get(target, key);
  };
  return new Proxy(inner, { get }) as Json;
}

function steps(count: number, hasSubject: boolean): number {
  let done = 0;
  const live = counting(insightOf(seriesOf(count, "live", hasSubject)), () => (done += 1)) as JsonObject;
  const declared = insightOf(seriesOf(count, "declared", hasSubject));
  const differences = compare(kinds.insight, declared, live);
  expect(differences).not.toEqual([]);
  patchBody(kinds.insight, { values: declared }, live, differences);
  return done;
}

describe.each([true, false])("wholly different series, whose subject is said: %s", (hasSubject) => {
  it("of two insights with 100 each take at most twice the work of ten with 20", () => {
    const [few, many] = [steps(20, hasSubject), steps(100, hasSubject)];
    expect(2 * many).toBeLessThanOrEqual(2 * (10 * few));
  });
});
