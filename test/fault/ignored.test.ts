/** Writes that a service takes and ignores: every field of every kind, one at a time. */
import { describe, expect, it } from "vitest";
import type { EmulatedKind } from "../../src/emulator/index.ts";
import { declarableFields } from "../../src/kinds/fields.ts";
import { allKinds } from "../../src/kinds/registry.ts";
import type { JsonObject } from "../../src/emulator/json.ts";
import type { KindName } from "../../src/model/kind-name.ts";
import { changeOf, outcomeOf, planJson } from "../support/acme.ts";
import { planOf } from "../support/cli.ts";
import { SEED, workspace, type Workspace } from "../support/workspace.ts";
import { ACME, applyNow, configOf } from "./support.ts";

interface Row {
  readonly stored: EmulatedKind;
  /** What is there, and what is declared of it besides the field. */
  readonly live: JsonObject;
  readonly inner: (values: object) => object;
  readonly address: string;
  /** Another value of each field that can be changed in place. */
  readonly changes: Readonly<Record<string, unknown>>;
  /** Fields of which a change is another object, or cannot be seen, with the reason. */
  readonly not: Readonly<Record<string, string>>;
  /** Where a change is a new object, the write that is ignored. */
  readonly method?: "POST";
}

const acme = (inner: object): object => configOf({ acme: { id: ACME, ...inner } });
const web = (inner: object): object => acme({ projects: { web: { id: "2", ...inner } } });
const REPLACED = "a change is a new invite";

const plugin = (kind: "pipeline_destination" | "pipeline_frontend_app" | "pipeline_import_app"): Row => ({
  stored: kind,
  live: { name: "Sink", plugin_type: "source" },
  inner: (values) => acme({ [`${kind}s`]: { x: { name: "Sink", ...values } } }),
  address: `acme/${kind}s/x`,
  changes: {
    description: "d",
    icon: "i",
    config_schema: [{ key: "host" }],
    tag: "1",
    is_global: true,
    capabilities: { jobs: ["j"] },
    metrics: { a: "sum" },
    public_jobs: { j: {} },
  },
  not: { name: "natural key", plugin_type: "part of the natural key", url: "immutable" },
});

const ROWS: Readonly<Record<KindName, Row>> = {
  organization: {
    stored: "organization",
    live: {},
    inner: (values) => acme(values),
    address: "acme",
    changes: { name: "Acme Corp", is_member_join_email_enabled: false, enforce_2fa: true },
    not: {},
  },
  domain: {
    stored: "domain",
    live: { domain: "a.com", is_verified: true },
    inner: (values) => acme({ domains: { x: { domain: "a.com", ...values } } }),
    address: "acme/domains/x",
    changes: {
      domain: "b.com",
      jit_provisioning_enabled: true,
      sso_enforcement: "saml",
      saml_entity_id: "urn:a",
      saml_acs_url: "https://a.com",
      saml_x509_cert: "MIIB",
    },
    not: {},
  },
  member: {
    stored: "member",
    live: {},
    inner: (values) => acme({ members: { "bob@acme.com": values } }),
    address: "acme/members/bob@acme.com",
    changes: { level: "admin" },
    not: {},
  },
  membership: {
    stored: "member",
    live: {},
    inner: (values) => acme({ memberships: { "bob@acme.com": values } }),
    address: "acme/memberships/bob@acme.com",
    changes: { level: "admin" },
    not: {},
  },
  invite: {
    stored: "invite",
    live: { target_email: "eve@acme.com", level: 1 },
    inner: (values) => acme({ invites: { x: { target_email: "eve@acme.com", ...values } } }),
    address: "acme/invites/x",
    changes: { first_name: "Eve", level: "admin", message: "Hello" },
    not: { target_email: REPLACED },
    method: "POST",
  },
  batch_export: {
    stored: "batch_export",
    live: { name: "E", interval: "hour", destination: { type: "NoOp", config: {} } },
    inner: (values) =>
      web({
        batch_exports: { x: { name: "E", interval: "hour", destination: { type: "NoOp", config: {} }, ...values } },
      }),
    address: "acme/projects/web/batch_exports/x",
    changes: {
      name: "F",
      model: "persons",
      destination: { type: "NoOp", config: { arg: "x" } },
      interval: "day",
      last_paused_at: "2024-01-02T03:04:05Z",
      start_at: "2024-01-01T00:00:00Z",
      end_at: "2030-01-01T00:00:00Z",
    },
    not: { paused: "moved by operations without a body", hogql_query: "never shown" },
  },
  pipeline_destination: plugin("pipeline_destination"),
  pipeline_frontend_app: plugin("pipeline_frontend_app"),
  pipeline_import_app: plugin("pipeline_import_app"),
  insight: {
    stored: "insight",
    live: { name: "I" },
    inner: (values) => web({ insights: { x: { name: "I", ...values } } }),
    address: "acme/projects/web/insights/x",
    changes: {
      name: "J",
      derived_name: "d",
      filters: { events: [{ id: "a" }] },
      query: { kind: "TrendsQuery", series: [] },
      order: 3,
      dashboards: [7],
      description: "d",
      tags: ["a"],
      favorited: true,
      saved: true,
    },
    not: {},
  },
};

/** The object of a row, found again by its id where the field is its natural key. */
async function seeded({ stored, live }: Row): Promise<{ readonly space: Workspace; readonly pin: object }> {
  const space = await workspace();
  if (Object.keys(live).length === 0) return { space, pin: {} };
  const scope = ["insight", "batch_export"].includes(stored) ? { project: 2 } : { organization: ACME };
  const { id } = space.emulator.insert(stored, scope, live);
  return { space, pin: { id } };
}

const cases = allKinds.flatMap(({ name }) =>
  Object.entries(ROWS[name].changes).map(([field, value]) => [name, field, value] as const),
);

describe("a field that the service ignores", () => {
  it.each(allKinds.map(({ name }) => [name]))("of %s: each has a case or a reason", (name) => {
    const { changes, not } = ROWS[name];
    expect([...Object.keys(changes), ...Object.keys(not)].toSorted()).toEqual([...declarableFields(name)].toSorted());
  });

  it.each(cases)(
    "%s.%s is unverified with its path: 14, and the next plan says why it is there again",
    async (name, field, value) => {
      const row = ROWS[name];
      const { space, pin } = await seeded(row);
      const method = row.method ?? "PATCH";
      const declared = row.inner({ ...(method === "PATCH" && row.stored !== "member" ? pin : {}), [field]: value });
      await space.configure(declared);
      space.emulator.faults.add({ method, fault: { type: "ignore-field", field } });
      const result = await applyNow(space);
      expect(result.code, result.stdout).toBe(14);
      const outcome = outcomeOf(result, row.address);
      expect(outcome).toMatchObject({ status: "unverified", error: { code: "ignored_by_service" } });
      expect(outcome.error?.message).toContain(`/${field}`);
      expect(outcome.error?.hint).toContain("lifecycle.ignore");
      const again = await planJson(space, "--detailed-exitcode");
      expect(again.code).toBe(2);
      const change = changeOf(again, row.address);
      expect(change.fields.every(({ path }) => path.startsWith(`/${field}`))).toBe(true);
      if (change.action === "update") {
        const warning = planOf(again).diagnostics.find(({ code }) => code === "ignored_before");
        expect(warning).toMatchObject({ severity: "warning", address: row.address });
        expect(warning?.message).toContain(`/${field}`);
      } else expect(change.action).toBe("replace");
      // Once it is taken, nothing is remembered.
      space.emulator.faults.clear();
      expect((await applyNow(space)).code).toBe(0);
      expect(planOf(await planJson(space)).diagnostics.map(({ code }) => code)).not.toContain("ignored_before");
      expect((await planJson(space, "--detailed-exitcode")).code).toBe(0);
    },
  );

  it("leaves no remark where lifecycle.ignore leaves it alone", async () => {
    const row = ROWS.insight;
    const { space } = await seeded(row);
    await space.configure(row.inner({ tags: ["a"] }));
    space.emulator.faults.add({ method: "PATCH", fault: { type: "ignore-field", field: "tags" } });
    expect((await applyNow(space)).code).toBe(14);
    await space.configure(row.inner({ tags: ["a"], lifecycle: { ignore: ["tags"] } }));
    const result = await planJson(space, "--detailed-exitcode");
    expect([result.code, planOf(result).diagnostics]).toEqual([0, []]);
  });
});

describe("a service without the feature of its plan", () => {
  it("ignores tags: unverified at once, and never an endless difference without a word", async () => {
    const space = await workspace({ dialect: "deployed", planLimits: true, seed: SEED });
    await space.configure(web({ insights: { x: { name: "I", tags: ["growth"] } } }));
    const result = await applyNow(space);
    expect(result.code).toBe(14);
    expect(outcomeOf(result, "acme/projects/web/insights/x")).toMatchObject({
      action: "create",
      status: "unverified",
      error: { code: "ignored_by_service" },
    });
    const again = await planJson(space);
    expect(changeOf(again, "acme/projects/web/insights/x").fields.map(({ path }) => path)).toEqual(["/tags"]);
    expect(planOf(again).diagnostics).toMatchObject([{ code: "ignored_before" }]);
  });

  it("refuses just-in-time provisioning: failed, with what the service says", async () => {
    const space = await workspace({ dialect: "deployed", planLimits: true, seed: SEED });
    space.emulator.insert("domain", { organization: ACME }, { domain: "a.com", is_verified: true });
    await space.configure(acme({ domains: { x: { domain: "a.com", jit_provisioning_enabled: true } } }));
    const result = await applyNow(space);
    expect(result.code).toBe(1);
    expect(outcomeOf(result, "acme/domains/x")).toMatchObject({
      status: "failed",
      error: { code: "feature_not_available" },
    });
  });
});
