import { describe, expect, it } from "vitest";
import type { Blocked } from "../../../../src/model/change.ts";
import { RULE_NAMES, type RuleName, RULES, ruleText } from "../../../../src/model/rules.ts";
import { applyOverrides, liftingOptions, withoutBlock } from "../../../../src/plan/guard/override.ts";
import { ACME, declare, live, plan } from "../world.ts";

const absent = { lifecycle: { state: "absent" } } as const;

describe("an organization", () => {
  it("without a name is deleted if its id is typed", () => {
    const nameless = declare("acme", {}, { ...absent, pin: { field: "id", value: ACME.id } });
    const made = plan([nameless], live({}, {}, { "organizations.list": [{ ...ACME, name: "" }] }));
    expect(made.changes[0]?.blocked).toEqual({
      rule: "confirm_organization",
      lift: "",
      command: ["driftline", "apply", "--confirm-organization", ACME.id],
    });
    const typed = (organizations: readonly string[]) =>
      applyOverrides(made, { approved: true, organizations }).changes[0]?.blocked ?? null;
    expect(typed([ACME.id])).toBeNull();
    expect(typed([""])).not.toBeNull();
  });
});

describe("an override", () => {
  const domains = Array.from({ length: 21 }, (_, index) => ({ id: `id-${index}`, domain: `d${index}.com` }));
  const removals = domains.map(({ domain, id }) => declare(`acme/domains/${id}`, { domain }, absent));
  const acme = declare("acme", { name: "Acme Inc" }, absent);
  const left = (approved: boolean, organizations: readonly string[]) =>
    applyOverrides(plan([acme, ...removals], live({ "domains.list": domains })), {
      approved,
      organizations,
    }).changes.map(({ blocked }) => blocked?.rule ?? null);

  it("lifts the blocks that the approved hash covers, but none that needs a typed name", () => {
    expect(left(true, [])).toEqual(["confirm_organization", ...domains.map(() => null)]);
  });

  it("lifts the block of an organization if its name is one of the typed ones, but not the limit", () => {
    expect(left(false, ["Other", "Acme Inc"])).toEqual([null, ...domains.map(() => "delete_limit")]);
    expect(left(false, ["Other"])).toEqual(["confirm_organization", ...domains.map(() => "delete_limit")]);
  });

  it("lifts no block of creates and unknown changes", () => {
    const made = plan([declare("beta", { name: "Beta" }), declare("acme/domains/d", { domain: "d.com" })], live());
    expect(made.changes.map(({ action }) => action)).toEqual(["create", "unknown"]);
    expect(applyOverrides(made, { approved: true, organizations: ["Beta"] })).toEqual(made);
  });

  it("lifts a loss for the given addresses, but beyond the limit only if the hash is approved too", () => {
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
    // Then the limit holds, and the loss does not.
    expect(rules(count, addresses.slice(1))).toEqual([
      "replace_loses",
      ...addresses.slice(1).map(() => "delete_limit"),
    ]);
    expect(rules(count, addresses, true)).toEqual(addresses.map(() => null));
  });

  it("lifts what would be destroyed, or who would be locked out, for the given addresses only", () => {
    const made = plan([acme], live());
    for (const rule of ["destroys_more", "lock_out"] as const) {
      const changes = made.changes.map((change) => ({ ...change, blocked: { rule, lift: "" } }));
      const rules = (losses?: readonly string[]) =>
        applyOverrides({ ...made, changes }, { approved: true, organizations: ["Acme Inc"], losses }).changes.map(
          ({ blocked }) => blocked?.rule ?? null,
        );
      expect([rules(), rules(["acme/domains/d"]), rules(["acme"])]).toEqual([[rule], [rule], [null]]);
      const [loss] = applyOverrides(
        { ...made, changes },
        { approved: true, organizations: [], losses: ["acme"] },
      ).changes;
      expect(loss?.reason).toBe(`${made.changes[0]?.reason ?? ""}; allowed: ${ruleText({ rule })}`);
    }
  });

  it("has its option by the rule, whatever the command beside the block says", () => {
    const [made] = plan([acme], live()).changes;
    const optionsOf = (rule: RuleName, needsApproval?: Blocked) =>
      made === undefined || made.work === null
        ? undefined
        : liftingOptions(
            {
              ...made,
              blocked: { rule, lift: "", command: ["driftline", "apply", "--prune"] },
              work: { ...made.work, needsApproval },
            },
            "abc",
          ).map((words) => words.join(" "));
    expect(optionsOf("confirm_organization")).toEqual(["--confirm-organization Acme Inc"]);
    expect(optionsOf("protect")).toEqual([]);
    expect(optionsOf("delete_limit")).toEqual(["--approve abc"]);
    expect(optionsOf("lock_out", { rule: "delete_limit", lift: "" })).toEqual(["--allow-loss acme", "--approve abc"]);
  });

  it("lifts nothing that has to be put right or decided first", () => {
    const made = plan([acme], live());
    for (const rule of RULE_NAMES.filter((name) => ["repair", "decision"].includes(RULES[name].needs))) {
      const changes = made.changes.map((change) => ({ ...change, blocked: { rule, lift: "" } }));
      const given = { approved: true, organizations: ["Acme Inc"], losses: ["acme"] };
      expect(applyOverrides({ ...made, changes }, given).changes).toEqual(changes);
      expect(changes.flatMap((change) => liftingOptions(change, "abc"))).toEqual([]);
    }
  });

  it("of a change that nothing blocks leaves its reason as it is", () => {
    expect(withoutBlock({ reason: "x", blocked: null }, null)).toEqual({ reason: "x", blocked: null });
  });

  it("is no part of the reason where nothing is lost", () => {
    const made = plan([acme], live());
    const [named] = applyOverrides(made, { approved: false, organizations: ["Acme Inc"] }).changes;
    expect(named).toMatchObject({ blocked: null, reason: made.changes[0]?.reason });
  });

  it("changes nothing else in the plan", () => {
    const made = plan([acme], live());
    expect(applyOverrides(made, { approved: true, organizations: [] })).toEqual(made);
  });
});
