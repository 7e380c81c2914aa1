import { liftOf } from "../../support/lift.ts";
import { describe, expect, it } from "vitest";
import type { Blocked } from "../../../src/model/change.ts";
import { command, PLAN_HASH } from "../../../src/model/command.ts";
import type { PlanDocument } from "../../../src/model/plan.ts";
import type { Lifecycle } from "../../../src/model/resource.ts";
import { hashOf, planDocument } from "../../../src/plan/document.ts";
import { worldOf } from "../../../src/kinds/world.ts";
import { expiredInvite } from "../../../src/kinds/people/left-invites.ts";
import { changeOf, checked, declare, live, plan, unreadable } from "./world.ts";

const BOB = "acme/memberships/bob@acme.com";
const people = (expired: boolean) =>
  live({
    "members.list": [],
    "invites.list": [{ id: "i", target_email: "bob@acme.com", level: 1, is_expired: expired }],
  });

describe("a plan and a drift report", () => {
  const membership = (lifecycle: Lifecycle = {}) => declare(BOB, { level: 1 }, { lifecycle });

  it("show an expired invite of a declared membership as a replace that is blocked", () => {
    const made = plan([membership()], people(true));
    const { changes, summary } = checked(made, [expiredInvite], worldOf()).plan;
    expect(changeOf(made, BOB)).toMatchObject({ action: "no_op", blocked: null });
    expect(changes).toMatchObject([{ address: BOB, action: "replace", blocked: { rule: "expired" } }]);
    expect(liftOf(changes[0]?.blocked)).toContain("lifecycle.renew");
    expect(summary).toMatchObject({ replace: 1, blocked: 1, no_op: 0 });
  });

  it.each<[string, () => ReturnType<typeof plan>]>([
    ["is left alone", () => plan([membership({ forget: true })], people(true))],
    ["has not expired", () => plan([membership()], people(false))],
    ["could not be read", () => plan([membership()], unreadable(people(true), "acme", "membership"))],
    [
      "is declared absent, and is",
      () => plan([membership({ state: "absent" })], live({ "members.list": [], "invites.list": [] })),
    ],
    ["will be renewed", () => plan([membership({ renew: true })], people(true))],
    [
      "is an invite that is declared nowhere",
      () => plan([], people(true), {}, { exclusive: [{ scope: "acme", kind: "membership" }] }),
    ],
    [
      "is an expired invite, which may stay",
      () => plan([declare("acme/invites/i", { target_email: "bob@acme.com" })], people(true)),
    ],
  ])("show a change as it is planned if the object %s", (_name, planned) => {
    const made = planned();
    expect(checked(made, [expiredInvite], worldOf()).plan).toEqual(made);
  });
});

describe("the document of a plan", () => {
  const planned = () =>
    plan([declare("acme/domains/d", { domain: "d.com" })], live({ "domains.list": [{ id: "1", domain: "d.com" }] }));
  const documentOf = (more: Partial<Parameters<typeof planDocument>[1]> = {}, changed = planned()): PlanDocument =>
    planDocument(changed, {
      type: "driftline.plan",
      config_hash: "c",
      tool_version: "1",
      url: "u",
      diagnostics: [],
      ...more,
    });

  it("has the source of the plan, which its hash does not cover", () => {
    const source = { paths: ["a"], variable_files: [], variables: [], profile: "posthog", url: null } as const;
    expect(documentOf({ source }).source).toEqual(source);
    expect(documentOf()).not.toHaveProperty("source");
    expect(documentOf({ source }).hash).toBe(documentOf().hash);
  });

  it("says which files were not read", () => {
    expect(documentOf({ not_read: ["b.yaml"] }).not_read).toEqual(["b.yaml"]);
    expect(documentOf()).not.toHaveProperty("not_read");
    expect(documentOf({ not_read: [] }).hash).not.toBe(documentOf().hash);
  });

  it("of a drift leads to the plan, because only a plan can be approved", () => {
    const commandIn = (type: PlanDocument["type"], more: Partial<Blocked>): Blocked["command"] => {
      const blocked: Blocked = { rule: "delete_limit", lift: "", ...more };
      const made = planned();
      const changes = made.changes.map((change) => ({ ...change, blocked }));
      return documentOf({ type }, { ...made, changes }).changes[0]?.blocked?.command;
    };
    const approve = command("apply", { approve: PLAN_HASH });
    expect(commandIn("driftline.drift", { command: approve })).toEqual(["driftline", "plan"]);
    expect(commandIn("driftline.plan", { command: approve })).toEqual(approve);
    const prune = command("apply", { prune: true });
    expect(commandIn("driftline.drift", { command: prune })).toEqual(prune);
    expect(commandIn("driftline.drift", {})).toBeUndefined();
  });

  it("has a hash that does not cover links and the live keys beside the declared ones, but all else of a change", () => {
    const made = planned();
    const hashWith = (more: object): string =>
      documentOf({}, { ...made, changes: made.changes.map((change) => ({ ...change, ...more })) }).hash;
    expect(hashWith({ more: ["/config/a"] })).toBe(hashWith({ more: undefined }));
    expect(hashWith({ link: "https://acme.com/project/2" })).toBe(hashWith({}));
    expect(hashWith({ reason: "another" })).not.toBe(hashWith({}));
  });
});

it("a hash covers what can be declared of a removed object, and nothing that stands beside it", () => {
  const removing = (removes: unknown, kind = "domain") => hashOf({ changes: [{ kind, removes }] });
  const field = (path: string) => [{ path, prior: 1 }];
  expect(removing(field("/domain"))).not.toBe(removing([]));
  expect(removing(field("/joined_at"))).toBe(removing([]));
  expect(removing(field("/joined_at"), "typed_by_hand")).not.toBe(removing([], "typed_by_hand"));
  const beside = (more: object) => hashOf({ unmanaged: [{ id: "1", ...more }] });
  expect([beside({ about: "x" }), beside({ key: "x" })]).toEqual([beside({}), expect.not.stringMatching(beside({}))]);
});

it("a drift shows when an object was changed last, if it differs", () => {
  const modified = { at: "2026-01-01T00:00:00Z", by: "ada@acme.com" };
  const shown = (description: string) => {
    const made = plan(
      [declare("acme/projects/web/insights/s", { name: "S", description: "a" })],
      live({}, { "insights.list": [{ id: 7, name: "S", description }] }),
    );
    const changes = made.changes.map((change) => ({
      ...change,
      work: change.work?.live ? { ...change.work, live: { ...change.work.live, modified } } : change.work,
    }));
    const context = { config_hash: "", tool_version: "", url: "", diagnostics: [] };
    return planDocument({ ...made, changes }, { ...context, type: "driftline.drift" }).changes[0]?.modified;
  };
  expect([shown("b"), shown("a")]).toEqual([modified, undefined]);
});

describe("a plan warns of an invite", () => {
  it("if it has expired, and only then", () => {
    const codes = (expired: boolean) =>
      plan([declare(BOB, { level: 1 })], people(expired)).diagnostics.map(({ code }) => code);
    expect([codes(true).length, codes(false)]).toEqual([1, []]);
  });
});

describe("a missing insight without an id", () => {
  const WEB = "acme/projects/web/insights/s";
  const reasonOf = (resource: ReturnType<typeof declare>, type: PlanDocument["type"]): string | undefined => {
    const context = { type, config_hash: "", tool_version: "", url: "", diagnostics: [] };
    return planDocument(plan([resource], live({}, { "insights.list": [] })), context).changes[0]?.reason;
  };

  it("may have been deleted, which a drift says, and a plan does not: there it may be new", () => {
    const resource = declare(WEB, { name: "S" });
    expect(reasonOf(resource, "driftline.drift")).toContain("deleted");
    expect(reasonOf(resource, "driftline.plan")).not.toContain("deleted");
    const domain = declare("acme/domains/d", { domain: "d.com" });
    const context = { type: "driftline.drift", config_hash: "", tool_version: "", url: "", diagnostics: [] } as const;
    const [change] = planDocument(plan([domain], live({ "domains.list": [] })), context).changes;
    expect(change?.action).toBe("create");
    expect(change?.reason).not.toContain("deleted");
  });

  it("is a person who is neither a member nor invited, as a drift says", () => {
    const made = plan([declare(BOB, { level: 15 })], live({ "members.list": [], "invites.list": [] }));
    const context = { config_hash: "", tool_version: "", url: "", diagnostics: [] };
    const reasons = (["driftline.drift", "driftline.plan"] as const).map(
      (type) => planDocument(made, { ...context, type }).changes[0]?.reason,
    );
    expect(reasons).toEqual([
      "is neither a member nor invited; invite as OWNER; sends an e-mail",
      "invite as OWNER; sends an e-mail",
    ]);
  });

  it("is another thing than one that could not be read, or that is declared nowhere", () => {
    const rows = live({}, { "insights.list": [{ id: 7, name: "S" }] });
    const exclusive = [{ scope: "acme/projects/web", kind: "insight" }] as const;
    for (const made of [
      plan([declare(WEB, { name: "S" })], unreadable(rows, "acme/projects/web", "insight")),
      plan([], rows, {}, { exclusive }),
      plan([declare(BOB, { level: 15 })], people(false)),
    ]) {
      const context = { config_hash: "", tool_version: "", url: "", diagnostics: [] };
      const [drift] = planDocument(made, { ...context, type: "driftline.drift" }).changes;
      expect(made.changes).toHaveLength(1);
      expect(drift?.reason).toBe(made.changes[0]?.reason);
    }
  });

  it("says that only if it has no pin, because one that is missing has its own advice", () => {
    const pinned = declare(WEB, { name: "S" }, { pin: { field: "short_id", value: "gonegone" } });
    expect(reasonOf(pinned, "driftline.drift")).toBe(reasonOf(pinned, "driftline.plan"));
  });
});
