/** Values that a service gives back in another form: nothing differs after an apply, and a real change is seen. */
import { expect, it } from "vitest";
import { describeDialects } from "../support/dialects.ts";
import { planJson } from "../support/acme.ts";
import { SEED, workspace } from "../support/workspace.ts";

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
      memberships: { "ADA@Acme.com": { level: "admin" }, "owner@example.com": { level: "owner" } },
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
});
