/** Live values that the configuration would refuse. */
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../src/model/json.ts";
import { acceptOne } from "./support.ts";

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
