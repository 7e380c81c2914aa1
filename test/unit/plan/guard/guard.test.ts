import { liftOf } from "../../../support/lift.ts";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../src/model/json/json.ts";
import type { LiveWorld } from "../../../../src/model/live.ts";
import type { DesiredGraph, Lifecycle, Resource } from "../../../../src/model/resource.ts";
import type { Check } from "../../../../src/kinds/check.ts";
import { readKey } from "../../../../src/kinds/world.ts";
import { RULE_NAMES } from "../../../../src/model/rules.ts";
import { kinds } from "../../../../src/kinds/registry.ts";
import { lastOwner, fewOwners } from "../../../../src/kinds/people/owners.ts";
import { resentInvite } from "../../../../src/kinds/people/resend.ts";
import { createChange } from "../../../../src/plan/make-change.ts";
import { CHECKS, checkChanges, wholePlanChecks } from "../../../../src/plan/guard/guard.ts";
import { changeOf, CHECKED, declare, live, plan } from "../world.ts";

const WEB = "acme/projects/web/insights";
const absent = { lifecycle: { state: "absent" } } as const;
const TRENDS = { query: { kind: "Trends" } };
const OLD = { id: 1, short_id: "abcdefgh", name: "Old", ...TRENDS };

const insights = (...rows: readonly JsonObject[]): LiveWorld => live({}, { "insights.list": rows });

const insight = (name: string, lifecycle: Lifecycle = {}): Resource =>
  declare(`${WEB}/${name}`, { name, ...TRENDS }, { lifecycle });

/** The rule that blocks each change, by address. */
function blocks(resources: readonly Resource[], world: LiveWorld, prune = false, graph: Partial<DesiredGraph> = {}) {
  const { changes } = plan(resources, world, { prune }, graph);
  return Object.fromEntries(changes.map(({ address, blocked }) => [address, blocked?.rule ?? null]));
}

/** The world without the organization `beta`. */
function withoutBeta(world: LiveWorld = live()): LiveWorld {
  const missing = { status: "absent" } as const;
  return { ...world, scopes: new Map([...world.scopes, ["beta", missing], ["beta/projects/web", missing]]) };
}

it.each(["drift", "acceptance"] as const)(
  "a %s is refused what a plan is, because an apply of it meets the same",
  (purpose) => {
    const rules = (of: Parameters<typeof wholePlanChecks>[0]) => wholePlanChecks(of).flatMap(({ rule }) => rule ?? []);
    expect(rules(purpose)).toEqual(rules("plan"));
  },
);

it("each rule is checked in a whole plan, but for those of objects that are not found", () => {
  const rules = new Set([...CHECKS, ...wholePlanChecks("plan")].flatMap(({ rule }) => rule ?? []));
  expect(RULE_NAMES.filter((name) => !rules.has(name))).toEqual(["pin_missing", "pinned_elsewhere", "not_there"]);
});

it("a check that has to read something says nothing before, and then no more than it has to", () => {
  const change = createChange(kinds.domain, declare("acme/domains/d", { domain: "d.com" }));
  const read = { what: "rows", operation: "domains.list", path: {} } as const;
  const asking: Check = {
    rule: "protect",
    inspect: () => () => ({
      needs: [read],
      blocked: { lift: "x" },
      warnings: [undefined, { code: "w", message: "m" }],
    }),
  };
  const before = checkChanges([asking], { ...CHECKED, changes: [change] });
  expect(before).toEqual({ changes: [change], needs: [read], warnings: [] });
  const rows = new Map([[readKey(read), { status: "known", rows: [] } as const]]);
  const world = { ...CHECKED.world, answers: { ...CHECKED.world.answers, rows } };
  const after = checkChanges([asking], { ...CHECKED, world, changes: [change] });
  expect([after.changes[0]?.blocked?.rule, after.warnings.map(({ code }) => code)]).toEqual(["protect", ["w"]]);
});

describe("each block says what lifts it", () => {
  const protectedDomain = declare(
    "acme/domains/d",
    { domain: "d.com" },
    { lifecycle: { state: "absent", protect: true } },
  );
  const domains = Array.from({ length: 6 }, (_, index) => ({ id: `id-${index}`, domain: `d${index}.com` }));

  it.each<[string, readonly string[], () => ReturnType<typeof plan>]>([
    [
      "protect",
      ["lifecycle.protect"],
      () => plan([protectedDomain], live({ "domains.list": [{ id: "i", domain: "d.com" }] })),
    ],
    [
      "prune",
      ["--prune"],
      () =>
        plan([], live({ "domains.list": domains.slice(1, 2) }), {}, { exclusive: [{ scope: "acme", kind: "domain" }] }),
    ],
    ["organization_create", ["lifecycle.create: true"], () => plan([declare("beta", { name: "Beta" })], live())],
    [
      "confirm_organization",
      ["--confirm-organization 'Acme Inc'"],
      () => plan([declare("acme", { name: "Acme Inc" }, absent)], live()),
    ],
    [
      "forgotten_rename",
      ['lifecycle.renamed_from: "Old"', "lifecycle.create: true"],
      () => plan([insight("New")], insights(OLD)),
    ],
    [
      "forgotten_rename",
      ["id: 1", "lifecycle.create: true"],
      () => plan([insight("New")], insights({ ...OLD, name: "" })),
    ],
    ["parent", [], () => plan([declare("beta/domains/d", { domain: "b.com" })], withoutBeta())],
    [
      "delete_limit",
      ["--approve HASH"],
      () =>
        plan(
          [],
          live({ "domains.list": domains }),
          { prune: true },
          { exclusive: [{ scope: "acme", kind: "domain" }] },
        ),
    ],
  ])("%s: %j", (rule, says, made) => {
    const blocked = made().changes[0]?.blocked;
    expect(blocked).toMatchObject({ rule, lift: expect.any(String) as string });
    for (const part of says) expect(liftOf(blocked)).toContain(part);
    expect(liftOf(blocked)).toMatchSnapshot();
  });

  it("parent: what blocks the parent", () => {
    const made = plan(
      [declare("beta", { name: "Beta" }), declare("beta/domains/d", { domain: "b.com" })],
      withoutBeta(),
    );
    const { blocked } = changeOf(made, "beta/domains/d");
    expect(blocked).toEqual({ rule: "parent", lift: expect.stringContaining("beta") as string });
    expect(liftOf(blocked)).toMatchSnapshot();
  });
});

describe("protect", () => {
  it("blocks neither an update nor an unchanged resource", () => {
    const rows = [
      { id: "1", domain: "a.com", sso_enforcement: "" },
      { id: "2", domain: "b.com", sso_enforcement: "saml" },
    ];
    const made = plan(
      rows.map(({ id, domain }) =>
        declare(`acme/domains/${id}`, { domain, sso_enforcement: "saml" }, { lifecycle: { protect: true } }),
      ),
      live({ "domains.list": rows }),
    );
    expect(made.changes.map(({ action, blocked }) => [action, blocked])).toEqual([
      ["update", null],
      ["no_op", null],
    ]);
  });
});

describe("an organization that does not exist", () => {
  const child = declare("beta/domains/d", { domain: "b.com" });
  const beta = (lifecycle: Lifecycle): Resource => declare("beta", { name: "Beta" }, { lifecycle });

  it("does not block its children if its own create is allowed", () => {
    expect(blocks([beta({ create: true }), child], withoutBeta())).toEqual({ beta: null, "beta/domains/d": null });
  });

  it("blocks its children if it is blocked itself, regardless of other creates", () => {
    const gamma = declare("gamma", { name: "Gamma" }, { lifecycle: { create: true } });
    expect(blocks([gamma, beta({}), child], withoutBeta())).toEqual({
      gamma: null,
      beta: "organization_create",
      "beta/domains/d": "parent",
    });
  });

  it("blocks its children if it is declared absent, and offers no command that would not create it", () => {
    const resources = [beta({ state: "absent" }), child];
    expect(blocks(resources, withoutBeta())).toEqual({ beta: null, "beta/domains/d": "parent" });
    expect(changeOf(plan(resources, withoutBeta()), "beta/domains/d").blocked).not.toHaveProperty("command");
  });

  it("does not block a child that is declared absent", () => {
    expect(blocks([beta({}), { ...child, ...absent }], withoutBeta())).toMatchObject({ "beta/domains/d": null });
  });
});

describe("a create that looks like an undeclared object", () => {
  const S3 = { destination: { type: "S3", config: { bucket_name: "b" } } };
  const PLUGIN = { config_schema: { key: "secret_key" } };

  it("is blocked even if the object has no name, and the object can be pinned", () => {
    expect(blocks([insight("New")], insights({ ...OLD, name: null }))).toEqual({ [`${WEB}/New`]: "forgotten_rename" });
    const pinned = { ...insight("New"), pin: { field: "id", value: "1" } };
    expect(plan([pinned], insights({ ...OLD, name: null })).changes).toMatchObject([
      { action: "update", blocked: null },
    ]);
  });

  it("is not blocked by an object in another scope", () => {
    const row = { id: "b", name: "Old", paused: false, ...S3 };
    const made = blocks(
      [declare("acme/projects/web/batch_exports/e", { name: "New", paused: false, ...S3 })],
      live({ "batch_exports.list": [row] }, { "project_batch_exports.list": [] }),
    );
    expect(made).toEqual({ "acme/projects/web/batch_exports/e": null });
  });

  it("is not blocked by an object of another kind", () => {
    const made = blocks(
      [declare("acme/pipeline_destinations/p", { name: "New", ...PLUGIN })],
      live({
        "pipeline_destinations.list": [],
        "pipeline_frontend_apps.list": [{ id: 5, name: "Old", ...PLUGIN }],
        "pipeline_import_apps.list": [],
      }),
    );
    expect(made).toEqual({ "acme/pipeline_destinations/p": null });
  });

  it("is blocked, but neither a restore nor a resource that stays absent is", () => {
    const gone = { ...insight("Gone"), pin: { field: "id", value: "7" } };
    const made = plan([gone, insight("Never", absent.lifecycle)], insights(OLD));
    expect(made.changes.map(({ action, blocked }) => [action, blocked])).toEqual([
      ["restore", null],
      ["no_op", null],
    ]);
  });

  it("is not blocked by an object that belongs to another resource", () => {
    expect(blocks([insight("Old"), insight("New")], insights(OLD))).toEqual({
      [`${WEB}/Old`]: null,
      [`${WEB}/New`]: null,
    });
  });

  it.each<[string, JsonObject]>([
    ["nothing but a name", {}],
    ["only plain fields", { description: "" }],
    ["an empty free-form value", { filters: {} }],
    ["a free-form value of null", { query: null }],
  ])("is not blocked if it declares %s", (_name, values) => {
    const row = { ...OLD, filters: {}, query: null, description: "" };
    expect(blocks([declare(`${WEB}/n`, { name: "New", ...values })], insights(row))).toEqual({ [`${WEB}/n`]: null });
  });

  it("is blocked if both have the same value in a free-form field that may also be a list", () => {
    const made = blocks(
      [declare("acme/pipeline_destinations/p", { name: "New", ...PLUGIN })],
      live({
        "pipeline_destinations.list": [{ id: 5, name: "Old", ...PLUGIN }],
        "pipeline_frontend_apps.list": [],
        "pipeline_import_apps.list": [],
      }),
    );
    expect(made).toEqual({ "acme/pipeline_destinations/p": "forgotten_rename" });
  });
});

describe("the object that a blocked create looks like", () => {
  const exclusive = { exclusive: [{ scope: "acme/projects/web", kind: "insight" }] } as const;
  const removed = `${WEB}/id=1`;

  it("is not pruned, for the same reason", () => {
    const made = plan([insight("New")], insights(OLD), { prune: true }, exclusive);
    expect(changeOf(made, removed).blocked).toEqual(changeOf(made, `${WEB}/New`).blocked);
    expect(changeOf(made, removed).blocked?.rule).toBe("forgotten_rename");
  });

  it("is blocked by the rule prune if --prune is not given", () => {
    expect(blocks([insight("New")], insights(OLD), false, exclusive)).toMatchObject({ [removed]: "prune" });
  });

  it("is not pruned even if another create that looks like it is allowed", () => {
    const made = blocks([insight("Also", { create: true }), insight("New")], insights(OLD), true, exclusive);
    expect(made).toEqual({ [`${WEB}/Also`]: null, [`${WEB}/New`]: "forgotten_rename", [removed]: "forgotten_rename" });
  });

  it("is pruned if the create is allowed", () => {
    expect(blocks([insight("New", { create: true })], insights(OLD), true, exclusive)).toMatchObject({
      [removed]: null,
    });
  });

  it("protects no other object: a different one is pruned, and one that is declared absent is removed", () => {
    const other = { ...OLD, id: 2, name: "Other", query: { kind: "Funnels" } };
    const gone = { ...OLD, id: 3, name: "Gone" };
    const made = blocks(
      [insight("New"), insight("Kept"), declare(`${WEB}/gone`, { name: "Gone" }, absent)],
      insights(OLD, other, gone, { id: 9, name: "Kept" }),
      true,
      exclusive,
    );
    expect(made).toMatchObject({ [`${WEB}/id=2`]: null, [`${WEB}/gone`]: null });
  });

  it("is not confused with a similar object of another kind", () => {
    const config = { config_schema: { key: "secret_key" } };
    const made = blocks(
      [
        declare("acme/pipeline_destinations/p", { name: "New", ...config }),
        declare("acme/pipeline_frontend_apps/kept", { name: "Kept" }),
      ],
      live({
        "pipeline_destinations.list": [{ id: 5, name: "Old", ...config }],
        "pipeline_frontend_apps.list": [
          { id: 6, name: "Older", ...config },
          { id: 7, name: "Kept" },
        ],
        "pipeline_import_apps.list": [],
      }),
      true,
      { exclusive: [{ scope: "acme", kind: "pipeline_frontend_app" }] },
    );
    expect(made).toMatchObject({
      "acme/pipeline_destinations/p": "forgotten_rename",
      "acme/pipeline_frontend_apps/id=6": null,
    });
  });

  it("is not confused with a similar object in another scope", () => {
    const S3 = { destination: { type: "S3", config: { bucket_name: "b" } }, paused: false };
    const made = blocks(
      [
        declare("acme/projects/web/batch_exports/e", { name: "New", ...S3 }),
        declare("acme/batch_exports/kept", { name: "Kept" }),
      ],
      live(
        {
          "batch_exports.list": [
            { id: "b1", name: "Old", ...S3 },
            { id: "b3", name: "Kept" },
          ],
        },
        { "project_batch_exports.list": [{ id: "b2", name: "Older", ...S3 }] },
      ),
      true,
      { exclusive: [{ scope: "acme", kind: "batch_export" }] },
    );
    expect(made).toMatchObject({
      "acme/projects/web/batch_exports/e": "forgotten_rename",
      "acme/batch_exports/id=b1": null,
    });
  });
});

describe("the create of an organization", () => {
  const beta = createChange(kinds.organization, declare("beta", { name: "Beta" }));
  const input = { ...CHECKED, prune: true };

  it("is refused even if no organization was read and no resource allows it", () => {
    const undeclared = { ...beta, work: beta.work && { ...beta.work, resource: undefined } };
    for (const change of [beta, undeclared]) {
      const [guarded] = checkChanges(CHECKS, { ...input, changes: [change] }).changes;
      expect(guarded?.blocked).toEqual({
        rule: "organization_create",
        lift: expect.stringContaining("the key, which sees no organization") as string,
      });
    }
  });

  it("keeps the block that it already has", () => {
    const blocked = { rule: "pin_missing", lift: "correct the id" } as const;
    expect(checkChanges(CHECKS, { ...input, changes: [{ ...beta, blocked }] }).changes).toEqual([{ ...beta, blocked }]);
  });
});

it("a drift has the checks of a whole configuration, without those that only warn of an apply", () => {
  expect(
    [wholePlanChecks("plan"), wholePlanChecks("drift")].map((checks) =>
      [fewOwners, resentInvite, lastOwner].map((one) => checks.includes(one)),
    ),
  ).toEqual([
    [true, true, false],
    [false, true, false],
  ]);
});
