import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../src/model/json/json.ts";
import { listKey, type LiveList, type LiveObject } from "../../../src/model/live.ts";
import type { Resource } from "../../../src/model/resource.ts";
import { indexOf } from "../../../src/plan/match.ts";
import { lookupKeysOf } from "../../../src/plan/lists-to-read.ts";
import { actions, declare, graphOf, live, plan } from "./world.ts";

const WEB = "acme/projects/web/insights";
const insights = (...rows: readonly JsonObject[]) => live({}, { "insights.list": rows });
const invites = (rows: readonly JsonObject[], members: readonly JsonObject[] = []) =>
  live({ "invites.list": rows, "members.list": members });

/** The action and the object's id of each change. */
function decided(...made: Parameters<typeof plan>) {
  return plan(...made).changes.map(({ action, id }) => [action, id]);
}

describe("an object that is soft-deleted", () => {
  const named = declare(`${WEB}/s`, { name: "S" });
  const gone = { id: 7, name: "S", deleted: true };

  it("is not found by its name", () => {
    expect(decided([named], insights(gone))).toEqual([["create", null]]);
    expect(decided([named], insights(gone, { id: 8, name: "S" }))).toEqual([["no_op", "8"]]);
    const renamed = declare(`${WEB}/s`, { name: "T" }, { lifecycle: { renamed_from: "S" } });
    expect(decided([renamed], insights(gone, { id: 8, name: "T" }))).toEqual([["no_op", "8"]]);
  });

  it("is found by its pin in any letter case", () => {
    const pinned = declare(`${WEB}/s`, { name: "S" }, { pin: { field: "short_id", value: "ABC" } });
    expect(decided([pinned], insights({ ...gone, short_id: "aBc" }))).toEqual([["restore", "7"]]);
  });
});

it("a pinned object that any of its lists may hide is not known", () => {
  const world = live({
    "pipeline_destinations.list": [],
    "pipeline_frontend_apps.list": [],
    "pipeline_import_apps.list": [],
  });
  const hidden = new Map([["id 5", { reason: "GET answered 403", isDenied: true }]]);
  const list: LiveList = { status: "known", objects: [], hidden };
  const lists = new Map([...world.lists, [listKey("acme", "pipeline_frontend_app"), list]]);
  const pinned = declare("acme/pipeline_destinations/p", { name: "P" }, { pin: { field: "id", value: "5" } });
  expect(decided([pinned], { ...world, lists })).toEqual([["unknown", "5"]]);
});

it("a domain is found in any letter case", () => {
  const rows = { "domains.list": [{ id: "d", domain: "Acme.COM" }] };
  expect(decided([declare("acme/domains/d", { domain: "acme.com" })], live(rows))).toEqual([["no_op", "d"]]);
});

it("a membership has the level of the pending invite, and not that of an expired one", () => {
  const row = { target_email: "bob@acme.com" };
  const rows = [
    { ...row, id: "expired", level: 8, is_expired: true },
    { ...row, id: "pending", level: 1, is_expired: false },
  ];
  const bob = declare("acme/memberships/bob@acme.com", { level: 1 });
  for (const given of [rows, rows.toReversed()])
    expect(plan([bob], invites(given)).changes.map(({ action }) => action)).toEqual(["no_op"]);
});

describe("of several invites to one address", () => {
  const row = { target_email: "bob@acme.com", level: 1 };
  const pending = { ...row, id: "pending", is_expired: false };
  const expired = { ...row, id: "expired", is_expired: true };
  const invite = declare("acme/invites/bob", row);

  it("the pending one is matched, and expired ones are ignored", () => {
    for (const rows of [
      [pending, expired],
      [expired, pending],
    ])
      expect(decided([invite], invites(rows))).toEqual([["no_op", "pending"]]);
  });

  it("the expired one is matched if there is no other", () => {
    expect(decided([invite], invites([expired]))).toEqual([["no_op", "expired"]]);
    const renewed = { ...invite, lifecycle: { renew: true } };
    expect(decided([renewed], invites([expired]))).toEqual([["replace", "expired"]]);
  });

  it("none is matched if two are pending, or two have expired", () => {
    for (const one of [pending, expired])
      expect(plan([invite], invites([one, { ...one, id: "other" }])).diagnostics).toMatchObject([
        {
          severity: "error",
          code: "ambiguous",
          message: expect.stringMatching(new RegExp(`\\b${one.id}\\b.*\\bother\\b`)) as string,
        },
      ]);
  });

  it("all levels are shown, if a membership consists of invites with different ones", () => {
    const membership = declare("acme/memberships/bob@acme.com", { level: 1 });
    const { changes } = plan([membership], invites([{ ...pending, level: 8 }, { ...pending, id: "other" }, expired]));
    expect(changes).toMatchObject([{ action: "replace", fields: [{ path: "/level", prior: [1, 8], planned: 1 }] }]);
  });

  it("a pending one is matched even if the person has joined, and the member is matched without one", () => {
    const joined = { id: "m", level: 1, user: { uuid: "u", email: "bob@acme.com" } };
    expect(decided([{ ...invite, lifecycle: { state: "absent" } }], invites([pending], [joined]))).toEqual([
      ["delete", "pending"],
    ]);
    expect(decided([invite], invites([], [joined]))).toEqual([["no_op", "u"]]);
  });
});

describe("a renamed object", () => {
  const plugins = (...rows: readonly JsonObject[]) => live({ "pipeline_destinations.list": rows });

  it("is found by its former address in any letter case", () => {
    const ada = { id: "m", level: 8, user: { uuid: "u", email: "Ada@acme.com" } };
    const moved = declare("acme/members/eve@acme.com", { level: 8 }, { lifecycle: { renamed_from: "ADA@Acme.com" } });
    expect(decided([moved], live({ "members.list": [ada] }))).toEqual([["no_op", "u"]]);
  });

  it("is found by the former part of its natural key together with the unchanged part", () => {
    const declared = declare(
      "acme/pipeline_destinations/p",
      { name: "New", plugin_type: "source" },
      { lifecycle: { renamed_from: "Old" } },
    );
    const rows = [
      { id: 1, name: "Old", plugin_type: "custom" },
      { id: 2, name: "Old", plugin_type: "source" },
    ];
    expect(decided([declared], plugins(...rows))).toEqual([["update", "2"]]);
  });

  it("is found by a former url, and by a former name beside the same url", () => {
    const declared = (from: string) =>
      declare(
        "acme/pipeline_destinations/p",
        { url: "https://a.b/new", name: "New" },
        { lifecycle: { renamed_from: from } },
      );
    const moved = plugins({ id: 1, url: "https://a.b/old?x=1", name: "New" });
    expect(decided([declared("https://a.b/old")], moved)).toEqual([["replace", "1"]]);
    expect(decided([declared("Old")], plugins({ id: 1, url: null, name: "Old" }))).toEqual([["update", "1"]]);
  });

  it("is matched only once if its former name is its current one", () => {
    const kept = declare(`${WEB}/s`, { name: "S" }, { lifecycle: { renamed_from: "S" } });
    const made = plan([kept], insights({ id: 7, name: "S" }));
    expect([made.changes.map(({ action }) => action), made.diagnostics]).toEqual([["no_op"], []]);
  });
});

describe("an index", () => {
  it("holds only objects that are looked up", () => {
    const objects = insights({ id: 7, short_id: "abc", name: "S" }, { id: 8, short_id: "def", name: "T" }).lists.get(
      listKey("acme/projects/web", "insight"),
    )?.objects as readonly LiveObject[];
    const list = { status: "known", objects } as const;
    const lookupKeys = lookupKeysOf(graphOf([declare(`${WEB}/t`, { name: "T" })])).get(
      listKey("acme/projects/web", "insight"),
    );
    expect([...indexOf(list, lookupKeys).byKey.keys()]).toEqual(["T"]);
    expect([...indexOf(list, lookupKeys).byPin.keys()]).toHaveLength(2);
    expect([...indexOf(list).byKey.keys()]).toEqual(["S", "T"]);
  });

  it("is not asked for the name alone of a plugin that is declared with its url", () => {
    const values = { url: "https://a.b/c", name: "P", plugin_type: "source" };
    const key = listKey("acme", "pipeline_destination");
    const keysOf = (lifecycle: Resource["lifecycle"]) =>
      lookupKeysOf(graphOf([declare("acme/pipeline_destinations/p", values, { lifecycle })])).get(key)?.keys;
    expect(keysOf({})).toEqual(new Set(["https://a.b/c", "without url: source P"]));
    expect(keysOf({ renamed_from: "Old" })).toContain("Old");
  });

  it("has each pin under its field and its lower-case value", () => {
    const { lists } = insights({ id: 7, short_id: "AbC", name: "S" });
    const objects = lists.get(listKey("acme/projects/web", "insight"))?.objects ?? [];
    expect([...indexOf({ status: "known", objects }).byPin.keys()]).toEqual(["id 7", "short_id abc"]);
  });
});

describe("an object", () => {
  it("is matched by one resource only: a second one with its name finds nothing", () => {
    const twice = [declare(`${WEB}/a`, { name: "S" }), declare(`${WEB}/b`, { name: "S" })];
    expect(actions(plan(twice, insights({ id: 7, name: "S" })))).toEqual({
      [`${WEB}/a`]: "no_op",
      [`${WEB}/b`]: "create",
    });
  });
});
