/** The last owner and the key's own user are never removed or lowered. */
import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../../../src/model/json/json.ts";
import { listKey, type LiveWorld } from "../../../../src/model/live.ts";
import type { DesiredGraph, Resource } from "../../../../src/model/resource.ts";
import { sentencesOf } from "../../../support/sentences.ts";
import { exampleOf } from "../rows.ts";
import { ownUser, wrongSelf } from "../../../../src/kinds/people/own-user.ts";
import { worldOf } from "../../../../src/kinds/world.ts";
import { PEOPLE_CHECKS } from "../../../../src/kinds/people/checks.ts";
import { ACME, checked, declare, live, plan, unreadable } from "../world.ts";

const absent = { lifecycle: { state: "absent" } } as const;
const membership = (name: string, level?: number, scope = "acme"): Resource =>
  declare(
    `${scope}/memberships/${name}@acme.com`,
    level === undefined ? {} : { level },
    level === undefined ? absent : {},
  );
const member = (name: string, level?: number): Resource =>
  declare(`acme/members/${name}@acme.com`, level === undefined ? {} : { level }, level === undefined ? absent : {});

/** The organization with these people, and a key whose user has this level. */
function acme(people: readonly (readonly [string, number])[], keyLevel?: number | null, invites: JsonObject[] = []) {
  const { membership_level: _level, ...row } = ACME;
  const organization = keyLevel === undefined ? row : { ...row, membership_level: keyLevel };
  const members = people.map(([name, level]) => exampleOf(name, level));
  const rows = { "members.list": members, "invites.list": invites };
  return live(rows, {}, { "organizations.list": [organization] });
}

/** The block of each change: its rule, and how to lift it. */
function blocked(resources: readonly Resource[], world: LiveWorld, graph: Partial<DesiredGraph> = {}) {
  return plan(resources, world, { prune: true }, graph).changes.map((change) => change.blocked);
}
const rules = (...made: Parameters<typeof blocked>) => blocked(...made).map((block) => block?.rule ?? null);

const SELF = { service: { self: "Me@Acme.com" } };
const OWN = { rule: "own_user", lift: expect.stringContaining("service.self") as string };
const LAST = { rule: "last_owner", lift: expect.any(String) as string };

describe("the key's own user", () => {
  const team = [
    ["ada", 15],
    ["bob", 15],
    ["me", 8],
    ["eve", 8],
  ] as const;

  it("is only the person with the address in service.self, in any letter case", () => {
    const known = { rule: "own_user", lift: expect.not.stringContaining("service.self") as string };
    expect(sentencesOf(blocked([membership("me")], acme(team, 8), SELF))).toMatchSnapshot();
    expect(blocked([membership("me")], acme(team, 8), SELF)).toEqual([known]);
    expect(blocked([membership("me", 1)], acme(team, 8), SELF)).toEqual([known]);
    expect(blocked([membership("eve")], acme(team, 8), SELF)).toEqual([null]);
  });

  it.each<[string, string, number | null | undefined, number, readonly (string | null)[]]>([
    ["no member", "ceo@acme.com", 8, 8, ["own_user", "own_user", "self_mismatch"]],
    ["a member of another level", "ada@acme.com", 8, 8, ["own_user", "own_user", "self_mismatch"]],
    [
      "no member, where the level is not shown",
      "ceo@acme.com",
      undefined,
      8,
      ["own_user", "own_user", "self_mismatch"],
    ],
    ["no member, where the key's user is none either", "ceo@acme.com", null, 8, [null, null]],
    ["a member of that level", "ME@acme.com", 8, 8, [null, "own_user"]],
    ["a member whose level is unknown", "me@acme.com", 8, null as never, [null, "own_user"]],
  ])("is declared as %s", (_name, self, keyLevel, level, expected) => {
    const people = [...team.slice(0, 2), ["me", level], team[3]] as const;
    const made = [membership("eve"), membership("me", 1)];
    const graph = { service: { self, position: { file: "a.yaml", line: 2, column: 3 } } };
    const world = acme(people, keyLevel);
    const warnings = wrongSelf(graph, worldOf(world));
    expect([...rules(made, world, graph), ...warnings.map(({ code }) => code)]).toEqual(expected);
    expect(warnings).toMatchObject(warnings.map(() => graph.service.position));
  });

  it("is corrected in words", () => {
    const warned = ["ceo@acme.com", "ada@acme.com"].flatMap((self) =>
      wrongSelf({ service: { self } }, worldOf(acme(team, 8))),
    );
    expect(sentencesOf(warned)).toMatchSnapshot();
  });

  it("is believed if the members were not read whole", () => {
    const graph = { service: { self: "ceo@acme.com" } };
    const world = acme(team, 8);
    const some = unreadable(unreadable(world, "acme", "membership"), "acme", "member");
    const hidden = [{ ...ACME, membership_level: 1, members_can_see_org_members: false }];
    const rows = { "members.list": [exampleOf("eve", 1)], "invites.list": [] };
    const partly = live(rows, {}, { "organizations.list": hidden });
    const unlisted = new Map([...world.lists].filter(([key]) => key !== listKey("", "organization")));
    for (const one of [some, partly, { ...world, lists: unlisted }])
      expect([ownUser(graph, worldOf(one)), wrongSelf(graph, worldOf(one))]).toEqual(["ceo@acme.com", []]);
    expect([ownUser(graph, worldOf(world)), ownUser({ service: {} }, worldOf(world))]).toEqual([undefined, undefined]);
  });

  it.each<[string, readonly Resource[], number | null | undefined, number]>([
    ["a removal", [membership("eve")], 8, 1],
    ["a demotion", [membership("eve", 1)], 8, 1],
    ["a removal where the level is not shown", [membership("ada")], undefined, 1],
    ["a promotion", [membership("eve", 15)], 8, 0],
    ["a removal of somebody else", [membership("ada")], 8, 0],
    ["a removal by a key whose user is no member", [membership("eve")], null, 0],
    ["a refused removal of that user", [membership("me")], 8, 0],
  ])("is only claimed to be somebody else, which is said of %s", (_name, resources, keyLevel, count) => {
    const world = acme(team, keyLevel);
    const graph = { resources: [], projects: [], exclusive: [], ...SELF };
    const made = checked(plan(resources, world, {}, SELF), PEOPLE_CHECKS, worldOf(world), { graph });
    const found = made.warnings.filter(({ code }) => code === "self_unproved");
    expect(found.length).toBe(count);
    for (const one of found) expect(sentencesOf([one])).toMatchSnapshot();
  });

  it("is called you, and nobody else is", () => {
    const { changes } = plan([membership("me", 15), membership("eve", 15)], acme(team, 8), {}, SELF);
    expect(changes.map(({ reason }) => reason.includes("this is you"))).toEqual([true, false]);
  });

  it("may be any member with the key's level if service.self is not set", () => {
    const refused = blocked([membership("eve"), membership("me", 1)], acme(team, 8));
    expect(refused).toEqual([OWN, OWN]);
    expect(sentencesOf(refused)).toMatchSnapshot();
    expect(blocked([membership("eve"), membership("me", 1)], acme(team, 15))).toEqual([null, null]);
    expect(blocked([membership("ada", 8)], acme(team, 8))).toEqual([null]);
  });

  it("is kept by a declaration if only an exclusive collection removes the user", () => {
    const exclusive = [{ scope: "acme", kind: "membership" }] as const;
    const refused = blocked([membership("ada", 15), membership("bob", 15), membership("eve", 8)], acme(team, 8), {
      ...SELF,
      exclusive,
    });
    expect(refused).toMatchObject([null, null, null, { rule: "own_user" }]);
    expect(sentencesOf(refused)).toMatchSnapshot();
  });

  it("may be any member if the service does not return the key's level", () => {
    expect(blocked([membership("eve"), membership("ada", 8)], acme(team))).toEqual([OWN, OWN]);
    const unlisted = acme(team, 15);
    const lists = new Map([...unlisted.lists].filter(([key]) => key !== listKey("", "organization")));
    expect(blocked([membership("eve")], { ...unlisted, lists })).toEqual([OWN]);
    const elsewhere = new Map(unlisted.scopes).set("acme", { status: "known", path: { organization_id: "other" } });
    expect(blocked([membership("eve")], { ...unlisted, scopes: elsewhere })).toEqual([OWN]);
  });

  it("is compared by level, whether the service returns levels as numbers or as text", () => {
    const eve = exampleOf("eve", 8);
    for (const [own, level] of [
      ["8", 8],
      [8, "8"],
    ]) {
      const people = { "members.list": [{ ...eve, level }], "invites.list": [] } as never;
      const world = live(people, {}, { "organizations.list": [{ ...ACME, membership_level: own }] as never });
      expect(blocked([membership("eve")], world)).toEqual([OWN]);
      expect(plan([membership("eve", 8)], world).changes).toMatchObject([{ action: "no_op" }]);
    }
  });

  it("is none of the members if the key's user is not a member", () => {
    expect(blocked([membership("eve"), membership("ada", 8)], acme(team, null))).toEqual([null, null]);
  });

  it("may be raised, or declared with the current level", () => {
    expect(plan([membership("me", 15), membership("eve", 8)], acme(team, 8)).changes).toMatchObject([
      { action: "update", blocked: null },
      { action: "no_op", blocked: null },
    ]);
  });

  it.each([undefined, null])(
    "may be a member whose current level is unknown, so even raising is blocked: %s",
    (level) => {
      const unknown = {
        id: "m",
        ...(level === undefined ? {} : { level }),
        user: { uuid: "u", email: "eve@acme.com" },
      };
      const world = live(
        { "members.list": [unknown], "invites.list": [] },
        {},
        { "organizations.list": [{ ...ACME, membership_level: undefined }] as never },
      );
      expect(blocked([membership("eve", 15)], world)).toEqual([OWN]);
    },
  );

  it("is not a person who was only invited", () => {
    const invite = { id: "i1", target_email: "new@acme.com", level: 8 };
    expect(plan([membership("new")], acme(team, 8, [invite])).changes).toMatchObject([
      { action: "delete", blocked: null },
    ]);
    expect(plan([membership("new", 1)], acme(team, 8, [invite])).changes).toMatchObject([
      { action: "replace", blocked: null },
    ]);
    expect(plan([membership("other", 8)], acme(team, 8)).changes).toMatchObject([{ action: "create", blocked: null }]);
  });

  it("is not an object of another kind with the same level", () => {
    const domain = declare("acme/domains/d", { domain: "d.com" }, absent);
    const world = live({ "domains.list": [{ id: "d", domain: "d.com", level: 15 }] });
    expect(blocked([domain], world)).toEqual([null]);
  });
});

describe("the last owner", () => {
  it("is found beside a resource whose list was not read", () => {
    const unread = declare("acme/domains/d", { domain: "d.com" });
    expect(rules([unread, membership("bob")], acme([["bob", 15]], 8), SELF)).toEqual([null, "last_owner"]);
  });

  const pair = [
    ["ada", 15],
    ["bob", 15],
    ["eve", 8],
    ["me", 8],
  ] as const;

  it("is neither removed nor lowered, as a member or as a membership", () => {
    const one = acme(pair.slice(1), 8);
    for (const of of [membership, member])
      expect([blocked([of("bob")], one, SELF), blocked([of("bob", 8)], one, SELF)]).toEqual([[LAST], [LAST]]);
    expect(sentencesOf(blocked([membership("bob")], one, SELF))).toMatchSnapshot();
  });

  it.each<[string, Json]>([
    ["as text", "15"],
    ["as a word", "owner"],
    ["not at all", null],
    ["above all known levels", 16],
  ])("may be a member whose level the service returns %s", (_how, level) => {
    const person = (name: string): JsonObject => ({ ...exampleOf(name, 15), level });
    const world = live(
      { "members.list": [person("bob")], "invites.list": [] },
      {},
      { "organizations.list": [{ ...ACME, membership_level: 8 }] as never },
    );
    expect(blocked([membership("bob")], world, SELF)).toEqual([LAST]);
    expect(blocked([member("bob", 1)], world, SELF)).toEqual([LAST]);
  });

  it("is neither of two owners, but both if both would be removed or lowered", () => {
    expect(rules([membership("ada")], acme(pair, 8), SELF)).toEqual([null]);
    expect(rules([membership("ada"), membership("bob", 1)], acme(pair, 8), SELF)).toEqual(["last_owner", "last_owner"]);
    expect(rules([membership("ada"), member("bob", 1)], acme(pair, 8), SELF)).toEqual(["last_owner", "last_owner"]);
  });

  it("is not said of the others if an owner stays because another rule refuses the removal", () => {
    const owners = [
      ["me", 15],
      ["bob", 15],
      ["eve", 15],
    ] as const;
    const all = [membership("me"), membership("bob"), membership("eve", 1)];
    expect(rules(all, acme(owners, 15), SELF)).toEqual(["own_user", null, null]);
  });

  it("is not assumed while another owner stays, declared or not", () => {
    expect(rules([membership("ada"), membership("bob", 15)], acme(pair, 8), SELF)).toEqual([null, null]);
    expect(rules([membership("ada"), membership("eve")], acme(pair, 8), SELF)).toEqual([null, null]);
  });

  it("is found per organization: owners of another one do not count", () => {
    const { scopes, lists } = acme(pair, 8);
    const others = acme(pair, 8, []);
    const beta = ["member", "membership"].map((kind) => {
      const key = listKey("acme", kind as "member");
      const objects = (others.lists.get(key)?.objects ?? []).map((one) => ({ ...one, scope: "beta" }));
      return [listKey("beta", kind as "member"), { status: "known" as const, objects }] as const;
    });
    const both = {
      scopes: new Map([...scopes, ["beta", { status: "known" as const, path: { organization_id: "b" } }]]),
      lists: new Map([...lists, ...beta]),
    };
    expect(rules([membership("ada"), membership("bob", 1, "beta")], both, SELF)).toEqual([null, null]);
    expect(rules([membership("ada"), membership("bob"), membership("bob", 1, "beta")], both, SELF)).toEqual([
      "last_owner",
      "last_owner",
      null,
    ]);
  });

  it("is found even if only one of the lists with people was read", () => {
    const world = acme(pair.slice(1), 8);
    const lists = new Map([...world.lists].filter(([key]) => key !== listKey("acme", "membership")));
    expect(rules([member("bob")], { ...world, lists }, SELF)).toEqual(["last_owner"]);
  });

  it("is not a person who was invited as an owner", () => {
    const invite = { id: "i1", target_email: "new@acme.com", level: 15 };
    expect(rules([membership("ada"), membership("bob")], acme(pair, 8, [invite]), SELF)).toEqual([
      "last_owner",
      "last_owner",
    ]);
    expect(rules([membership("new")], acme(pair, 8, [invite]), SELF)).toEqual([null]);
  });

  it("is not somebody with fewer rights, even if no owner is known", () => {
    expect(rules([member("bob")], acme([["bob", 1]], 8), SELF)).toEqual([null]);
  });
});

it.each<[string, number, number, boolean | undefined, boolean]>([
  ["an admin without a second factor", 1, 8, false, true],
  ["an owner without one", 8, 15, false, true],
  ["an admin with one", 1, 8, true, false],
  ["an admin whose row does not show it", 1, 8, undefined, false],
  ["an admin who was an owner", 15, 8, false, false],
])("who becomes %s is said to have none: %i to %i", (_name, before, level, has, expected) => {
  const row = { ...exampleOf("eve", before), ...(has === undefined ? {} : { is_2fa_enabled: has }) };
  const world = live({ "members.list": [row, exampleOf("ada", 15)], "invites.list": [] });
  const { changes } = plan([membership("eve", level)], world, {}, SELF);
  expect(changes.map(({ reason }) => reason.endsWith("; has no second factor"))).toEqual([expected]);
});

it.each<[string, string, number, boolean]>([
  ["invited from elsewhere", "new@b.io", 1, true],
  ["promoted from elsewhere", "eve@b.io", 8, true],
  ["lowered from elsewhere", "ada@b.io", 1, false],
  ["invited from the domain", "new@acme.com", 1, false],
])("who is %s is said to be outside the domains: %s to %i", (_name, email, level, expected) => {
  const person = (address: string, of: number) => ({
    ...exampleOf("x", of),
    id: address,
    user: { uuid: address, email: address },
  });
  const people = [person("eve@b.io", 1), person("ada@b.io", 15), person("bob@acme.com", 15)];
  const world = live({ "members.list": people, "invites.list": [] });
  const domain = declare("acme/domains/corp", { domain: "acme.com" });
  const reasonsOf = (...declared: readonly Resource[]) => {
    const { changes } = plan([declare(`acme/memberships/${email}`, { level }), ...declared], world, {}, SELF);
    return changes
      .filter(({ kind }) => kind === "membership")
      .map(({ reason }) => reason.includes("outside the domains"));
  };
  expect([reasonsOf(domain), reasonsOf()]).toEqual([[expected], [false]]);
});

it("whose invite from elsewhere is raised to an admin is said to be outside the domains", () => {
  const invites = [{ id: "i-1", target_email: "eve@b.io", level: 1 }];
  const world = live({ "members.list": [exampleOf("ada", 15)], "invites.list": invites });
  const domain = declare("acme/domains/corp", { domain: "acme.com" });
  const noted = (level: number) =>
    plan([declare("acme/invites/eve", { target_email: "eve@b.io", level }), domain], world, {}, SELF)
      .changes.filter(({ kind }) => kind === "invite")
      .map(({ action, reason }) => [action, reason.includes("outside the domains")]);
  expect([noted(8), noted(1)]).toEqual([[["replace", true]], [["no_op", false]]]);
});

it("who is invited under an address like those of the others is said to look like them", () => {
  const people = ["a", "b", "c"].map((name) => ({
    ...exampleOf("x", 1),
    user: { uuid: name, email: `${name}@acme.com` },
  }));
  const world = live({ "members.list": people, "invites.list": [] });
  const { changes } = plan([declare("acme/memberships/new@acrne.com", { level: 8 })], world, {}, SELF);
  expect(changes.map(({ reason }) => reason.endsWith("; looks like acme.com"))).toEqual([true]);
});

describe("owners who go", () => {
  const [two, three]: readonly (readonly (readonly [string, number])[])[] = [
    [
      ["ada", 15],
      ["bob", 15],
      ["eve", 1],
    ],
    [
      ["ada", 15],
      ["bob", 15],
      ["dan", 15],
      ["eve", 1],
    ],
  ];

  it.each<[string, readonly Resource[], typeof two, readonly string[]]>([
    ["one is removed of two", [membership("bob")], two, ["ada@acme.com"]],
    ["one is lowered of two", [membership("bob", 8)], two, ["ada@acme.com"]],
    ["two are removed of three", [membership("bob"), membership("dan")], three, ["ada@acme.com"]],
    ["two remain", [membership("bob")], three, []],
    ["another becomes one", [membership("bob"), membership("eve", 15)], two, []],
    ["both are removed, which is refused", [membership("bob"), membership("ada")], two, []],
    ["somebody else goes", [membership("eve")], two, []],
    ["another is only invited as one", [membership("bob"), membership("new", 15)], two, ["ada@acme.com"]],
    ["somebody else goes beside an only one", [membership("eve")], two?.slice(1), []],
  ])("a plan says that one remains, if %s", (_name, resources, people = [], remaining) => {
    const world = acme(people, null);
    const made = checked(plan(resources, world), PEOPLE_CHECKS, worldOf(world));
    const found = made.warnings.filter(({ code }) => code === "few_owners");
    expect(found.map(({ message }) => message)).toEqual(remaining.map((email) => expect.stringContaining(email)));
  });
});
