/** The rows of a complete list show which fields a service takes. What it lacks is neither planned nor sent, and a warning says so. */
import { describe, expect, it } from "vitest";
import type { JsonObject, ValueObject } from "../../../src/model/json/json.ts";
import type { KindName } from "../../../src/model/kind-name.ts";
import { listKey, type LiveWorld } from "../../../src/model/live.ts";
import type { Resource } from "../../../src/model/resource.ts";
import { sentencesOf } from "../../support/sentences.ts";
import { ACME, changeOf, declare, live, plan, seen } from "./world.ts";

const SAML = { saml_entity_id: "https://idp.acme.com/metadata", saml_acs_url: null };
const DOMAIN = { id: "d1", domain: "acme.com", sso_enforcement: "", jit_provisioning_enabled: false };
const EXPORT = { id: "b1", name: "Events", interval: "day", destination: { type: "NoOp", config: {} } };

function planned(collection: string, rows: readonly JsonObject[], values: ValueObject) {
  const address = `acme/${collection}/x`;
  const made = plan([declare(address, values)], seen(live({ [`${collection}.list`]: rows })));
  return {
    change: changeOf(made, address),
    codes: made.diagnostics.map(({ code }) => code),
    diagnostics: made.diagnostics,
  };
}

describe("a field that no row of a complete list has", () => {
  it.each<[string, string, JsonObject, ValueObject, number]>([
    ["domains", "domains", DOMAIN, { domain: "acme.com", ...SAML }, 2],
    ["batch_exports", "batch_exports", EXPORT, { name: "Events", timezone: "Europe/Berlin", offset_hour: 3 }, 2],
    [
      "destinations of batch_exports",
      "batch_exports",
      EXPORT,
      { name: "Events", destination: { type: "NoOp", config: {}, integration: 7 } },
      1,
    ],
  ])("of %s is no difference, and a warning", (_name, collection, row, values, warnings) => {
    const { change, codes, diagnostics } = planned(collection, [row], values);
    expect(change).toMatchObject({ action: "no_op", fields: [] });
    expect(codes).toEqual(Array.from({ length: warnings }, () => "not_on_service"));
    expect(new Set(diagnostics.map(({ severity }) => severity))).toEqual(new Set(["warning"]));
    expect(sentencesOf(diagnostics)).toMatchSnapshot("sentences");
  });

  it("is taken out of its object, whose other fields stay", () => {
    const destination = { type: "NoOp", config: {} };
    const values = { name: "New", destination: { ...destination, integration: 7 } };
    expect(planned("batch_exports", [EXPORT], values).change.work?.body).toEqual({ name: "New", destination });
  });

  it("is not sent along with another change, nor by a create", () => {
    const update = planned("domains", [DOMAIN], { domain: "acme.com", ...SAML, sso_enforcement: "saml" });
    expect(update.change.work?.body).toEqual({ sso_enforcement: "saml" });
    const create = planned("domains", [DOMAIN], { domain: "other.com", ...SAML });
    expect(create.change).toMatchObject({ action: "create", work: { body: { domain: "other.com" } } });
    expect(create.change.work?.resource?.values).toEqual({ domain: "other.com" });
    expect(create.codes).toEqual(["not_on_service", "not_on_service"]);
  });

  it("is compared if one row has it, even with null", () => {
    const { change, codes } = planned("domains", [{ ...DOMAIN, saml_entity_id: null, saml_acs_url: null }], {
      domain: "acme.com",
      ...SAML,
    });
    expect(change.fields.map(({ path }) => path)).toEqual(["/saml_entity_id"]);
    expect(codes).toEqual([]);
  });

  it("is sent if the list is empty, which shows nothing", () => {
    const { change, codes } = planned("domains", [], { domain: "acme.com", ...SAML });
    expect(change.work?.body).toEqual({ domain: "acme.com", ...SAML });
    expect(codes).toEqual([]);
  });

  it("is sent if the list could not be read whole", () => {
    const list = { status: "unknown", reason: "500", isDenied: false, objects: [] } as const;
    const world = live({ "domains.list": [DOMAIN] });
    const unknown = { ...world, lists: new Map([...world.lists, [listKey("acme", "domain"), list]]) };
    expect(plan([declare("acme/domains/x", { domain: "acme.com", ...SAML })], unknown).diagnostics).toEqual([]);
  });

  it("is no warning if the resource is left alone, or declared absent", () => {
    for (const lifecycle of [{ forget: true }, { state: "absent" }] as const) {
      const resource = declare("acme/domains/x", { domain: "acme.com", ...SAML }, { lifecycle });
      expect(plan([resource], seen(live({ "domains.list": [DOMAIN] }))).diagnostics).toEqual([]);
    }
  });
});

describe("a field that a service only shows", () => {
  const declared = declare("acme", { name: "Acme Inc", is_member_join_email_enabled: false });
  const organizations = (more: JsonObject): LiveWorld =>
    seen(live({}, {}, { "organizations.list": [{ ...ACME, is_member_join_email_enabled: true, ...more }] }));

  it("is told by the fields that came with that", () => {
    const today = plan([declared], organizations({ members_can_see_org_members: true }));
    expect(changeOf(today, "acme").action).toBe("no_op");
    expect(today.diagnostics.map(({ code }) => code)).toEqual(["not_on_service"]);
    expect(sentencesOf(today.diagnostics)).toMatchSnapshot("sentences");
    const before = plan([declared], organizations({}));
    expect(changeOf(before, "acme").fields.map(({ path }) => path)).toEqual(["/is_member_join_email_enabled"]);
    expect(before.diagnostics).toEqual([]);
  });
});

describe("a field that a service shows as another one", () => {
  const SERIES = [{ kind: "EventsNode", event: "signed up" }];
  const ROW = { id: 7, name: "S", query: { kind: "InsightVizNode", source: { kind: "TrendsQuery", series: SERIES } } };

  const filtersOf = (values: ValueObject) => {
    const declared = declare("acme/projects/web/insights/s", { name: "S", ...values });
    const made = plan([declared], seen(live({}, { "insights.list": [ROW] })));
    return { change: changeOf(made, declared.address), diagnostics: made.diagnostics };
  };

  it("is compared with that one, and the warning says so", () => {
    const { change, diagnostics } = filtersOf({ filters: { insight: "TRENDS", events: [{ id: "other" }] } });
    expect(change.fields.map(({ path }) => path)).not.toEqual([]);
    expect(diagnostics.map(({ code }) => code)).toContain("not_on_service");
    expect(sentencesOf(diagnostics)).toMatchSnapshot("sentences");
  });

  it.each<[string, ValueObject]>([
    ["that one is declared as well", { filters: { insight: "TRENDS" }, query: ROW.query }],
    ["it is empty", { filters: {} }],
  ])("is left out if %s", (_name, values) => {
    const { change, diagnostics } = filtersOf(values);
    expect(change).toMatchObject({ action: "no_op", fields: [] });
    expect(sentencesOf(diagnostics)).toMatchSnapshot("sentences");
  });
});

describe("a collection that the service no longer has", () => {
  const gone = { status: "unknown", reason: "404", isDenied: false, route: "gone", objects: [] } as const;
  const FRONTEND = { id: 7, name: "Banner", url: "https://example.com/banner", plugin_type: "source" };
  const exclusive = (["pipeline_destination", "pipeline_frontend_app"] as const).map((kind) => ({
    scope: "acme",
    kind,
  }));
  const declared = declare("acme/pipeline_destinations/s3", { name: "S3", plugin_type: "source" });

  function without(route: "gone" | "missing", rows: readonly JsonObject[] = []): LiveWorld {
    const world = live({ "pipeline_frontend_apps.list": rows });
    const key = listKey("acme", "pipeline_destination");
    return { ...world, lists: new Map([...world.lists, [key, { ...gone, route }]]) };
  }

  it("is a warning about each of its resources, and no change", () => {
    const made = plan([declared], without("gone"), {}, { exclusive });
    expect(made.changes).toEqual([]);
    expect(made.diagnostics.map(({ code, severity }) => [code, severity])).toEqual([["not_on_service", "warning"]]);
    expect(sentencesOf(made.diagnostics)).toMatchSnapshot("sentences");
  });

  it.each<[string, Resource, KindName]>([
    [
      "its own hint if something else came in its place",
      declare("acme/batch_exports/e", { name: "E" }),
      "batch_export",
    ],
    ["a hint if nothing did", declare("acme/domains/d", { domain: "d.com" }), "domain"],
  ])("has %s", (_name, resource, kind) => {
    const world = live({});
    const lists = new Map([...world.lists, [listKey("acme", kind), gone]]);
    const made = plan([resource], { ...world, lists });
    expect(sentencesOf(made.diagnostics)).toMatchSnapshot("sentences");
  });

  it("is no warning if its resources are not selected", () => {
    expect(plan([declared], without("gone"), { only: ["acme/domains"] }).diagnostics).toEqual([]);
    expect(plan([declared], without("gone"), { only: [declared.address] }).diagnostics).toHaveLength(1);
  });

  it("prunes nothing, not even in the list of a sibling, where the object may be", () => {
    expect(plan([declared], without("gone", [FRONTEND]), {}, { exclusive }).changes).toEqual([]);
    expect(plan([], without("gone", [FRONTEND]), {}, { exclusive }).changes.map(({ action }) => action)).toEqual([
      "delete",
    ]);
  });

  it("is unknown if the scope may be another one", () => {
    const made = plan([declared], without("missing"), {}, { exclusive });
    expect(made.changes.map(({ action }) => action)).toEqual(["unknown"]);
  });
});
