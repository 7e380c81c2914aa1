/** Values that a service gives back in another form: nothing differs after an apply, and a real change is seen. */
import { expect, it } from "vitest";
import type { JsonObject } from "../../src/emulator/json.ts";
import { describeDialects } from "../support/dialects.ts";
import { changeOf, one, planJson, web } from "../support/acme.ts";
import { SEED, workspace, type Workspace } from "../support/workspace.ts";

const EXPORT = {
  name: "  Events ",
  interval: "hour",
  start_at: "2024-01-01T02:00:00+02:00",
  end_at: "2030-12-31T23:59:59.500000Z",
  destination: {
    type: "Postgres",
    config: {
      user: "u",
      password: "p",
      database: "d",
      host: "h",
      port: 5432,
      has_self_signed_cert: true,
      nested: { list: [1, false, 0.5] },
    },
  },
};
const INSIGHT = {
  name: " Signups ",
  description: "",
  tags: ["Growth", " WEB ", "growth"],
  query: {
    kind: "InsightVizNode",
    version: 1,
    source: { kind: "TrendsQuery", version: 1, series: [{ kind: "EventsNode", event: "signed up", version: 1 }] },
  },
};

const [SEEDED] = SEED.organizations;
const odd = (): object => ({
  driftline: 1,
  organizations: {
    acme: {
      id: SEEDED?.id,
      name: "Acme Inc",
      domains: { d: { domain: "a.com", saml_entity_id: "" } },
      invites: { i: { target_email: "New@Acme.com", level: "member", first_name: "" } },
      memberships: { "ADA@Acme.com": { level: "admin" } },
      projects: { web: { id: "2", batch_exports: { e: EXPORT }, insights: { i: INSIGHT } } },
    },
  },
});

describeDialects("what a service does to values", () => {
  it("is no difference after an apply, and none on the day after", async () => {
    const space = await workspace();
    await space.configure(odd());
    await space.apply();
    for (let look = 0; look < 2; look += 1) {
      const result = await planJson(space, "--detailed-exitcode");
      expect(result.code, result.stdout).toBe(0);
    }
  });

  it.each<[string, JsonObject, string]>([
    ["a setting in the destination", { destination: changed({ port: "5433" }) }, "/destination/config/port"],
    [
      "a switch in the destination",
      { destination: changed({ has_self_signed_cert: "False" }) },
      "/destination/config/has_self_signed_cert",
    ],
    ["a time", { start_at: "2024-01-01T00:00:01Z" }, "/start_at"],
    ["a name", { name: "events" }, "/name"],
  ])("does not hide a change of %s", async (_name, patch, path) => {
    const space = await workspace();
    await space.configure({ ...web({ batch_exports: { e: { ...EXPORT, id: undefined } } }) });
    await space.apply();
    const { id } = one(space.emulator.find("batch_export"));
    await space.configure(web({ batch_exports: { e: { ...EXPORT, id } } }));
    space.emulator.edit("batch_export", String(id), patch);
    expect(
      changeOf(await planJson(space), "acme/projects/web/batch_exports/e").fields.map((field) => field.path),
    ).toEqual([path]);
  });
});

function changed(config: JsonObject): JsonObject {
  return { type: "Postgres", config: { ...EXPORT.destination.config, ...config } };
}

const FILTERS = {
  insight: "TRENDS",
  events: [
    { id: "signed up", name: "signed up", type: "events", order: 0, math: "total" },
    { id: "left", type: "events", order: 2 },
  ],
  actions: [{ id: 7, type: "actions", order: 1 }],
  date_from: "-7d",
  interval: "day",
  display: "ActionsLineGraph",
  breakdown: "plan",
  breakdown_type: "event",
  filter_test_accounts: true,
  properties: [{ key: "plan", value: ["pro"], operator: "exact", type: "event" }],
};

/** The stored filters as somebody else changes them. */
const EDITS: Readonly<Record<string, readonly [JsonObject, string]>> = {
  "another event": [{ events: [{ ...FILTERS.events[0], id: "x" }, { ...FILTERS.events[1] }] }, "/filters/events/0/id"],
  "another kind of math": [
    { events: [{ ...FILTERS.events[0], math: "dau" }, { ...FILTERS.events[1] }] },
    "/filters/events/0/math",
  ],
  "one event less": [{ events: [{ ...FILTERS.events[0] }] }, "/filters/events"],
  "another action": [{ actions: [{ id: 8, type: "actions", order: 1 }] }, "/filters/actions/0/id"],
  "another kind of insight": [{ insight: "STICKINESS" }, "/filters/insight"],
  "another date": [{ date_from: "-30d" }, "/filters/date_from"],
  "another interval": [{ interval: "week" }, "/filters/interval"],
  "another display": [{ display: "ActionsPie" }, "/filters/display"],
  "another breakdown": [{ breakdown: "country" }, "/filters/breakdown"],
  "test accounts": [{ filter_test_accounts: false }, "/filters/filter_test_accounts"],
  "another property": [
    { properties: [{ key: "plan", value: ["free"], operator: "exact", type: "event" }] },
    "/filters/properties",
  ],
};

describeDialects("filters that a service shows as a query of its own", () => {
  const ADDRESS = "acme/projects/web/insights/i";
  const declare = async (filters: object, more: object = {}): Promise<Workspace> => {
    const space = await workspace({ dialect: "deployed", replaceFilters: true });
    await space.configure(web({ insights: { i: { name: "I", filters, ...more } } }));
    return space;
  };

  it("are no difference, in every way in which they can be declared", async () => {
    for (const more of [{}, { query: null }]) {
      const space = await declare(FILTERS, more);
      await space.apply();
      const [shown] = await rows(space);
      expect(shown).toMatchObject({ filters: {}, query: { kind: "InsightVizNode" } });
      const result = await planJson(space, "--detailed-exitcode");
      expect(result.code, result.stdout).toBe(0);
    }
  });

  it.each(Object.entries(EDITS))("still show %s, which the next apply puts right", async (_name, [patch, path]) => {
    const space = await declare(FILTERS);
    await space.apply();
    const { id } = one(space.emulator.find("insight"));
    space.emulator.edit("insight", Number(id), { filters: { ...FILTERS, ...patch } });
    const paths = changeOf(await planJson(space), ADDRESS).fields.map((field) => field.path);
    expect(paths[0]).toBe(path);
    await space.apply();
    expect(one(space.emulator.find("insight"))["filters"]).toEqual(FILTERS);
    expect((await planJson(space, "--detailed-exitcode")).code).toBe(0);
  });

  it("that cannot be found in that query are unverified once, and never a difference", async () => {
    const space = await declare({ ...FILTERS, hidden_legend_keys: ["x"] });
    const outcomes = await space.apply([], 14);
    const outcome = outcomes.changes.find(({ address }) => address === ADDRESS);
    expect(outcome).toMatchObject({ status: "unverified", error: { code: "not_comparable" } });
    expect(outcome?.error?.message).toContain("/filters/hidden_legend_keys");
    const result = await planJson(space, "--detailed-exitcode");
    expect(result.code).toBe(0);
    expect(changeOf(result, ADDRESS).reason).toContain("/filters/hidden_legend_keys");
    expect(changeOf(result, ADDRESS).reason).toMatchSnapshot();
    // What is written then is something else, and that can be verified.
    await space.configure(
      web({ insights: { i: { name: "I", description: "d", filters: { ...FILTERS, hidden_legend_keys: ["x"] } } } }),
    );
    await space.apply();
  });

  it("are seen to be gone where both are empty", async () => {
    const space = await declare(FILTERS);
    await space.apply();
    space.emulator.edit("insight", Number(one(space.emulator.find("insight"))["id"]), { filters: {} });
    expect(changeOf(await planJson(space), ADDRESS).action).toBe("update");
  });
});

async function rows({ emulator }: Workspace): Promise<readonly JsonObject[]> {
  const response = await fetch(`${emulator.url}/api/projects/2/insights/`, {
    headers: { authorization: `Bearer ${emulator.key}` },
  });
  return ((await response.json()) as { readonly results: readonly JsonObject[] }).results;
}
