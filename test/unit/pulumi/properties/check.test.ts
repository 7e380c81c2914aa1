import { describe, expect, it } from "vitest";
import { kinds } from "../../../../src/kinds/registry.ts";
import type { JsonObject } from "../../../../src/model/json/json.ts";
import type { KindName } from "../../../../src/model/kind-name.ts";
import { check, UNKNOWN } from "../../../../src/pulumi/properties/check.ts";

const organizationId = "0190aa11-0000-4000-8000-00000000000a";
const destination = { type: "S3", config: { bucket_name: "b", region: "eu", prefix: "" } };

const refused: readonly (readonly [string, KindName, JsonObject, property: string, ...named: string[]])[] = [
  ["a missing scope", "domain", { domain: "acme.com" }, "organizationId", "organizationId"],
  [
    "an organization id that is not a UUID",
    "domain",
    { organizationId: "acme", domain: "acme.com" },
    "organizationId",
    "UUID",
  ],
  [
    "two scopes",
    "batch_export",
    { organizationId, projectId: 2, name: "E", interval: "hour", destination },
    "projectId",
    "organizationId",
    "projectId",
  ],
  [
    "a setting that its type does not take",
    "batch_export",
    {
      projectId: 2,
      name: "E",
      interval: "hour",
      destination: { type: "AwsS3", config: { ...destination.config, endpoint_url: "https://a.com" } },
    },
    "destination",
    "endpoint_url",
  ],
  ["a missing field", "domain", { organizationId }, "domain"],
  [
    "a field of the wrong type",
    "domain",
    { organizationId, domain: "acme.com", jitProvisioningEnabled: "yes" },
    "jitProvisioningEnabled",
    "boolean",
  ],
  ["an e-mail address without a domain", "membership", { organizationId, email: "ada@", level: 1 }, "email"],
  [
    "an unknown name of a level",
    "membership",
    { organizationId, email: "a@b.co", level: "boss" },
    "level",
    "member (1)",
    "admin (8)",
    "owner (15)",
  ],
  [
    "a name as the interface spells it",
    "domain",
    { organizationId, domain: "acme.com", sso_enforcement: "saml" },
    "sso_enforcement",
    "ssoEnforcement",
  ],
  [
    "a misspelt interval",
    "batch_export",
    { projectId: 2, name: "E", interval: "dayly", destination },
    "interval",
    "hour, day, week or every N minutes",
    "day?",
  ],
  [
    "a misspelt model",
    "batch_export",
    { projectId: 2, name: "E", interval: "hour", model: "event", destination },
    "model",
    "events?",
  ],
  [
    "a number as a model",
    "batch_export",
    { projectId: 2, name: "E", interval: "hour", model: 5, destination },
    "model",
  ],
  ["a domain that is none", "domain", { organizationId, domain: "not a domain" }, "domain", "a domain in lower case"],
  ["an insight without a name", "insight", { projectId: 2, description: "x" }, "name"],
  ["a plugin without url and name", "pipeline_import_app", { organizationId }, "url", "url", "name"],
  ["an e-mail that is not one", "member", { organizationId, email: "bob", level: 1 }, "email"],
  [
    "a missing field deep inside",
    "batch_export",
    { organizationId, name: "E", interval: "hour", destination: { type: "S3" } },
    "destination",
    "config",
  ],
  [
    "a number that JSON cannot hold",
    "insight",
    { projectId: 2, name: "I", filters: { deep: [{ a: Number.NaN }, Number.POSITIVE_INFINITY] } },
    "filters",
    "JSON",
  ],
];

describe("check", () => {
  it.each(refused.map((row) => [row[0], row] as const))("refuses %s", (_name, [, kind, news, property, ...named]) => {
    const { failures } = check(kinds[kind], news);
    const own = failures.filter((failure) => failure.property === property);
    const reasons = own.map(({ reason, path = "" }) => `${path} ${reason}`);
    expect(reasons).not.toEqual([]);
    for (const part of named) expect(reasons.join(" ")).toContain(part);
    expect(failures).toMatchSnapshot();
  });

  it("never quotes the given value, which may be a secret", () => {
    const news = {
      organizationId,
      name: "E",
      interval: "canary",
      destination: { type: "S3", config: { bucket_name: 7, aws_secret_access_key: ["canary"] } },
    };
    const { failures } = check(kinds.batch_export, news);
    expect(failures.length).toBeGreaterThan(0);
    expect(JSON.stringify(failures)).not.toContain("canary");
  });

  it.each([
    ["domain", { organizationId: UNKNOWN, domain: UNKNOWN, jitProvisioningEnabled: UNKNOWN }],
    ["membership", { organizationId: UNKNOWN, email: UNKNOWN, level: UNKNOWN }],
    ["batch_export", { projectId: UNKNOWN, name: UNKNOWN, interval: UNKNOWN, destination: UNKNOWN, paused: UNKNOWN }],
    ["batch_export", { organizationId, name: "E", interval: "hour", destination: { type: UNKNOWN, config: UNKNOWN } }],
    [
      "batch_export",
      {
        organizationId,
        name: "E",
        interval: "hour",
        destination: { type: "S3", config: { bucket_name: UNKNOWN, region: UNKNOWN, prefix: UNKNOWN } },
      },
    ],
    [
      "insight",
      {
        projectId: UNKNOWN,
        name: UNKNOWN,
        tags: [UNKNOWN, UNKNOWN],
        dashboards: [UNKNOWN],
        query: { source: UNKNOWN },
      },
    ],
    ["pipeline_destination", { organizationId: UNKNOWN, url: UNKNOWN, adopt: UNKNOWN }],
  ] as const)("accepts unknown values anywhere in a %s", (kind, news) => {
    expect(check(kinds[kind], news as JsonObject).failures).toEqual([]);
  });

  it("adds defaults and numbers of levels, and nothing else", () => {
    const news = { organizationId, email: "Ada@acme.com", level: "admin", __provider: "text" };
    expect(check(kinds.membership, news).inputs).toEqual({ organizationId, email: "Ada@acme.com", level: 8 });
    const given = { organizationId, name: "E", interval: "hour", destination, adopt: true };
    expect(check(kinds.batch_export, given).inputs).toEqual({ ...given, paused: false });
  });

  it.each([
    ["an object", '{"kind":"TrendsQuery","a":[1,null]}', { kind: "TrendsQuery", a: [1, null] }],
    ["a list", "[1]", undefined],
    ["no JSON", "{kind}", undefined],
  ])("takes the JSON text of %s where an object is expected, or refuses it", (_name, query, object) => {
    const { inputs, failures } = check(kinds.insight, { projectId: 2, name: "I", query });
    expect(failures.map(({ property }) => property)).toEqual(object === undefined ? ["query"] : []);
    expect(inputs["query"]).toEqual(object ?? query);
  });

  it("leaves a JSON text alone in a field that takes texts", () => {
    const text = '{"a":1}';
    expect(check(kinds.insight, { projectId: 2, name: "I", description: text }).inputs["description"]).toBe(text);
  });
});
