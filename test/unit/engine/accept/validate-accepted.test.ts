/** Live values that the configuration would refuse. */
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../src/model/json/json.ts";
import { Acceptance } from "../../../../src/engine/accept/acceptance.ts";
import { acceptOne, driftOf } from "./support.ts";

const S3 = "interval: hour, destination: { type: S3, config: { bucket_name: a, region: a } }";
const HTTP = "interval: hour, destination: { type: HTTP, config: { bucket_name: a } }";

function exported(type: string, config: JsonObject, more: JsonObject = {}): JsonObject {
  return { id: "b", name: "E", interval: "hour", paused: false, destination: { type, config }, ...more };
}

describe("of the values that differ", () => {
  it.each<[name: string, declared: string, live: JsonObject, text: string, refused: number]>([
    [
      "an invalid field does not keep the others out",
      S3,
      exported("S3", { bucket_name: "b", region: "a" }, { interval: "fortnight" }),
      S3.replace("bucket_name: a", "bucket_name: b"),
      1,
    ],
    [
      "nor does an invalid value in one field the others there",
      S3,
      exported("S3", { bucket_name: 5, region: "b" }),
      S3.replace("region: a", "region: b"),
      1,
    ],
    [
      "one that makes another field invalid is refused",
      "interval: day, offset_hour: 0, destination: { type: HTTP, config: {} }",
      exported("HTTP", {}, { offset_hour: null, offset_day: null, timezone: "UTC" }),
      "interval: day, offset_hour: 0, destination: { type: HTTP, config: {} }",
      1,
    ],
    ["two that are invalid only together are refused both", HTTP, exported("S3", { bucket_name: 5 }), HTTP, 2],
    [
      "two that are valid only together are accepted both",
      HTTP.replace("bucket_name: a", "bucket_name: 5"),
      exported("S3", { bucket_name: "b" }),
      HTTP.replace("HTTP", "S3").replace("bucket_name: a", "bucket_name: b"),
      0,
    ],
  ])("%s", async (_name, declared, live, text, refused) => {
    const accepted = await acceptOne({ kind: "batch_export", declared: `{ name: E, ${declared} }`, live: [live] });
    expect(accepted.text).toBe(`{ name: E, ${text} }`);
    expect(accepted.diagnostics.map(({ code }) => code)).toEqual(Array<string>(refused).fill("not_accepted"));
  });
});

describe("a name that another declaration has", () => {
  const insights = (one: string, two: string): string => `driftline: 1
organizations: { acme: { name: Acme Inc, projects: { web: { name: Web, insights: { one: ${one}, two: ${two} } } } } }
`;
  const named = (id: number, name: string): JsonObject => ({ id, short_id: `short${String(id)}`, name });

  it.each<[string, string, string, readonly JsonObject[], readonly string[]]>([
    ["is not accepted", "{ id: 1, name: A }", "{ name: B }", [named(1, "B")], ["not_accepted"]],
    ["is accepted if both have ids", "{ id: 1, name: A }", "{ id: 2, name: B }", [named(1, "B"), named(2, "B")], []],
  ])("%s", async (_name, one, two, live, codes) => {
    const run = await driftOf(insights(one, two), { "insights.list": live });
    const { diagnostics } = await Acceptance.prepare(run, run.input.config.root, {
      only: ["acme/projects/web/insights/one"],
    });
    expect(diagnostics.map(({ code }) => code)).toEqual(codes);
  });
});
