import { describe, expect, it } from "vitest";
import { exampleOf } from "./rows.ts";
import { changeOf, declare, live, OPTIONS, plan } from "./world.ts";
import { applyOverrides } from "../../../src/plan/guard/override.ts";

const domains = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: `id-${String(index)}`, domain: `d${String(index)}.com` }));
const absent = { lifecycle: { state: "absent" } } as const;
const exclusive = { exclusive: [{ scope: "acme", kind: "domain" }] } as const;

/** `gone` of `all` live domains declared absent. */
const removing = (gone: number, all: number) =>
  plan(
    domains(gone).map(({ domain }, index) => declare(`acme/domains/d${String(index)}`, { domain }, absent)),
    live({ "domains.list": domains(all) }),
  );

describe("removal", () => {
  it("undeclared objects are left alone and counted as unmanaged", () => {
    const made = plan([declare("acme/domains/d0", { domain: "d0.com" })], live({ "domains.list": domains(3) }));
    expect(made.summary).toMatchObject({ no_op: 1, delete: 0, unmanaged: 2 });
    expect(made.unmanaged.map(({ key }) => key)).toEqual(["d1.com", "d2.com"]);
  });

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

  it("undeclared objects of an exclusive kind are always listed as deletes, blocked without prune", () => {
    const of = (prune: boolean) => plan([], live({ "domains.list": domains(1) }), { prune }, exclusive).changes;
    expect(of(false)).toMatchObject([
      {
        action: "delete",
        id: "id-0",
        blocked: { rule: "prune", remedy: "", command: ["driftline", "apply", "--prune"] },
      },
    ]);
    expect(of(true)).toMatchObject([{ action: "delete", id: "id-0", blocked: null }]);
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

  /** `gone` of `all` live domains pruned: the others are declared. */
  const pruning = (gone: number, all: number) =>
    plan(
      domains(all)
        .slice(gone)
        .map(({ domain }, index) => declare(`acme/domains/d${String(gone + index)}`, { domain })),
      live({ "domains.list": domains(all) }),
      { prune: true },
      exclusive,
    );

  it.each([
    ["pruned", pruning, 5, 9, undefined],
    ["pruned", pruning, 6, 9, "6 of 9 domains; at most 5"],
    ["pruned", pruning, 1, 10, undefined],
    ["pruned", pruning, 2, 10, "2 of 10 domains; at most 1"],
    ["pruned", pruning, 2, 20, undefined],
    ["pruned", pruning, 3, 20, "3 of 20 domains; at most 2"],
    ["pruned", pruning, 8, 17, "8 of 17 domains; at most 1"],
    ["declared absent", removing, 9, 9, undefined],
    ["declared absent", removing, 5, 10, undefined],
    ["declared absent", removing, 6, 10, "6 of 10 domains; at most 5"],
    ["declared absent", removing, 20, 40, undefined],
    ["declared absent", removing, 21, 100, "21 of 100 domains; at most 20"],
  ])("%s: approval for the removal of %i", (_name, make, gone, all, detail) => {
    const made = make(gone, all);
    const removed = made.changes.filter(({ action }) => action === "delete");
    expect(removed).toHaveLength(gone);
    expect(removed.map(({ blocked }) => blocked?.detail)).toEqual(Array.from({ length: gone }, () => detail));
    const needed = detail !== undefined;
    expect(removed.map(({ blocked }) => blocked?.rule)).toEqual(
      Array.from({ length: gone }, () => (needed ? "delete_limit" : undefined)),
    );
    const approved = applyOverrides(made, { approved: true, organizations: [] });
    expect(approved.changes.every(({ blocked }) => blocked === null)).toBe(true);
  });

  it("what is declared absent does not count with what is pruned, until it is too much together", () => {
    const both = (absentCount: number) =>
      plan(
        domains(absentCount).map(({ domain }, index) => declare(`acme/domains/d${String(index)}`, { domain }, absent)),
        live({ "domains.list": domains(absentCount + 4) }),
        { prune: true },
        exclusive,
      ).changes.map(({ blocked }) => blocked?.rule);
    expect(new Set(both(5))).toEqual(new Set([undefined]));
    expect(new Set(both(17))).toEqual(new Set(["delete_limit"]));
  });

  it("an organization is deleted only if its name is typed", () => {
    const made = plan([declare("acme", { name: "Acme Inc" }, absent)], live());
    expect(made.changes[0]).toMatchObject({ action: "delete", blocked: { rule: "confirm_organization" } });
    expect(applyOverrides(made, { approved: true, organizations: ["acme"] }).changes[0]?.blocked).not.toBeNull();
    expect(applyOverrides(made, { approved: false, organizations: ["Acme Inc"] }).changes[0]?.blocked).toBeNull();
  });

  it("children of a blocked organization are blocked too", () => {
    const snapshot = live();
    const scopes = new Map([...snapshot.scopes, ["beta", { status: "absent" as const }]]);
    const made = plan([declare("beta", { name: "Beta" }), declare("beta/domains/d", { domain: "b.com" })], {
      ...snapshot,
      scopes,
    });
    expect(changeOf(made, "beta/domains/d")).toMatchObject({ action: "create", blocked: { rule: "parent" } });
  });
});

describe("people who may not be removed or lowered", () => {
  const person = (name: string, level: number) => exampleOf(name, level);
  const change = (
    rows: readonly object[],
    level: number | undefined,
    self?: string,
    membershipLevel: number | null = 15,
  ) => {
    const values = level === undefined ? {} : { level };
    const lifecycle = level === undefined ? absent : {};
    const root = {
      "organizations.list": [
        { id: "a0000000-0000-4000-8000-000000000001", name: "Acme Inc", membership_level: membershipLevel },
      ],
    };
    const snapshot = live({ "members.list": rows as never, "invites.list": [] }, {}, root);
    return plan([declare("acme/memberships/ada@acme.com", values, lifecycle)], snapshot, OPTIONS, { service: { self } })
      .changes[0]?.blocked?.rule;
  };

  it.each([
    [
      "the last owner is not lowered",
      [
        ["ada", 15],
        ["bob", 8],
      ],
      8,
      "bob@acme.com",
      "last_owner",
    ],
    [
      "the last owner is not removed",
      [
        ["ada", 15],
        ["bob", 8],
      ],
      undefined,
      "bob@acme.com",
      "last_owner",
    ],
    [
      "one of two owners may be lowered",
      [
        ["ada", 15],
        ["bob", 15],
      ],
      8,
      "bob@acme.com",
      undefined,
    ],
    [
      "the key's own user is not lowered",
      [
        ["ada", 15],
        ["bob", 15],
      ],
      8,
      "ada@acme.com",
      "own_user",
    ],
    [
      "a person with the key's level is protected if the key's user is unknown",
      [
        ["ada", 15],
        ["bob", 15],
      ],
      8,
      undefined,
      "own_user",
    ],
    [
      "a person with another level than the key's may be removed",
      [
        ["ada", 8],
        ["bob", 15],
      ],
      undefined,
      undefined,
      undefined,
    ],
    [
      "a person may be raised",
      [
        ["ada", 8],
        ["bob", 15],
      ],
      15,
      undefined,
      undefined,
    ],
  ] as const)("%s", (_name, rows, level, self, rule) => {
    expect(
      change(
        rows.map(([name, has]) => person(name, has)),
        level,
        self,
      ),
    ).toBe(rule);
  });

  it("every person is protected if the service does not return the key's level", () => {
    const rows = [person("ada", 8), person("bob", 15)];
    expect(change(rows, 1, undefined, null)).toBeUndefined();
    const snapshot = live(
      { "members.list": rows, "invites.list": [] },
      {},
      { "organizations.list": [{ id: "a0000000-0000-4000-8000-000000000001", name: "Acme Inc" }] },
    );
    expect(plan([declare("acme/memberships/ada@acme.com", { level: 1 })], snapshot).changes[0]?.blocked?.rule).toBe(
      "own_user",
    );
  });
});
