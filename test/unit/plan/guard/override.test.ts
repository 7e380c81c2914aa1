import { describe, expect, it } from "vitest";
import { applyOverrides } from "../../../../src/plan/guard/override.ts";
import { ACME, declare, live, plan } from "../world.ts";

const absent = { lifecycle: { state: "absent" } } as const;

describe("an organization", () => {
  it("that has no name is deleted with its id typed", () => {
    const nameless = declare("acme", {}, { ...absent, pin: { field: "id", value: ACME.id } });
    const made = plan([nameless], live({}, {}, { "organizations.list": [{ ...ACME, name: "" }] }));
    expect(made.changes[0]?.blocked).toEqual({
      rule: "confirm_organization",
      lift: `\`driftline apply --confirm-organization ${ACME.id}\``,
    });
    const typed = (organizations: readonly string[]) =>
      applyOverrides(made, { approved: true, organizations }).changes[0]?.blocked ?? null;
    expect(typed([ACME.id])).toBeNull();
    expect(typed([""])).not.toBeNull();
  });
});

describe("lift", () => {
  const domains = Array.from({ length: 6 }, (_, index) => ({ id: `id-${index}`, domain: `d${index}.com` }));
  const removals = domains.map(({ domain, id }) => declare(`acme/domains/${id}`, { domain }, absent));
  const acme = declare("acme", { name: "Acme Inc" }, absent);
  const left = (approved: boolean, organizations: readonly string[]) =>
    applyOverrides(plan([acme, ...removals], live({ "domains.list": domains })), {
      approved,
      organizations,
    }).changes.map(({ blocked }) => blocked?.rule ?? null);

  it("lifts what the approved hash covers, and nothing that a name has to be typed for", () => {
    expect(left(true, [])).toEqual(["confirm_organization", ...domains.map(() => null)]);
  });

  it("lifts the delete of the organization whose name was typed, among others, and no limit", () => {
    expect(left(false, ["Other", "Acme Inc"])).toEqual([null, ...domains.map(() => "delete_limit")]);
    expect(left(false, ["Other"])).toEqual(["confirm_organization", ...domains.map(() => "delete_limit")]);
  });

  it("lifts nothing of what is created or unknown", () => {
    const made = plan([declare("beta", { name: "Beta" }), declare("acme/domains/d", { domain: "d.com" })], live());
    expect(made.changes.map(({ action }) => action)).toEqual(["create", "unknown"]);
    expect(applyOverrides(made, { approved: true, organizations: ["Beta"] })).toEqual(made);
  });

  it("lifts a loss for the addresses that are named, and together with the limit only if the hash is approved", () => {
    const count = 6;
    const exported = Array.from({ length: count }, (_, index) => ({
      id: `e-${index}`,
      name: `E${index}`,
      interval: "hour",
      destination: { type: "HTTP", config: { url: "https://acme.com" } },
    }));
    const declared = exported.map(({ id, name }) =>
      declare(`acme/batch_exports/${id}`, { name, destination: { type: "NoOp", config: {} } }),
    );
    const addresses = declared.map(({ address }) => address);
    const rules = (shown: number, losses: readonly string[], approved = false) =>
      applyOverrides(plan(declared.slice(0, shown), live({ "batch_exports.list": exported.slice(0, shown) })), {
        approved,
        organizations: [],
        losses,
      }).changes.map(({ blocked }) => blocked?.rule ?? null);
    expect(rules(2, addresses.slice(0, 1))).toEqual([null, "replace_loses"]);
    expect(rules(count, addresses)).toEqual(addresses.map(() => "replace_loses"));
    expect(rules(count, addresses, true)).toEqual(addresses.map(() => null));
  });

  it("keeps everything else of the plan", () => {
    const made = plan([acme], live());
    expect(applyOverrides(made, { approved: true, organizations: [] })).toEqual(made);
  });
});
