/** A pinned object that a complete list does not show. */
import { liftOf } from "../../support/lift.ts";
import { describe, expect, it } from "vitest";
import type { JsonObject, ValueObject } from "../../../src/model/json/json.ts";
import type { KindName } from "../../../src/model/kind-name.ts";
import { listKey } from "../../../src/model/live.ts";
import { pinKey, type Resource } from "../../../src/model/resource.ts";
import { worldOf } from "../../../src/kinds/world.ts";
import { expiredInvite } from "../../../src/kinds/people/left-invites.ts";
import { ACME, changeOf, checked, declare, live, plan, unreadable } from "./world.ts";

const MEMBER = { id: "m1", level: 15, user: { uuid: "u1", email: "ada@acme.com" } };
const WEB = "acme/projects/web/insights";
const ROW = { id: 7, short_id: "abcdefgh", name: "Signups" };
const DOMAIN = "acme/domains/d";
const pinned = (more: Partial<Resource> = {}): Resource =>
  declare(DOMAIN, { domain: "d.com" }, { pin: { field: "id", value: "x" }, ...more });
const domains = (...ids: readonly string[]) =>
  live({ "domains.list": [{ id: "other", domain: "e.com" }, ...ids.map((id) => ({ id, domain: "d.com" }))] });
const byShortId = declare(`${WEB}/s`, { name: "Gone" }, { pin: { field: "short_id", value: "gonegone" } });
const byId = declare(`${WEB}/s`, { name: "Gone" }, { pin: { field: "id", value: "9" } });

describe("a missing object is a blocked create with every way out", () => {
  it.each<[string, Resource, ReturnType<typeof live>, readonly string[]]>([
    ["no object has its name", pinned(), domains(), ["--recreate acme/domains/d", "remove it"]],
    ["another object has its name", pinned(), domains("y"), ["the id y", "--recreate acme/domains/d"]],
    ["several objects have its name", pinned(), domains("y", "z"), ["y, z"]],
    [
      "it declares too little for a new object",
      declare("acme/batch_exports/b", { paused: true }, { pin: { field: "id", value: "x" } }),
      live({ "batch_exports.list": [] }),
      ["declare name", "--recreate acme/batch_exports/b"],
    ],
    [
      "it is an insight that its pin cannot restore",
      byShortId,
      live({}, { "insights.list": [ROW] }),
      ["pin its id", "insights.list_activity", "item_id", "--recreate"],
    ],
  ])("if %s", (_name, resource, world, says) => {
    const made = plan([resource], world);
    const change = changeOf(made, resource.address);
    expect(change).toMatchObject({ action: "create", id: null, blocked: { rule: "pin_missing" } });
    expect(made.diagnostics).toEqual([]);
    for (const part of says) expect(liftOf(change.blocked)).toContain(part);
    expect([change.reason, liftOf(change.blocked)]).toMatchSnapshot("sentences");
    expect(checked(made, [expiredInvite], worldOf()).plan.summary).toMatchObject({ create: 1, blocked: 1, unknown: 0 });
  });

  it("but a restore if it is an insight that its pin can restore, and a new one only if enough is declared for it", () => {
    const of = (values: ValueObject) =>
      changeOf(plan([{ ...byId, values }], live({}, { "insights.list": [ROW] })), byId.address);
    expect(of({ name: "Gone" })).toMatchObject({
      action: "restore",
      command: ["driftline", "apply", "--recreate", byId.address],
    });
    expect(of({ description: "x" }).action).toBe("restore");
    expect(of({ description: "x" })).not.toHaveProperty("command");
  });

  it("but unknown if its list could not be read", () => {
    const made = plan([pinned()], unreadable(domains(), "acme", "domain"), { recreate: [DOMAIN] });
    expect(changeOf(made, DOMAIN).action).toBe("unknown");
  });

  it("but unknown if the key's user may not see it, and only then", () => {
    const world = live({}, { "insights.list": [ROW] });
    const key = listKey(WEB.replace("/insights", ""), "insight");
    const { objects = [] } = world.lists.get(key) ?? {};
    const hidden = new Map([
      [pinKey({ field: "id", value: "9" }), { reason: "the service refuses to show it", isDenied: true }],
    ]);
    const lists = new Map([...world.lists, [key, { status: "known", objects, hidden }]] as const);
    const of = (resource: Resource) => changeOf(plan([resource], { ...world, lists }), resource.address);
    expect(of(byId)).toMatchObject({ action: "unknown", reason: "the service refuses to show it" });
    expect(of({ ...byId, pin: { field: "id", value: "10" } }).action).toBe("restore");
    expect(of(declare(`${WEB}/s`, { name: "Gone" })).action).toBe("create");
  });

  it("but no change if it is declared absent or forgotten", () => {
    for (const lifecycle of [{ state: "absent" }, { forget: true }] as const) {
      const made = plan([pinned({ lifecycle })], domains("y"), { recreate: [DOMAIN] });
      expect([changeOf(made, DOMAIN).action, made.diagnostics]).toEqual(["no_op", []]);
    }
  });

  it("but an error if it is an organization, because the key may not see it", () => {
    const made = plan([declare("acme", { name: "Acme Inc" }, { pin: { field: "id", value: "gone" } })], live(), {
      recreate: ["acme"],
    });
    expect(changeOf(made, "acme").action).toBe("unknown");
    expect(made.diagnostics).toMatchObject([{ severity: "error", code: "pin_missing", address: "acme" }]);
    expect(ACME.id).not.toBe("gone");
  });

  it("and its collection is not pruned: the pin may be wrong", () => {
    const made = plan([pinned()], domains("y"), { prune: true }, { exclusive: [{ scope: "acme", kind: "domain" }] });
    expect(made.changes.map(({ action }) => action)).toEqual(["create"]);
  });
});

describe("a declared member who is not in the complete list", () => {
  const EVE = "acme/members/eve@acme.com";
  const ADA = "acme/members/ada@acme.com";
  const members = live({ "members.list": [MEMBER] });

  it.each<[string, Resource, readonly string[]]>([
    ["without a pin", declare(EVE, { level: 8 }), ["--accept --only acme/members/eve@acme.com", "membership"]],
    ["with a pin", declare(EVE, { level: 8 }, { pin: { field: "uuid", value: "gone" } }), ["--accept", "membership"]],
    [
      "with the pin of a former membership",
      declare(ADA, { level: 8 }, { pin: { field: "id", value: "gone" } }),
      ["remove the id", "ada@acme.com is found without it"],
    ],
  ])("%s is missing, and no option creates the object", (_name, resource, says) => {
    const made = plan([resource], members);
    const change = changeOf(made, resource.address);
    expect(change).toMatchObject({ action: "create", id: null, blocked: { rule: "not_there" } });
    for (const part of says) expect(liftOf(change.blocked)).toContain(part);
    expect([change.reason, liftOf(change.blocked)]).toMatchSnapshot("sentences");
    expect(checked(made, [expiredInvite], worldOf()).plan.summary).toMatchObject({ create: 1, unknown: 0 });
    expect(plan([resource], members, { recreate: [resource.address] }).changes).toEqual(made.changes);
  });

  it("is unknown if the list could not be read", () => {
    const made = plan([declare(EVE, { level: 8 })], unreadable(members, "acme", "member"));
    expect(changeOf(made, EVE).action).toBe("unknown");
  });

  it("keeps the others from being pruned: one of them may be this person with another address", () => {
    const made = plan(
      [declare(EVE, { level: 8 })],
      members,
      { prune: true },
      { exclusive: [{ scope: "acme", kind: "member" }] },
    );
    expect(made.changes.map(({ action }) => action)).toEqual(["create"]);
  });
});

describe("a missing insight that is pinned by its id", () => {
  it("is restored, with the caveat that the id may never have existed", () => {
    const change = changeOf(plan([byId], live({}, { "insights.list": [ROW] })), byId.address);
    expect(change).toMatchObject({ action: "restore", id: "9", blocked: null });
    expect(change.command).toEqual(["driftline", "apply", "--recreate", byId.address]);
    expect(change.reason).toMatchSnapshot("sentence");
  });

  it("shows what is written after the restore, but not what others manage", () => {
    const values = { name: "New", tags: ["y"], description: null };
    const declared = { ...byId, values, lifecycle: { ignore: ["tags"] } };
    const change = changeOf(plan([declared], live({}, { "insights.list": [ROW] })), byId.address);
    expect(change).toMatchObject({ action: "restore", fingerprint: null });
    expect(change.fields).toEqual([
      { path: "/name", prior: null, planned: "New" },
      { path: "/description", prior: null, planned: null },
    ]);
  });

  it("is not restored where another object has its name: the id may be a wrong one", () => {
    const change = changeOf(plan([byId], live({}, { "insights.list": [{ ...ROW, name: "Gone" }] })), byId.address);
    expect(change).toMatchObject({ action: "create", blocked: { rule: "pin_missing" } });
    expect([change.reason, change.blocked?.lift]).toMatchSnapshot("sentences");
  });

  it("is created with --recreate", () => {
    const made = plan([byId], live({}, { "insights.list": [ROW] }), { recreate: [byId.address] });
    expect(changeOf(made, byId.address)).toMatchObject({ action: "create", blocked: null });
  });
});

describe("a pinned insight that is in another project", () => {
  const APP = "acme/projects/app";

  /** The project `web` with one insight, and the project `app` with another. */
  function twoProjects(inApp: JsonObject) {
    const [web, app] = [live({}, { "insights.list": [ROW] }), live({}, { "insights.list": [inApp] })];
    const found = app.lists.get(listKey("acme/projects/web", "insight"));
    const objects = (found?.objects ?? []).map((one) => ({ ...one, scope: APP }));
    const list = { status: "known", objects } as const;
    const scopes = new Map(web.scopes).set(APP, { status: "known", path: { project_id: "3" } });
    return { scopes, lists: new Map(web.lists).set(listKey(APP, "insight"), list) };
  }

  it.each([
    ["id", byId, { id: 9, name: "Gone" }],
    ["short_id", byShortId, { id: 9, short_id: "gonegone", name: "Gone" }],
  ])("by its %s is neither restored nor created there", (_pin, resource, row) => {
    const change = changeOf(plan([resource], twoProjects(row)), resource.address);
    expect(change).toMatchObject({ action: "create", id: null, blocked: { rule: "pinned_elsewhere" } });
    expect([change.reason, liftOf(change.blocked)]).toMatchSnapshot("sentences");
  });

  it("is created anew with --recreate, and left alone if it is declared absent", () => {
    const world = twoProjects({ id: 9, name: "Gone" });
    const made = plan([byId], world, { recreate: [byId.address] });
    expect(changeOf(made, byId.address)).toMatchObject({ action: "create", blocked: null });
    const absent = { ...byId, lifecycle: { state: "absent" } as const };
    expect(changeOf(plan([absent], world), byId.address).action).toBe("no_op");
  });

  it("is still restored if the insight of the other project has another id", () => {
    const change = changeOf(plan([byId], twoProjects({ id: 8, name: "Gone" })), byId.address);
    expect(change).toMatchObject({ action: "restore", id: "9" });
  });

  it("keeps its own collection from being pruned", () => {
    const more = { exclusive: [{ scope: "acme/projects/web", kind: "insight" }] } as const;
    const made = plan([byId], twoProjects({ id: 9, name: "Gone" }), { prune: true }, more);
    expect(made.changes.map(({ action }) => action)).toEqual(["create"]);
  });
});

describe("an object of another scope with the same id", () => {
  const withBeta = (operation: string, rows: readonly JsonObject[], kind: KindName) => {
    const world = live({ [operation]: rows });
    const [list] = world.lists.values();
    const objects = (world.lists.get(listKey("acme", kind)) ?? list)?.objects.map((one) => ({ ...one, scope: "beta" }));
    const scopes = new Map(world.scopes).set("beta", { status: "known", path: { organization_id: "b" } });
    const lists = new Map(world.lists)
      .set(listKey("beta", kind), { status: "known", objects: objects ?? [] })
      .set(listKey("acme", kind), { status: "known", objects: [] });
    return { scopes, lists };
  };

  it("is another object if it is of another kind", () => {
    const domain = { id: "x", domain: "e.com" };
    const resource = declare("acme/batch_exports/b", { name: "B" }, { pin: { field: "id", value: "x" } });
    const { lists, scopes } = withBeta("domains.list", [domain], "domain");
    const all = new Map(lists).set(listKey("acme", "batch_export"), { status: "known", objects: [] });
    expect(changeOf(plan([resource], { scopes, lists: all }), resource.address).blocked?.rule).toBe("pin_missing");
  });

  it("offers no command if driftline creates none of its kind", () => {
    const resource = declare("acme/members/ada@acme.com", { level: 8 }, { pin: { field: "id", value: "m1" } });
    const { blocked } = changeOf(plan([resource], withBeta("members.list", [MEMBER], "member")), resource.address);
    expect(blocked?.rule).toBe("pinned_elsewhere");
    expect(blocked).not.toHaveProperty("command");
    expect(blocked?.lift).toMatchSnapshot("sentence");
  });

  it("asks for what a new object needs before it offers the command", () => {
    const resource = declare(DOMAIN, {}, { pin: { field: "id", value: "x" } });
    const world = withBeta("domains.list", [{ id: "x", domain: "d.com" }], "domain");
    const { blocked } = changeOf(plan([resource], world), DOMAIN);
    expect(blocked).toMatchObject({ rule: "pinned_elsewhere", command: ["driftline", "apply", "--recreate", DOMAIN] });
    expect(blocked?.lift).toMatchSnapshot("sentence");
  });
});

describe("--recreate", () => {
  const recreated = (...ids: readonly string[]) => plan([pinned()], domains(...ids), { recreate: [DOMAIN] });

  it("lifts the block if no object has its name", () => {
    expect(changeOf(recreated(), DOMAIN)).toMatchObject({ action: "create", blocked: null });
    expect(recreated().options.recreate).toEqual([DOMAIN]);
  });

  it("matches the object that has its name, so a second run creates nothing", () => {
    const made = recreated("y");
    expect(changeOf(made, DOMAIN)).toMatchObject({ action: "no_op", id: "y" });
    expect(made.summary.unmanaged).toBe(1);
    expect(made.diagnostics).toMatchObject([{ severity: "warning", code: "nothing_to_recreate", address: DOMAIN }]);
  });

  it("matches none of several objects", () => {
    expect(recreated("y", "z").diagnostics).toMatchObject([{ severity: "error", code: "ambiguous" }]);
  });

  it("warns if the object exists", () => {
    const made = plan([pinned()], domains("x"), { recreate: [DOMAIN] });
    expect(changeOf(made, DOMAIN)).toMatchObject({ action: "no_op", id: "x" });
    expect(made.diagnostics).toMatchObject([{ code: "nothing_to_recreate" }]);
  });

  it("does not lift the block if too little is declared: a second run could not find the new object", () => {
    const resource = declare(`${WEB}/s`, { description: "x" }, { pin: { field: "id", value: "9" } });
    const made = plan([resource], live({}, { "insights.list": [] }), { recreate: [resource.address] });
    expect(changeOf(made, resource.address).action).toBe("restore");
    const dark = declare("acme/domains/d", {}, { pin: { field: "id", value: "x" } });
    const blocked = plan([dark], domains(), { recreate: [DOMAIN] });
    expect(liftOf(changeOf(blocked, DOMAIN).blocked)).toContain("declare domain");
  });

  it("does not treat an object with equal values as renamed, because its id differs", () => {
    const values = { name: "Gone", query: { kind: "Trends" } };
    const resource = declare(`${WEB}/s`, values, { pin: { field: "short_id", value: "gonegone" } });
    const rows = live({}, { "insights.list": [{ ...ROW, query: values.query }] });
    expect(changeOf(plan([resource], rows), resource.address).blocked?.rule).toBe("pin_missing");
    expect(changeOf(plan([resource], rows, { recreate: [resource.address] }), resource.address)).toMatchObject({
      action: "create",
      blocked: null,
    });
  });
});
