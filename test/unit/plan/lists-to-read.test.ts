import { declarableFields } from "../../../src/kinds/fields.ts";
import { describe, expect, it } from "vitest";
import type { KindName } from "../../../src/model/kind-name.ts";
import type { Lifecycle, Resource } from "../../../src/model/resource.ts";
import { listKey, type LiveScope, type LookupKeys } from "../../../src/model/live.ts";
import { listReads } from "../../../src/kinds/world.ts";
import { lookupKeysOf, declaredReads } from "../../../src/plan/lists-to-read.ts";
import { declare, graphOf } from "./world.ts";

const WEB = "acme/projects/web";
const insight = (values: Resource["values"], lifecycle: Lifecycle = {}, more: Partial<Resource> = {}): Resource =>
  declare(`${WEB}/insights/s`, values, { lifecycle, ...more });

/** The lookup keys of a list, as plain data. */
function plain(lookupKeys: LookupKeys | undefined) {
  if (lookupKeys === undefined) return undefined;
  const pins = [...lookupKeys.pins].map(([field, values]) => [field, [...values]]);
  return { keys: [...lookupKeys.keys], pins: Object.fromEntries(pins) as object, fields: [...lookupKeys.fields] };
}

const insights = (...resources: readonly Resource[]) =>
  plain(lookupKeysOf(graphOf(resources)).get(listKey(WEB, "insight")));

describe("the lookup keys of a list", () => {
  it("include the current and former natural keys of resources", () => {
    const made = insights(insight({ name: "A" }), insight({ name: "B" }, { renamed_from: "Old" }));
    expect(made).toEqual({ keys: ["A", "B", "Old"], pins: {}, fields: [] });
  });

  it("include pins, by field and in lower case", () => {
    const pinned = (field: string, value: string) => insight({}, {}, { pin: { field, value } });
    expect(insights(pinned("id", "7"), pinned("short_id", "AbC"), pinned("id", "8"))).toEqual({
      keys: [],
      pins: { id: ["7", "8"], short_id: ["abc"] },
      fields: [],
    });
  });

  it("include the pins of other scopes, because an object may have been moved in the files alone", () => {
    const there = declare("acme/projects/x/insights/s", {}, { pin: { field: "id", value: "9" } });
    const pinned = insight({}, {}, { pin: { field: "id", value: "7" } });
    const domain = declare("acme/domains/d", {}, { pin: { field: "id", value: "x" } });
    expect(insights(pinned, there, domain)?.pins).toEqual({ id: ["7", "9"] });
  });

  it("apply to sibling kinds too, but without the fields for rename detection", () => {
    const plugin = declare("acme/pipeline_destinations/p", { name: "P", config_schema: { a: 1 } });
    const lists = lookupKeysOf(graphOf([plugin]));
    expect([...lists].map(([key, lookupKeys]) => [key, plain(lookupKeys)?.fields])).toEqual([
      ["acme pipeline_destination", expect.arrayContaining(["config_schema", "tag"])],
      ["acme pipeline_frontend_app", []],
      ["acme pipeline_import_app", []],
    ]);
    for (const lookupKeys of lists.values()) expect(plain(lookupKeys)?.keys).toEqual(["P"]);
  });

  it("are separate for each scope", () => {
    const lists = lookupKeysOf(graphOf([insight({ name: "A" }), declare("beta/projects/x/insights/s", { name: "B" })]));
    expect([...lists].map(([key, lookupKeys]) => [key, plain(lookupKeys)?.keys])).toEqual([
      [listKey(WEB, "insight"), ["A"]],
      [listKey("beta/projects/x", "insight"), ["B"]],
    ]);
  });
});

describe("the fields of other objects that rename detection needs", () => {
  const declared = { name: "A", query: { kind: "Trends" }, description: "d" };

  it("are all declarable fields except the natural key", () => {
    expect(insights(insight(declared))?.fields).toEqual(
      declarableFields("insight").filter((field) => field !== "name"),
    );
  });

  it.each<[string, Resource]>([
    ["is pinned", insight(declared, {}, { pin: { field: "id", value: "7" } })],
    ["is declared absent", insight(declared, { state: "absent" })],
    ["is forgotten", insight(declared, { forget: true })],
    ["has lifecycle.create", insight(declared, { create: true })],
    ["declares no free-form value", insight({ name: "A", description: "d" })],
  ])("are none if the resource %s", (_name, resource) => {
    expect(insights(resource)?.fields).toEqual([]);
  });
});

describe("the pins that a read looks for", () => {
  const APP = "acme/projects/app";
  const pinned = (address: string, pin?: string): Resource =>
    declare(address, {}, pin === undefined ? {} : { pin: { field: "id", value: pin } });
  const resources = [
    pinned(`${WEB}/insights/a`, "7"),
    pinned(`${WEB}/insights/b`, "8"),
    pinned(`${WEB}/insights/c`),
    pinned(`${WEB}/batch_exports/e`, "9"),
    pinned(`${APP}/insights/d`, "10"),
  ];
  const pinsOf = (scope: string, kind: KindName, only: readonly string[] = []) =>
    declaredReads(graphOf(resources), only)
      .find((read) => read.scope === scope && read.kind === kind)
      ?.pins?.map(({ value }) => value);

  it("are those of its own list, if that may leave out objects that a user may not see", () => {
    expect(pinsOf(WEB, "insight")).toEqual(["7", "8"]);
    expect(pinsOf(APP, "insight")).toEqual(["10"]);
    expect(pinsOf(WEB, "batch_export")).toBeUndefined();
  });

  it("are only those of the selected resources", () => {
    expect(pinsOf(WEB, "insight", [`${WEB}/insights/b`, `${WEB}/insights/c`])).toEqual(["8"]);
  });
});

describe("the lists that a plan reads", () => {
  const ID = "a0000000-0000-4000-8000-00000000000d";
  const okta = (domain: string) =>
    declare("acme/identity_provider_configs/okta", { name: "Okta", organization_domain_ids: [domain] });
  const corp = declare("acme/domains/corp", { domain: "a.com" });
  const kinds = (resources: readonly Resource[], only: readonly string[] = [], exclusive: readonly KindName[] = []) =>
    declaredReads(graphOf(resources, { exclusive: exclusive.map((kind) => ({ scope: "acme", kind })) }), only).map(
      ({ kind }) => kind,
    );

  it("are those of what is declared, and of what it names", () => {
    expect(kinds([okta("a.com")])).toEqual(["identity_provider_config", "domain"]);
    expect(kinds([okta(ID)])).toEqual(["identity_provider_config"]);
    expect(kinds([okta(ID), corp], [okta(ID).address])).toEqual(["identity_provider_config", "domain"]);
  });

  it("are those of exclusive collections, with what their objects may name if that is declared", () => {
    expect(kinds([], [], ["identity_provider_config"])).toEqual(["identity_provider_config"]);
    expect(kinds([corp], ["acme/identity_provider_configs"], ["identity_provider_config"])).toEqual([
      "identity_provider_config",
      "domain",
    ]);
  });

  it("are whole where --only names an undeclared object", () => {
    const [read] = declaredReads(graphOf([corp]), ["acme/domains/id=d-9"]);
    expect(read).toMatchObject({ kind: "domain", lookupKeys: undefined });
    expect(declaredReads(graphOf([corp]), [corp.address])[0]?.lookupKeys).toBeDefined();
    expect(declaredReads(graphOf([corp]), ["acme/members/id=d-9"])).toEqual([]);
  });
});

describe("lists whose objects are all kept", () => {
  const scopes = new Map<string, LiveScope>([["acme", { status: "known", path: {} }]]);
  const domain = declare("acme/domains/d", { domain: "d.com" });
  const reads = (resources: readonly Resource[], exclusive: Parameters<typeof graphOf>[1] = {}) =>
    listReads({ scopes }, declaredReads(graphOf(resources, exclusive), [])).map(({ kind, lookupKeys }) => [
      kind,
      lookupKeys !== undefined,
    ]);

  it("are those of people, for the guard rules, and those of kinds that may be pruned", () => {
    expect(reads([domain])).toEqual([["domain", true]]);
    expect(reads([domain], { exclusive: [{ scope: "acme", kind: "domain" }] })).toEqual([["domain", false]]);
    expect(reads([domain], { exclusive: [{ scope: "acme", kind: "invite" }] })).toEqual([
      ["domain", true],
      ["invite", false],
    ]);
    expect(reads([declare("acme/members/ada@acme.com", { level: 8 })])).toEqual([["member", false]]);
  });
});
