/** How many objects may be removed without approval (src/plan/guard/delete-limit.ts). */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { command, PLAN_HASH } from "../../../../src/model/command.ts";
import type { JsonObject } from "../../../../src/model/json/json.ts";
import type { LiveWorld } from "../../../../src/model/live.ts";
import type { Lifecycle, Resource } from "../../../../src/model/resource.ts";
import { worldOf } from "../../../../src/kinds/world.ts";
import { removalLimit } from "../../../../src/plan/guard/delete-limit.ts";
import { resentInvite } from "../../../../src/kinds/people/resend.ts";
import { applyOverrides } from "../../../../src/plan/guard/override.ts";
import { budget } from "../../../support/budget.ts";
import { domains } from "../rows.ts";
import { checked, declare, live, plan } from "../world.ts";

const WEB = "acme/projects/web/insights";
const absent = { lifecycle: { state: "absent" } } as const;
const exclusive = { exclusive: [{ scope: "acme", kind: "domain" }] } as const;
const insights = (...rows: readonly JsonObject[]): LiveWorld => live({}, { "insights.list": rows });

/** The rule that blocks each change, by address. */
function blocks(resources: readonly Resource[], world: LiveWorld) {
  const { changes } = plan(resources, world);
  return Object.fromEntries(changes.map(({ address, blocked }) => [address, blocked?.rule ?? null]));
}

/** `gone` of `all` live domains declared absent. */
const removing = (gone: number, all: number) =>
  plan(
    domains(gone).map(({ domain }, index) => declare(`acme/domains/d${String(index)}`, { domain }, absent)),
    live({ "domains.list": domains(all) }),
  );

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

const numbersIn = (text = ""): readonly number[] => (text.match(/\d+/g) ?? []).map(Number);

describe("the share that may be removed", () => {
  it.each([
    ["pruned", pruning, 5, 9, undefined],
    ["pruned", pruning, 6, 9, 5],
    ["pruned", pruning, 1, 10, undefined],
    ["pruned", pruning, 2, 10, 1],
    ["pruned", pruning, 2, 20, undefined],
    ["pruned", pruning, 3, 20, 2],
    ["pruned", pruning, 8, 17, 1],
    ["declared absent", removing, 9, 9, undefined],
    ["declared absent", removing, 5, 10, undefined],
    ["declared absent", removing, 6, 10, 5],
    ["declared absent", removing, 20, 40, undefined],
    ["declared absent", removing, 21, 100, 20],
  ])("%s: the removal of %i of %i", (_name, make, gone, all, limit) => {
    const made = make(gone, all);
    const removed = made.changes.filter(({ action }) => action === "delete");
    expect(removed).toHaveLength(gone);
    const needed = limit !== undefined;
    expect(removed.map(({ blocked }) => numbersIn(blocked?.detail))).toEqual(
      Array.from({ length: gone }, () => (needed ? [gone, all, limit] : [])),
    );
    expect(removed.map(({ blocked }) => blocked?.rule)).toEqual(
      Array.from({ length: gone }, () => (needed ? "delete_limit" : undefined)),
    );
    const approved = applyOverrides(made, { approved: true, organizations: [] });
    expect(approved.changes.every(({ blocked }) => blocked === null)).toBe(true);
  });

  it("what is declared absent does not count with what is pruned, until it is too much together", () => {
    const both = (absentCount: number) =>
      plan(
        domains(absentCount + 1).map(({ domain }, index) =>
          declare(`acme/domains/d${String(index)}`, { domain }, index < absentCount ? absent : {}),
        ),
        live({ "domains.list": domains(absentCount + 4) }),
        { prune: true },
        exclusive,
      )
        .changes.filter(({ action }) => action === "delete")
        .map(({ blocked }) => blocked?.rule);
    expect(new Set(both(5))).toEqual(new Set([undefined]));
    expect(new Set(both(17))).toEqual(new Set(["delete_limit"]));
  });

  it("names the kind whose limit is the smallest, or else every kind that counts", () => {
    const invites = Array.from({ length: 12 }, (_, index) => ({
      id: `i${String(index)}`,
      target_email: `p${String(index)}@acme.com`,
      level: 1,
    }));
    const invited = invites.map(({ target_email: email }, index) =>
      declare(`acme/invites/p${String(index)}`, { target_email: email, level: 1 }, absent),
    );
    const listed = domains(40).map(({ domain }, index) =>
      declare(`acme/domains/d${String(index)}`, { domain }, absent),
    );
    const detailOf = (domainCount: number, inviteCount: number) =>
      plan(
        [...listed.slice(0, domainCount), ...invited.slice(0, inviteCount)],
        live({ "domains.list": domains(40), "invites.list": invites }),
      ).changes[0]?.blocked?.detail;
    const exported = Array.from({ length: 10 }, (_, index) => ({ id: `e${String(index)}`, name: `E${String(index)}` }));
    const gone = exported.slice(0, 6).map(({ id, name }) => declare(`acme/batch_exports/${id}`, { name }, absent));
    const ofExports = plan(gone, live({ "batch_exports.list": exported })).changes[0]?.blocked?.detail;
    expect([detailOf(21, 7), detailOf(16, 5), ofExports]).toMatchSnapshot();
  });
});

describe("a prune that leaves nothing that is declared", () => {
  it("needs approval, however few objects there are", () => {
    const states = fc.array(fc.constantFrom("undeclared", "declared", "absent", "created"), { maxLength: 5 });
    const property = fc.property(states, (all) => {
      const resources = all.flatMap((state, index) =>
        state === "undeclared"
          ? []
          : [
              declare(
                `acme/domains/d${String(index)}`,
                { domain: `d${String(index)}.com` },
                state === "absent" ? absent : {},
              ),
            ],
      );
      const rows = domains(all.length).filter((_row, index) => all[index] !== "created");
      const made = plan(resources, live({ "domains.list": rows }), { prune: true }, exclusive);
      const isEmptied = !all.includes("declared") && !all.includes("created");
      const rulesOf = (isPruned: boolean) =>
        new Set(
          made.changes
            .filter(({ action, work }) => action === "delete" && (work?.resource === undefined) === isPruned)
            .map(({ blocked }) => blocked?.rule),
        );
      expect(rulesOf(true)).toEqual(
        new Set(all.includes("undeclared") ? [isEmptied ? "delete_limit" : undefined] : []),
      );
      // What is declared absent was written down by its name.
      expect(rulesOf(false)).toEqual(new Set(all.includes("absent") ? [undefined] : []));
    });
    fc.assert(property, { numRuns: budget(200) });
  });

  it("counts neither another collection nor what another rule keeps", () => {
    const people = live({
      "members.list": [
        { id: "o", level: 15, user: { uuid: "o", email: "own@acme.com" } },
        { id: "m", level: 1, user: { uuid: "m", email: "bob@acme.com" } },
      ],
      "invites.list": [],
      "domains.list": domains(1),
    });
    const made = plan(
      [declare("acme/domains/d0", { domain: "d0.com" })],
      people,
      { prune: true },
      { exclusive: [{ scope: "acme", kind: "membership" }], service: { self: "own@acme.com" } },
    );
    expect(made.changes.map(({ id, blocked }) => [id, blocked?.rule])).toEqual([
      ["id-0", undefined],
      ["o", "own_user"],
      ["m", "delete_limit"],
    ]);
    expect(made.changes[2]?.blocked?.detail).toMatchSnapshot();
  });
});

it("counts an object once that the lists of an organization and of its project show", () => {
  const rows = Array.from({ length: 9 }, (_, index) => ({ id: `e${String(index)}`, name: `E${String(index)}` }));
  const world = live(
    { "batch_exports.list": [...rows, { id: "e9", name: "E9" }] },
    { "project_batch_exports.list": rows },
  );
  const gone = rows
    .slice(0, 6)
    .map(({ id, name }) => declare(`acme/projects/web/batch_exports/${id}`, { name }, absent));
  const [change] = plan(gone, world).changes;
  expect(numbersIn(change?.blocked?.detail)).toEqual([6, 10, 5]);
});

describe("the limit of deletes", () => {
  const domain = (index: number, lifecycle: Lifecycle = absent.lifecycle) =>
    declare(`acme/domains/d${index}`, { domain: `d${index}.com`, sso_enforcement: "saml" }, { lifecycle });
  const many = (count: number, lifecycle?: (index: number) => Lifecycle) =>
    Array.from({ length: count }, (_, index) => domain(index, lifecycle?.(index)));
  const rules = (resources: readonly Resource[], world: LiveWorld) =>
    Object.values(blocks(resources, world)).filter((rule) => rule !== null);
  const inviteRows = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ id: `i${index}`, target_email: `p${index}@acme.com`, level: 1 }));
  const invite = (index: number, level: number, lifecycle: Lifecycle = {}) =>
    declare(`acme/invites/p${index}`, { target_email: `p${index}@acme.com`, level }, { lifecycle });

  it("counts removals, but neither updates nor unchanged resources", () => {
    expect(
      rules(
        many(6, (index) => (index < 5 ? { state: "absent" } : {})),
        live({ "domains.list": domains(6) }),
      ),
    ).toEqual([]);
    expect(
      rules(
        many(9, () => ({})),
        live({ "domains.list": domains(9) }),
      ),
    ).toEqual([]);
  });

  it("does not count invites that have expired, as invites or as memberships, pruned or renewed", () => {
    const world = (isExpired: boolean, more: readonly JsonObject[] = []) =>
      live({
        "members.list": [{ id: "o", level: 15, user: { uuid: "o", email: "own@acme.com" } }],
        "invites.list": [...inviteRows(6).map((row) => ({ ...row, is_expired: isExpired })), ...more],
      });
    const own = { service: { self: "own@acme.com" } };
    const owner = declare("acme/memberships/own@acme.com", { level: 15 });
    const pruned = (kind: "membership" | "invite", isExpired: boolean) =>
      plan([owner], world(isExpired), { prune: true }, { ...own, exclusive: [{ scope: "acme", kind }] }).changes;
    for (const kind of ["membership", "invite"] as const) {
      const rulesOf = (isExpired: boolean) =>
        pruned(kind, isExpired).flatMap(({ action, blocked }) => (action === "delete" ? [blocked?.rule] : []));
      expect(rulesOf(true)).toEqual(Array.from({ length: 6 }, () => undefined));
      expect(rulesOf(false)).toEqual(Array.from({ length: 6 }, () => "delete_limit"));
      expect(pruned(kind, true).some(({ reason }) => reason.startsWith("the invite has expired; "))).toBe(true);
    }
    const renewed = Array.from({ length: 6 }, (_, index) => invite(index, 1, { renew: true }));
    expect(rules(renewed, world(true))).toEqual([]);
  });

  it("counts replaces", () => {
    const resources = Array.from({ length: 6 }, (_, index) => invite(index, 8));
    expect(rules(resources, live({ "invites.list": inviteRows(6) }))).toEqual(
      Array.from({ length: 6 }, () => "delete_limit"),
    );
  });

  it("does not count a change that another rule blocks, which keeps that rule", () => {
    const world = live({ "domains.list": domains(60) });
    const first = (index: number): Lifecycle => ({ state: "absent", protect: index === 0 });
    expect(rules(many(21, first), world)).toEqual(["protect"]);
    expect(rules(many(22, first), world)).toEqual(["protect", ...Array.from({ length: 21 }, () => "delete_limit")]);
  });

  it("blocks removals only", () => {
    const created = declare("acme/domains/new", { domain: "new.com" });
    expect(blocks([...many(6), created], live({ "domains.list": domains(6) }))).toMatchObject({
      "acme/domains/new": null,
    });
  });

  it("is a share of each kind separately", () => {
    const invites = { "invites.list": inviteRows(2) };
    const some = [...many(5), invite(0, 1, { state: "absent" })];
    expect(rules(some, live({ "domains.list": domains(10), ...invites }))).toEqual([]);
    expect(rules([...some, domain(5)], live({ "domains.list": domains(10), ...invites }))).toEqual(
      Array.from({ length: 7 }, () => "delete_limit"),
    );
  });

  it("is a share of the existing objects, without soft-deleted ones and placeholders", () => {
    const insightRows = Array.from({ length: 10 }, (_, index) => ({
      id: index + 1,
      name: `i${index}`,
      deleted: index > 8,
    }));
    const six = [0, 1, 2, 3, 4, 5];
    const gone = six.map((index) => declare(`${WEB}/i${index}`, { name: `i${index}` }, absent));
    expect(rules(gone, insights(...insightRows))).toEqual([]);
    const all = insightRows.map((row) => ({ ...row, deleted: false }));
    expect(rules(gone, insights(...all))).toEqual(six.map(() => "delete_limit"));
    const member = { id: "m", level: 15, user: { uuid: "u", email: "ada@acme.com" } };
    expect(
      rules(
        six.map((index) => invite(index, 1, { state: "absent" })),
        live({ "invites.list": inviteRows(9), "members.list": [member] }),
      ),
    ).toEqual([]);
  });
});

describe("the limit is the last check", () => {
  const emails = Array.from({ length: 6 }, (_, index) => `p${String(index)}@acme.com`);
  const now = Date.parse("2026-01-02T12:00:00Z");
  const made = (young: number) => {
    const invites = emails.map((email, index) => ({
      id: email,
      target_email: email,
      level: 1,
      created_at: index < young ? "2026-01-02T00:00:00Z" : "2025-12-01T00:00:00Z",
    }));
    const world = live({ "members.list": [], "invites.list": invites });
    const resources = emails.map((email) => declare(`acme/memberships/${email}`, { level: 8 }));
    const planned = plan(resources, world);
    const open = { ...planned, changes: planned.changes.map((change) => ({ ...change, blocked: null })) };
    const memory = { now, ignoredByService: new Set<string>() };
    const found = checked(open, [resentInvite, removalLimit], worldOf(world), { memory }).plan;
    return found.changes.map(({ blocked }) => blocked?.rule ?? null);
  };

  it("so that what another one refuses does not count", () => {
    expect(made(0)).toEqual(emails.map(() => "delete_limit"));
    expect(made(1)).toEqual(["resend", ...emails.slice(1).map(() => null)]);
  });

  it("so that what may be allowed by a loss counts, and needs the approval as well", () => {
    const open = pruning(6, 6);
    const blocked = { rule: "lock_out", lift: "allow it:", command: command("apply", { allowLoss: "a" }) } as const;
    const shut = { ...open, changes: open.changes.map((change) => ({ ...change, blocked })) };
    const limited = checked(shut, [removalLimit], worldOf(live({ "domains.list": domains(6) }))).plan;
    expect(limited.changes.map((change) => change.blocked?.rule)).toEqual(emails.map(() => "lock_out"));
    const losses = limited.changes.map(({ address }) => address);
    const left = (approved: boolean) =>
      applyOverrides(limited, { approved, organizations: [], losses }).changes.filter((change) => change.blocked);
    const approve = command("apply", { approve: PLAN_HASH });
    expect([left(false), left(true)]).toMatchObject([
      emails.map(() => ({ blocked: { rule: "delete_limit", command: approve } })),
      [],
    ]);
    expect(limited.changes[0]?.blocked?.command).toEqual([...blocked.command, "--approve", PLAN_HASH]);
  });
});

describe("a prune of all that is left", () => {
  const gone = (lifecycle: Lifecycle) => declare("acme/domains/d0", { domain: "d0.com" }, { lifecycle });

  it.each<[string, Resource, string | null]>([
    ["is blocked beside one that is declared absent", gone({ state: "absent" }), "delete_limit"],
    ["is not beside one that is protected", gone({ state: "absent", protect: true }), null],
  ])("%s", (_name, resource, rule) => {
    const { changes } = plan([resource], live({ "domains.list": domains(2) }), { prune: true }, exclusive);
    expect(changes.find(({ id }) => id === "id-1")?.blocked?.rule ?? null).toBe(rule);
  });

  it("says how many there are of which kind", () => {
    const rows = [1, 2].map((id) => ({ id: `e${String(id)}`, name: `E${String(id)}`, paused: false }));
    const { changes } = plan(
      [],
      live({ "batch_exports.list": rows }),
      { prune: true },
      { exclusive: [{ scope: "acme", kind: "batch_export" }] },
    );
    expect(changes[0]?.blocked?.detail).toMatch(/2 batch exports in acme/u);
  });

  it("is blocked beside a create that is blocked as well", () => {
    const [alike, other] = [
      { id: 1, name: "A", query: { kind: "Trends" } },
      { id: 2, name: "B", query: { kind: "Funnels" } },
    ];
    const { changes } = plan(
      [declare(`${WEB}/n`, { name: "N", query: alike.query })],
      insights(alike, other),
      { prune: true },
      { exclusive: [{ scope: "acme/projects/web", kind: "insight" }] },
    );
    const [rename, limit] = ["forgotten_rename", "delete_limit"];
    expect(changes.map(({ blocked }) => blocked?.rule)).toEqual([rename, rename, limit]);
  });
});

it("an invite that has expired is none of those whose share counts", () => {
  const rows = Array.from({ length: 10 }, (_, index) => ({
    id: `i${String(index)}`,
    target_email: `p${String(index)}@acme.com`,
    level: 1,
    is_expired: index === 9,
  }));
  const kept = rows
    .slice(2)
    .map(({ id, target_email: email }) => declare(`acme/invites/${id}`, { target_email: email }));
  const { changes } = plan(
    kept,
    live({ "members.list": [], "invites.list": rows }),
    { prune: true },
    { exclusive: [{ scope: "acme", kind: "invite" }], service: { self: "me@acme.com" } },
  );
  expect(changes.flatMap(({ action, blocked }) => (action === "delete" ? [blocked] : []))).toEqual([null, null]);
});
