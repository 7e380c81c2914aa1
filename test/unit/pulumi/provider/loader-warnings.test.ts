/** What a preview says of the free-form values of a program, in every language. The sentences are those of the loader. */
import { describe, expect, it } from "vitest";
import { kinds } from "../../../../src/kinds/registry.ts";
import type { JsonObject } from "../../../../src/model/json/json.ts";
import type { KindName } from "../../../../src/model/kind-name.ts";
import { UNKNOWN } from "../../../../src/pulumi/properties/check.ts";
import { KindProvider } from "../../../../src/pulumi/provider/kind-provider.ts";
import { UnknownSettingError } from "../../../../src/pulumi/provider/errors.ts";

const config = { bucket_name: "b", region: "eu", prefix: "e/" };
const EVENTS = { projectId: 2, name: "Events", interval: "hour", destination: { type: "S3", config } };
const INSIGHT = { projectId: 2, name: "Signups" };

/** Nothing is sent: the key is that of a resource which is yet to be created. */
const UNKNOWN_SETTINGS = {
  get: (name: string): never => {
    throw new UnknownSettingError(name);
  },
};

/** The warnings of a check, each as the path that it begins with and its sentence. */
async function warningsOf(kind: KindName, news: JsonObject, olds: JsonObject = {}): Promise<readonly string[]> {
  const said: string[] = [];
  const log = {
    warn: (text: string) => Promise.resolve(void said.push(text)),
    info: () => Promise.resolve(),
    stack: () => Promise.resolve(undefined),
  };
  const provider = new KindProvider(kinds[kind], () => UNKNOWN_SETTINGS, log);
  const { failures } = await provider.check(olds, news, { urn: "urn" });
  expect(failures).toEqual([]);
  return said;
}

const trends = (query: JsonObject): JsonObject => ({ ...INSIGHT, query: { kind: "InsightVizNode", source: query } });
const MISTAKES: readonly (readonly [string, KindName, JsonObject, path: string])[] = [
  ["a kind of a node", "insight", trends({ kind: "TrendQuery" }), "query.source.kind"],
  ["a key of a node", "insight", trends({ kind: "TrendsQuery", serie: [] }), "query.source.serie"],
  [
    "a kind of a node in a list",
    "insight",
    trends({ kind: "TrendsQuery", series: [{ kind: "EventNode" }] }),
    "query.source.series[0].kind",
  ],
  ["a type of a destination", "batch_export", { ...EVENTS, destination: { type: "S33", config } }, "destination.type"],
  [
    "a type of a destination that is near to none",
    "batch_export",
    { ...EVENTS, destination: { type: "Iceberg", config } },
    "destination.type",
  ],
  [
    "a key of a config",
    "batch_export",
    { ...EVENTS, destination: { type: "S3", config: { ...config, regoin: "eu" } } },
    "destination.config.regoin",
  ],
  ["a newer interval", "batch_export", { ...EVENTS, interval: "month" }, "interval"],
  ["a newer model", "batch_export", { ...EVENTS, model: "groups" }, "model"],
];

describe("the preview", () => {
  it.each(MISTAKES)("warns about %s", async (_name, kind, news, path) => {
    const said = await warningsOf(kind, news);
    expect(said).toHaveLength(1);
    expect(said[0]?.split(": ")[0]).toBe(path);
    expect(said).toMatchSnapshot();
  });

  it.each(MISTAKES)("says nothing about %s that the state has already", async (_name, kind, news) => {
    expect(await warningsOf(kind, news, news)).toEqual([]);
  });

  it("says what a new destination lacks", async () => {
    const lacking = { ...EVENTS, destination: { type: "Snowflake", config: { account: "a" } } };
    const said = await warningsOf("batch_export", lacking);
    expect(said.length).toBeGreaterThan(2);
    expect(await warningsOf("batch_export", { ...lacking, adopt: "0190aa11-0000-4000-8000-00000000000c" })).toEqual([]);
  });

  it.each<[KindName, JsonObject]>([
    ["insight", { ...INSIGHT, query: UNKNOWN }],
    ["insight", trends({ kind: UNKNOWN, serie: [] })],
    ["insight", trends({ kind: "TrendsQuery", series: [UNKNOWN], interval: UNKNOWN })],
    ["batch_export", { ...EVENTS, destination: { type: UNKNOWN, config: { regoin: 1 } } }],
    ["batch_export", { ...EVENTS, destination: { type: "S3", config: UNKNOWN } }],
    ["batch_export", { ...EVENTS, interval: UNKNOWN, model: UNKNOWN }],
    ["batch_export", EVENTS],
  ])("says nothing about what is right or not known yet: %s %j", async (kind, news) => {
    expect(await warningsOf(kind, news)).toEqual([]);
  });
});
