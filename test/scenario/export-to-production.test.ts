/** What an export without ids of one service makes on another one: staging and production from the same files. */
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { EmulatedKind, Seed } from "../../src/emulator/index.ts";
import { valueAt, type ValueObject } from "../../src/model/json/json.ts";
import { ACME, changed, VERIFIED, writes } from "../support/today.ts";
import { workspace, type Workspace } from "../support/workspace.ts";

/** The numbers of the same things on one of the services. */
interface Numbers {
  readonly web: number;
  readonly shop: number;
  readonly cohort: number;
  readonly dashboard: number;
  readonly integration: number;
}

const STAGING: Numbers = { web: 2, shop: 3, cohort: 5, dashboard: 7, integration: 11 };
const PRODUCTION: Numbers = { web: 22, shop: 23, cohort: 55, dashboard: 77, integration: 111 };

/** A service with the projects, and what of them driftline does not manage. */
const serviceOf = ({ web, shop, dashboard, integration }: Numbers, more: object = {}, inWeb: object = {}): Seed => ({
  organizations: [
    {
      id: ACME,
      name: "Acme Inc",
      members: [{ email: "ada@acme.com", level: 15 }],
      projects: [
        {
          id: web,
          name: "Web",
          dashboards: [dashboard],
          integrations: [{ id: integration, kind: "aws-s3" }],
          ...inWeb,
        },
        { id: shop, name: "Shop" },
      ],
      ...more,
    },
  ],
});

const CORP = "0190aa11-2b3c-4d5e-8f60-718293a4b5c6";

const sqlOf = (first: number, second: number): string =>
  `select '\${x}' from events where person_id in cohort ${first} or person_id not in cohort ${second} or x in cohort ${first}`;

const filledStaging = serviceOf(
  STAGING,
  {
    domains: [{ id: CORP, domain: "acme.com", ...VERIFIED }],
    identity_provider_configs: [{ name: "Okta", config_scope: "saml", organization_domain_ids: [CORP] }],
    invites: [{ target_email: "eve@acme.com", level: 1, private_project_access: [{ id: 3, level: "member" }] }],
  },
  {
    insights: [
      {
        name: "Signups",
        saved: true,
        dashboards: [7],
        query: {
          kind: "TrendsQuery",
          series: [{ kind: "EventsNode", event: "signed_up" }],
          properties: [{ type: "cohort", key: "id", value: 5 }],
        },
      },
      { name: "People", saved: true, query: { kind: "HogQLQuery", query: sqlOf(5, 55) } },
    ],
    batch_exports: [
      {
        name: "Archive",
        interval: "hour",
        destination: { type: "S3", integration: 11, config: { bucket_name: "b", region: "eu-west-1", prefix: "p" } },
      },
    ],
  },
);

/** What the objects of a service refer to. */
function idsOf({ emulator }: Workspace): unknown {
  const valuesAt = (table: EmulatedKind, ...keys: readonly string[]): readonly unknown[] =>
    // The insights are created side by side, so their order says nothing.
    (emulator.find(table) as readonly ValueObject[])
      .toSorted((a, b) => String(a["name"]).localeCompare(String(b["name"])))
      .map((row) => valueAt(row, keys));
  return {
    cohorts: [
      ...valuesAt("insight", "query", "source", "properties", "0", "value"),
      ...valuesAt("insight", "query", "source", "query"),
    ].filter((one) => one !== undefined),
    dashboards: valuesAt("insight", "dashboards"),
    integrations: valuesAt("batch_export", "destination", "integration"),
    access: valuesAt("invite", "private_project_access"),
    domains: valuesAt("identity_provider_config", "organization_domain_ids"),
  };
}

it("takes names over, and with variables in the places of ids, applied twice, nothing differs", async () => {
  const [staging, production] = [
    await workspace({ dialect: "current", seed: filledStaging }),
    await workspace({
      dialect: "current",
      seed: serviceOf(PRODUCTION, { domains: [{ domain: "acme.com", ...VERIFIED }] }),
    }),
  ];
  const { stderr } = await staging.run(["export", "--no-ids", "--ids-as-variables", "--out", "live"]);
  expect(stderr).toMatch(
    /^Variables .*:\n {2}cohort_5\n.*\n.*\n {2}cohort_55\n.*\n {2}dashboard_7\n.*\n {2}integration_11\n/mu,
  );
  await cp(join(staging.folder, "live"), join(production.folder, "live"), { recursive: true });
  const args = ["live", "--vars", "ids.yaml"];
  expect(await production.run(["plan", "live"])).toMatchObject({
    code: 10,
    stderr: expect.stringContaining("cohort_5"),
  });
  await production.configure({ cohort_5: 55, cohort_55: 555, dashboard_7: 77, integration_11: 111 }, "ids.yaml");
  await production.apply(args);
  expect(idsOf(production)).toEqual({
    cohorts: [55, sqlOf(55, 555)],
    dashboards: [[], [77]],
    integrations: [111],
    access: [[{ id: 23, level: "member" }]],
    domains: [production.emulator.find("domain").map(({ id }) => id)],
  });
  expect(changed(await production.plan(...args))).toEqual([]);
  const sent = writes(production).length;
  await production.apply(args);
  expect(writes(production)).toHaveLength(sent);
});

it("lists without variables what cannot go over, once, each with its place", async () => {
  const staging = await workspace({ dialect: "current", seed: filledStaging });
  const { stderr } = await staging.run(["export", "--no-ids", "--out", "live"]);
  expect(stderr.slice(stderr.indexOf("Another"), stderr.indexOf("Next"))).toMatchInlineSnapshot(`
    "Another project has other ids, or none, for these:
      cohort 5
        acme-inc/projects/web/insights/people /query/query
        acme-inc/projects/web/insights/signups /query/properties/0/value
      cohort 55
        acme-inc/projects/web/insights/people /query/query
      dashboard 7
        acme-inc/projects/web/insights/signups /dashboards/0
      integration 11
        acme-inc/projects/web/batch_exports/archive /destination/integration
    "
  `);
});

it("takes --ids-as-variables only without ids", async () => {
  const staging = await workspace({ dialect: "current" });
  expect(await staging.run(["export", "--ids-as-variables"])).toMatchObject({ code: 10, stdout: "" });
});
