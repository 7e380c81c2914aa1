/** Values that a service gives back in another form: nothing differs after an apply, and a real change is seen. */
import { expect, it } from "vitest";
import type { JsonObject } from "../../src/emulator/json.ts";
import { describeDialects } from "../support/dialects.ts";
import { changeOf, one, planJson, web } from "../support/acme.ts";
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
