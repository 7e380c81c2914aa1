/** What removes an object, and what keeps it. */
import { describe, expect, it } from "vitest";
import type { ValueObject } from "../../../../src/model/json/json.ts";
import type { Resource } from "../../../../src/model/resource.ts";
import { dataOf, sentencesOf } from "../../../support/sentences.ts";
import { domains } from "../rows.ts";
import { changeOf, declare, live, plan } from "../world.ts";
import { applyOverrides } from "../../../../src/plan/guard/override.ts";

const absent = { lifecycle: { state: "absent" } } as const;
const exclusive = { exclusive: [{ scope: "acme", kind: "domain" }] } as const;

describe("removal", () => {
  it("a resource declared absent is deleted, or is a no_op if its object is absent already", () => {
    const made = plan(
      [
        declare("acme/domains/a", { domain: "d0.com" }, absent),
        declare("acme/domains/b", { domain: "gone.com" }, absent),
      ],
      live({ "domains.list": domains(1) }),
    );
    expect(made.changes.map(({ action }) => action)).toEqual(["delete", "no_op"]);
  });

  it("a removal by a pin names the object that goes, and warns if the declared name is another", () => {
    const [first] = domains(1);
    const pin = { field: "id", value: String(first?.["id"]) };
    const removed = (domain: string, more: Partial<Resource>) =>
      plan([declare("acme/domains/a", { domain }, { ...absent, ...more })], live({ "domains.list": domains(1) }));
    const other = removed("old.com", { pin, position: { file: "a.yaml", line: 3, column: 5 } });
    expect(other.changes[0]).toMatchObject({
      action: "delete",
      id: pin.value,
      name: "d0.com",
      work: { key: "d0.com" },
    });
    expect(dataOf(other.diagnostics)).toEqual([
      {
        severity: "warning",
        code: "removes_other_name",
        address: "acme/domains/a",
        file: "a.yaml",
        line: 3,
        column: 5,
      },
    ]);
    expect(sentencesOf(other.diagnostics)).toMatchSnapshot("sentences");
    expect(removed("d0.com", { pin }).diagnostics).toEqual([]);
    expect(removed("d0.com", {}).diagnostics).toEqual([]);
  });

  it("a removal by a pin alone needs no name, and an object without one is not given the declared one", () => {
    const insight = { id: 1, short_id: "abc", name: null, query: { kind: "TrendsQuery" } };
    const removed = (values: ValueObject) => {
      const gone = declare("acme/projects/web/insights/s", values, { ...absent, pin: { field: "id", value: "1" } });
      return plan([gone], live({}, { "insights.list": [insight] }));
    };
    expect(removed({}).diagnostics).toEqual([]);
    const made = removed({ name: "Old" });
    expect(made.changes[0]?.name).toBeUndefined();
    expect(made.diagnostics).toMatchObject([{ code: "removes_other_name" }]);
    expect(sentencesOf(made.diagnostics)).toMatchSnapshot();
  });

  it("a removal by a pin is that of its name if the object has one of several", () => {
    const values = { url: "https://a.b/c", name: "P", plugin_type: "source" };
    const pin = { field: "id", value: "1" };
    const { diagnostics } = plan(
      [declare("acme/pipeline_destinations/p", values, { ...absent, pin })],
      live({ "pipeline_destinations.list": [{ ...values, id: 1, url: null }] }),
    );
    expect(diagnostics).toEqual([]);
  });

  it("lifecycle.forget leaves an object alone and exempts it from pruning", () => {
    const made = plan(
      [declare("acme/domains/d0", { domain: "d0.com", sso_enforcement: "saml" }, { lifecycle: { forget: true } })],
      live({ "domains.list": domains(1) }),
      { prune: true },
      exclusive,
    );
    expect(made.changes.map(({ action }) => action)).toEqual(["no_op"]);
    expect(made.summary.unmanaged).toBe(0);
  });

  it("protect always blocks a delete and a replace", () => {
    const gone = plan(
      [declare("acme/domains/d0", { domain: "d0.com" }, { lifecycle: { state: "absent", protect: true } })],
      live({ "domains.list": domains(1) }),
    );
    expect(gone.changes[0]).toMatchObject({ action: "delete", blocked: { rule: "protect" } });
    expect(applyOverrides(gone, { approved: true, organizations: ["d0.com"] }).changes[0]?.blocked).toMatchObject({
      rule: "protect",
    });
    const invite = { id: "i", target_email: "bob@acme.com", level: 1, is_expired: false };
    const replaced = plan(
      [declare("acme/invites/bob", { target_email: "bob@acme.com", level: 8 }, { lifecycle: { protect: true } })],
      live({ "invites.list": [invite] }),
    );
    expect(replaced.changes[0]).toMatchObject({ action: "replace", blocked: { rule: "protect" } });
  });

  it("an organization is deleted only if its name is typed", () => {
    const made = plan([declare("acme", { name: "Acme Inc" }, absent)], live());
    expect(made.changes[0]).toMatchObject({ action: "delete", blocked: { rule: "confirm_organization" } });
    expect(applyOverrides(made, { approved: true, organizations: ["acme"] }).changes[0]?.blocked).not.toBeNull();
    expect(applyOverrides(made, { approved: false, organizations: ["Acme Inc"] }).changes[0]?.blocked).toBeNull();
  });

  it("children of a blocked organization are blocked too", () => {
    const world = live();
    const scopes = new Map([...world.scopes, ["beta", { status: "absent" as const }]]);
    const made = plan([declare("beta", { name: "Beta" }), declare("beta/domains/d", { domain: "b.com" })], {
      ...world,
      scopes,
    });
    expect(changeOf(made, "beta/domains/d")).toMatchObject({ action: "create", blocked: { rule: "parent" } });
  });
});
