/** What a plan compares of a declaration, and what it writes. */
import { describe, expect, it } from "vitest";
import { Secret } from "../../../src/model/json/json.ts";
import { sentencesOf } from "../../support/sentences.ts";
import { changeOf, declare, live, plan } from "./world.ts";

const S3 = { type: "S3", config: { bucket_name: "b", region: "eu", prefix: "e/" } };
const EXPORT = {
  id: "b0000000-0000-4000-8000-000000000001",
  name: "Events",
  interval: "hour",
  paused: false,
  model: "events",
  destination: S3,
};
const INSIGHT = {
  id: 1,
  short_id: "abcdefgh",
  name: "Signups",
  description: "old",
  tags: ["a", "b"],
  query: null,
  filters: {},
};
const QUERY = { kind: "Trends", series: [{ event: "a", math: "total" }], version: 1 };

function exportPlan(declared: object, liveRow: object, rotate: readonly string[] = []) {
  const made = plan(
    [declare("acme/batch_exports/e", { name: "Events", paused: false, ...declared })],
    live({ "batch_exports.list": [{ ...EXPORT, ...liveRow }] }),
    { rotate },
  );
  return changeOf(made, "acme/batch_exports/e");
}

function insightPlan(declared: object, liveRow: object, lifecycle: object = {}) {
  const resource = declare("acme/projects/web/insights/s", { name: "Signups", ...declared }, { lifecycle });
  return changeOf(plan([resource], live({}, { "insights.list": [{ ...INSIGHT, ...liveRow }] })), resource.address);
}

describe("what is compared, what is written", () => {
  it("only declared fields are compared and written", () => {
    expect(insightPlan({}, { description: "whatever" }).action).toBe("no_op");
    const change = insightPlan({ description: "new" }, { favorited: true });
    expect(change.fields).toEqual([{ path: "/description", prior: "old", planned: "new" }]);
    expect(change.work?.body).toEqual({ description: "new" });
  });

  it("null clears, an empty list empties", () => {
    expect(insightPlan({ description: null }, {}).work?.body).toEqual({ description: null });
    expect(insightPlan({ tags: [] }, {}).work?.body).toEqual({ tags: [] });
    expect(insightPlan({ tags: [] }, { tags: [] }).action).toBe("no_op");
  });

  it("paused of a batch export is compared though it was not declared", () => {
    expect(exportPlan({}, { paused: true }).fields).toEqual([{ path: "/paused", prior: true, planned: false }]);
  });

  it("a model is changed in place only by a service that has no time zones: today's refuses it", () => {
    expect(exportPlan({ model: "persons" }, {}).action).toBe("update");
    expect(exportPlan({ model: "persons" }, { timezone: "UTC" }).action).toBe("replace");
    expect(exportPlan({ model: null }, { timezone: "UTC" }).action).toBe("no_op");
    expect(exportPlan({ model: "persons", interval: "day" }, { offset_day: null }).action).toBe("replace");
  });

  it("a query is compared whole, at every depth", () => {
    expect(insightPlan({ query: { kind: "Trends", series: [{ event: "b" }] } }, { query: QUERY }).fields).toEqual([
      { path: "/query/series/0/event", prior: "a", planned: "b" },
      { path: "/query/series/0/math", prior: "total", planned: null },
    ]);
  });

  it("filters are compared on the keys that were declared, and the others are noted", () => {
    const change = insightPlan(
      { filters: { events: [{ id: "a" }] } },
      { filters: { events: [{ id: "a", math: "dau" }], b: 1 } },
    );
    expect(change).toMatchObject({ action: "no_op", more: ["/filters/events/0/math", "/filters/b"] });
  });

  it("arrays in free-form values have to have the same length", () => {
    expect(insightPlan({ query: { series: [] } }, { query: QUERY }).fields[0]?.path).toBe("/query/series");
  });

  it("unordered arrays are compared as sets", () => {
    expect(insightPlan({ tags: ["b", "a"] }, {}).action).toBe("no_op");
    expect(insightPlan({ tags: ["b", "c"] }, {}).fields[0]?.path).toBe("/tags");
  });

  it("the live value overlaid with the declared one is sent if both are nodes of the same kind", () => {
    const change = insightPlan(
      { filters: { events: [{ id: "a", order: 1 }] } },
      { filters: { events: [{ id: "a", order: 0, math: "dau" }], b: 1 } },
    );
    expect(change.work?.body).toEqual({ filters: { events: [{ id: "a", order: 1, math: "dau" }], b: 1 } });
  });

  it("the declared value is sent if the nodes are of different kinds", () => {
    expect(insightPlan({ query: { series: { event: "b" } } }, { query: QUERY }).work?.body["query"]).toMatchObject({
      series: { event: "b" },
    });
  });

  it("destination is sent whole, with its secrets, and shown without them", () => {
    const secret = new Secret("${secret:KEY}");
    const change = exportPlan(
      { destination: { type: "S3", config: { prefix: "x/", aws_secret_access_key: secret } } },
      {},
    );
    expect(change.work?.body).toEqual({
      destination: { type: "S3", config: { ...S3.config, prefix: "x/", aws_secret_access_key: secret } },
    });
    expect(change.fields).toEqual([{ path: "/destination/config/prefix", prior: "e/", planned: "x/" }]);
  });

  it("a changed destination.type is a replace", () => {
    expect(exportPlan({ destination: { type: "BigQuery", config: {} } }, {}).action).toBe("replace");
  });

  it.each([
    ["absent", undefined],
    ["null", null],
    ["masked", "********"],
  ])("a write-only value that is %s on the service is no difference", (_name, value) => {
    const config = { ...S3.config, ...(value === undefined ? {} : { aws_access_key_id: value }) };
    const declared = { destination: { type: "S3", config: { aws_access_key_id: "AKIA" } } };
    expect(exportPlan(declared, { destination: { type: "S3", config } }).action).toBe("no_op");
  });

  it("a masked value is never written back", () => {
    const config = { ...S3.config, aws_secret_access_key: "********" };
    const change = exportPlan(
      { destination: { type: "S3", config: { prefix: "x/" } } },
      { destination: { type: "S3", config } },
    );
    expect(JSON.stringify(change.work?.body)).not.toContain("***");
  });

  it("rotate sends write-only fields again, and the plan says so", () => {
    const declared = { destination: { type: "S3", config: { aws_secret_access_key: new Secret("${secret:KEY}") } } };
    expect(exportPlan(declared, {}).action).toBe("no_op");
    const change = exportPlan(declared, {}, ["acme/batch_exports/e"]);
    expect(change.action).toBe("update");
    expect(change.reason).toContain("destination.config.aws_secret_access_key");
    expect(change.reason).toMatchSnapshot();
    expect(change.fields).toEqual([
      { path: "/destination/config/aws_secret_access_key", prior: null, planned: { sensitive: true } },
    ]);
  });

  it("rotate of a resource without write-only fields says that nothing is sent again", () => {
    const resource = declare("acme/projects/web/insights/s", { name: "Signups" });
    const made = (rotate: readonly string[]) => plan([resource], live({}, { "insights.list": [INSIGHT] }), { rotate });
    expect(made([]).diagnostics).toEqual([]);
    expect(made([resource.address]).diagnostics).toMatchObject([
      { severity: "warning", code: "nothing_to_rotate", address: resource.address },
    ]);
    expect(sentencesOf(made([resource.address]).diagnostics)).toMatchSnapshot();
  });

  it("rotate reports nothing of an invite that has expired, because another warning says that", () => {
    const bob = declare("acme/invites/bob", { target_email: "bob@acme.com" });
    const rows = [{ id: "i", target_email: "bob@acme.com", level: 1, is_expired: true }];
    const { diagnostics } = plan([bob], live({ "invites.list": rows, "members.list": [] }), { rotate: [bob.address] });
    expect(diagnostics.map(({ code }) => code)).toEqual(["invite_expired"]);
  });

  it("rotate reports nothing if the resource is updated", () => {
    const resource = declare("acme/projects/web/insights/s", { name: "Signups", description: "new" });
    const made = plan([resource], live({}, { "insights.list": [INSIGHT] }), { rotate: [resource.address] });
    expect([changeOf(made, resource.address).action, made.diagnostics]).toEqual(["update", []]);
  });

  it("an ignored field is not compared", () => {
    expect(insightPlan({ description: "new" }, {}, { ignore: ["description"] }).action).toBe("no_op");
  });
});

describe("a value that the service normalizes is no difference, and hides none", () => {
  it.each([
    ["white space around the value", { description: " old " }, {}, { description: "other" }],
    ["letter case of tags", { tags: ["A", "B"] }, {}, { tags: ["a", "c"] }],
    ["null for blank", { description: "" }, { description: null }, { description: "x" }],
    ["another version in a query", { query: { version: 1 } }, { query: { version: 2 } }, undefined],
    ["keys that the service adds to filters", { filters: {} }, { filters: { insight: "TRENDS" } }, undefined],
  ])("%s", (_name, declared, liveRow, otherwise) => {
    expect(insightPlan(declared, liveRow).action).toBe("no_op");
    if (otherwise !== undefined) expect(insightPlan(declared, { ...liveRow, ...otherwise }).action).toBe("update");
  });

  it.each([
    ["numbers as text", { port: 7 }, { port: "7" }, { port: "8" }],
    ["booleans as text", { use_json_type: true }, { use_json_type: "True" }, { use_json_type: "False" }],
  ])("%s in a destination's configuration", (_name, declared, config, otherwise) => {
    const of = (found: object) =>
      exportPlan({ destination: { config: declared } }, { destination: { type: "Postgres", config: found } }).action;
    expect(of(config)).toBe("no_op");
    expect(of(otherwise)).toBe("update");
  });

  it("a date in another zone", () => {
    const declared = { start_at: "2024-01-01T00:00:00+02:00" };
    expect(exportPlan(declared, { start_at: "2023-12-31T22:00:00Z" }).action).toBe("no_op");
    expect(exportPlan(declared, { start_at: "2023-12-31T22:00:01Z" }).action).toBe("update");
  });
});

it("shows no live value that may be a secret of the configuration, wherever its element is now", () => {
  const secret = new Secret("${secret:X}");
  const declared = { kind: "T", series: [{ event: "a", name: secret }] };
  const shown = {
    kind: "T",
    series: [
      { event: "b", name: "live-1" },
      { event: "a", name: "live-2" },
    ],
  };
  expect(JSON.stringify(insightPlan({ query: declared }, { query: shown }).fields)).not.toContain("live-");
  const ignored = insightPlan({ query: declared }, { query: shown }, { ignore: ["/query/series/*/name"] });
  expect(JSON.stringify(ignored.fields)).not.toContain("live-");
});

it("shows no live value of an object that is replaced where a secret is declared", () => {
  const config = { url: new Secret("${secret:X}"), token: "t" };
  const destination = { type: "HTTP", config };
  const change = exportPlan(
    { model: "persons", destination },
    { timezone: "UTC", destination: { type: "HTTP", config: { url: "https://live", token: "t" } } },
  );
  expect(change.action).toBe("replace");
  expect(change.fields.map(({ path }) => path)).toContain("/destination/config/url");
  expect(JSON.stringify(change.fields)).not.toContain("live");
});
