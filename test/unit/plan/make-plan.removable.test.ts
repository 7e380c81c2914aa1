import { describe, expect, it } from "vitest";
import { ACME, changeOf, declare, live, plan, unreadable } from "./world.ts";
import type { Lifecycle } from "../../../src/model/resource.ts";

const DOMAIN = "acme/domains/d";
const INSIGHT = "acme/projects/web/insights/s";
const ABSENT: Lifecycle = { state: "absent" };
const RENAMED: Lifecycle = { renamed_from: "Old" };

const domains = (...names: readonly string[]) =>
  live({ "domains.list": names.map((domain, index) => ({ id: `id-${String(index)}`, domain })) });
const insights = (...rows: readonly object[]) =>
  live(
    {},
    { "insights.list": rows.map((row, index) => ({ id: index + 1, short_id: `short${String(index)}`, ...row })) },
  );

const domain = (lifecycle: Lifecycle, more: object = {}) =>
  declare(DOMAIN, { domain: "a.com" }, { lifecycle, ...more });
const insight = (lifecycle: Lifecycle, more: object = {}) => declare(INSIGHT, { name: "New" }, { lifecycle, ...more });
const removable = (...args: Parameters<typeof plan>) => {
  const [[resource]] = args;
  return changeOf(plan(...args), resource?.address ?? "").removable;
};

describe("an entry that is declared absent", () => {
  it("can be removed once its object is gone, and not before", () => {
    expect(removable([domain(ABSENT)], domains("b.com"))).toBe("state");
    expect(removable([domain(ABSENT)], domains("a.com"))).toBeUndefined();
  });

  it("stays if its list could not be read", () => {
    expect(removable([domain(ABSENT)], unreadable(domains(), "acme", "domain"))).toBeUndefined();
  });

  it("can be removed if its pinned object is deleted", () => {
    const pin = { pin: { field: "id", value: "1" } };
    expect(removable([insight(ABSENT, pin)], insights({ name: "New", deleted: true }))).toBe("gone");
    expect(removable([insight(ABSENT, pin)], insights())).toBe("gone");
    expect(removable([insight(ABSENT, pin)], insights({ name: "New", deleted: false }))).toBeUndefined();
  });

  it("stays for an organization, which the key may not see", () => {
    const gone = declare("beta", { name: "Beta" }, { lifecycle: ABSENT });
    expect(removable([gone], live())).toBeUndefined();
  });

  it("stays if it is left alone, or if its organization was not found", () => {
    expect(removable([domain({ ...ABSENT, forget: true })], domains("a.com"))).toBeUndefined();
    const world = live();
    const without = { ...world, scopes: new Map([...world.scopes, ["acme", { status: "absent" } as const]]) };
    expect(removable([domain(ABSENT)], without)).toBeUndefined();
  });
});

it("is nothing of an entry that declares neither", () => {
  const made = changeOf(plan([domain({})], domains("a.com")), DOMAIN);
  expect([made.action, made.removable]).toEqual(["no_op", undefined]);
});

describe("renamed_from", () => {
  it("stays if the key sees only a part of the people: the one with the former address may be hidden", () => {
    const eve = { id: "m", level: 1, user: { uuid: "u", email: "eve@acme.com" } };
    const members = (organization: object) =>
      live(
        { "members.list": [eve] },
        {},
        { "organizations.list": [{ ...ACME, membership_level: 1, ...organization }] },
      );
    const moved = declare("acme/members/eve@acme.com", { level: 1 }, { lifecycle: { renamed_from: "ada@acme.com" } });
    expect(removable([moved], members({}))).toBe("renamed_from");
    expect(removable([moved], members({ members_can_see_org_members: false }))).toBeUndefined();
  });

  it("can be removed once the object has its new name, and not before", () => {
    expect(removable([insight(RENAMED)], insights({ name: "New" }))).toBe("renamed_from");
    expect(removable([insight(RENAMED)], insights({ name: "Old" }))).toBeUndefined();
  });

  it("stays while the object is only found by its former name, even if the name is ignored", () => {
    const ignoring = insight({ ...RENAMED, ignore: ["/name"] });
    const world = insights({ name: "Old" });
    expect(changeOf(plan([ignoring], world), INSIGHT).action).toBe("no_op");
    expect(removable([ignoring], world)).toBeUndefined();
  });

  it("stays if the list could not be read, or if nothing is compared", () => {
    expect(removable([insight(RENAMED)], unreadable(insights(), "acme/projects/web", "insight"))).toBeUndefined();
    expect(removable([insight({ ...RENAMED, forget: true })], insights({ name: "New" }))).toBeUndefined();
  });
});

describe("_create_in_folder", () => {
  const filed = declare(INSIGHT, { name: "New", _create_in_folder: "Unfiled/Insights" });

  it("has done its work once the insight exists, and not before", () => {
    expect(removable([filed], insights({ name: "New" }))).toBe("_create_in_folder");
    expect(removable([filed], insights({ name: "Other" }))).toBeUndefined();
  });

  it("does so beside another difference as well", () => {
    const changed = declare(INSIGHT, { name: "New", description: "b", _create_in_folder: "Q3" });
    const made = changeOf(plan([changed], insights({ name: "New", description: "a" })), INSIGHT);
    expect([made.action, made.fields.map(({ path }) => path), made.removable]).toEqual([
      "update",
      ["/description"],
      "_create_in_folder",
    ]);
  });
});
