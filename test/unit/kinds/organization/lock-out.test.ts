import { describe, expect, it } from "vitest";
import { lockOut as lockOutCheck } from "../../../../src/kinds/organization/lock-out.ts";
import { worldOf } from "../../../../src/kinds/world.ts";
import type { JsonObject } from "../../../../src/model/json/json.ts";
import type { Resource } from "../../../../src/model/resource.ts";
import { untilKnown } from "../../../../src/world/until-known.ts";
import { apiError } from "../../apply/support.ts";
import { ACME, changeOf, checked, declare, graphOf, live, plan } from "../../plan/world.ts";
import { type Answers, serviceOf } from "../../engine/world.ts";

const GATE = declare("acme", { name: "Acme Inc", enforce_verified_domains: true });
const OPEN = { ...ACME, enforce_verified_domains: false };
const member = (email: string, level = 1): JsonObject => ({ id: email, level, user: { uuid: email, email } });
const domain = (name: string, verified: boolean): JsonObject => ({ id: name, domain: name, is_verified: verified });
const invite = (target_email: string, more: JsonObject = {}): JsonObject => ({
  id: target_email,
  target_email,
  ...more,
});
const declared = (email: string, more: Partial<Resource> = {}): Resource =>
  declare(`acme/memberships/${email}`, { level: 1 }, more);

interface World {
  readonly answers?: Answers;
  readonly people?: readonly Resource[];
  readonly organization?: JsonObject;
  readonly self?: string;
  readonly gate?: Resource;
  /** Those that the plan has read. */
  readonly members?: readonly JsonObject[];
  readonly invites?: readonly JsonObject[];
}

/** What blocks the organization, the people that are named, and what was read for that. */
async function lockOut({ answers = {}, people = [], organization = OPEN, self, gate = GATE, members, invites }: World) {
  const lists = { ...(members && { "members.list": members }), ...(invites && { "invites.list": invites }) };
  const listed = live(lists, {}, { "organizations.list": [organization] });
  const resources = [gate, ...people];
  const made = plan(resources, listed);
  const { client, asked } = serviceOf(answers);
  const graph = graphOf(resources, { service: { self } });
  const { plan: found } = await untilKnown(client, worldOf(listed), (world) =>
    checked(made, [lockOutCheck], world, { graph }),
  );
  const { blocked } = changeOf(found, "acme");
  return { rule: blocked?.rule, who: blocked?.detail?.match(/\S+@[\w.]+\w(?: \(OWNER\))?/gu) ?? [], blocked, asked };
}

const ADA = { "members.list": [member("ada@old.com"), member("bob@new.com", 15)] };

describe("an organization that starts to enforce its verified domains", () => {
  it.each<[name: string, world: World, rule: string | undefined, who: readonly string[]]>([
    ["locks out members of no verified domain", { answers: ADA }, "lock_out", ["bob@new.com (OWNER)", "ada@old.com"]],
    [
      "locks out none of a domain that was verified meanwhile, by name alone",
      { answers: { ...ADA, "domains.list": [domain("new.com", true), domain("old.com", false)] } },
      "lock_out",
      ["ada@old.com"],
    ],
    ["locks out nobody", { answers: {} }, undefined, []],
    ["locks out people who have not joined", { people: [declared("eve@new.com")] }, "lock_out", ["eve@new.com"]],
    [
      "lets in people who have not joined and are of a verified domain",
      { people: [declared("eve@new.com")], answers: { "domains.list": [domain("new.com", true)] } },
      undefined,
      [],
    ],
    [
      "does not count people who are to leave",
      {
        people: [
          declared("eve@new.com", { lifecycle: { state: "absent" } }),
          declared("al@new.com", { lifecycle: { forget: true } }),
        ],
      },
      undefined,
      [],
    ],
    [
      "does not count members whom the plan removes",
      {
        answers: ADA,
        members: [member("ada@old.com"), member("bob@new.com", 15), member("root@new.com", 15)],
        people: [declared("ada@old.com", { lifecycle: { state: "absent" } })],
      },
      "lock_out",
      ["bob@new.com (OWNER)"],
    ],
    [
      "names each person once",
      { answers: ADA, people: [declared("ada@old.com")] },
      "lock_out",
      ["bob@new.com (OWNER)", "ada@old.com"],
    ],
    [
      "locks out who has an open invite, declared or not, once",
      {
        answers: {
          "invites.list": [invite("Al@new.com"), invite("eve@new.com"), invite("old@new.com", { is_expired: true })],
        },
        people: [declare("acme/invites/eve", { target_email: "eve@new.com" })],
      },
      "lock_out",
      ["al@new.com", "eve@new.com"],
    ],
    [
      "locks out who is to be invited",
      { people: [declare("acme/invites/eve", { target_email: "Eve@new.com" })] },
      "lock_out",
      ["eve@new.com"],
    ],
    [
      "names all people in their natural order",
      { answers: { "members.list": [10, 2, 1, 3, 4, 5, 6, 7, 8].map((one) => member(`p${String(one)}@b.cc`)) } },
      "lock_out",
      [1, 2, 3, 4, 5, 6, 7, 8, 10].map((one) => `p${String(one)}@b.cc`),
    ],
    [
      "names the members even if there may be others",
      { answers: { ...ADA, "invites.list": apiError("invites.list", {}) } },
      "lock_out",
      ["bob@new.com (OWNER)", "ada@old.com"],
    ],
    [
      "is allowed to another user",
      { answers: ADA, self: "me@old.com", members: [member("me@old.com", 15)] },
      "lock_out",
      ["bob@new.com (OWNER)", "ada@old.com"],
    ],
    ["is refused to the key's own user", { answers: ADA, self: "Ada@old.com" }, "own_user", ["ada@old.com"]],
  ])("%s", async (_name, world, rule, who) => {
    const { blocked, ...found } = await lockOut(world);
    expect([found.rule, found.who]).toEqual([rule, who]);
    expect(`${blocked?.detail ?? ""} ${blocked?.lift ?? ""}`).toMatchSnapshot("lift");
  });

  it.each<[string, World]>([
    ["the members cannot be read", { answers: { "members.list": apiError("members.list", {}) } }],
    ["the invites cannot be read", { answers: { "invites.list": apiError("invites.list", {}) } }],
    ["a member has no address", { answers: { "members.list": [{ id: "m", level: 1, user: { uuid: "u" } }] } }],
    [
      "the key sees only its own people",
      { organization: { ...OPEN, members_can_see_org_members: false, membership_level: 1 } },
    ],
    [
      "the domains of declared people cannot be read",
      { people: [declared("eve@new.com")], answers: { "domains.list": apiError("domains.list", {}) } },
    ],
  ])("may lock out somebody if %s", async (_name, world) => {
    const { blocked, ...found } = await lockOut(world);
    expect(found).toMatchObject({ rule: "lock_out", who: [] });
    expect(`${blocked?.detail ?? ""} ${blocked?.lift ?? ""}`).toMatchSnapshot("lift");
  });

  it("is new: nobody has a verified domain there, and nothing is read", async () => {
    const gate = declare("beta", { ...GATE.values, name: "Beta" }, { lifecycle: { create: true } });
    const resources = [gate];
    const listed = live();
    const { client, asked } = serviceOf({});
    const { plan: found } = await untilKnown(client, worldOf(listed), (world) =>
      checked(plan(resources, listed), [lockOutCheck], world, { graph: graphOf(resources) }),
    );
    expect([changeOf(found, "beta").blocked?.rule, asked]).toEqual(["lock_out", []]);
  });

  it("keeps another block, and nothing is read", async () => {
    const gate = declare("beta", { ...GATE.values, name: "Beta" });
    const listed = live();
    const { client, asked } = serviceOf({});
    const { plan: found } = await untilKnown(client, worldOf(listed), (world) =>
      checked(plan([gate], listed), [lockOutCheck], world, { graph: graphOf([gate]) }),
    );
    expect([changeOf(found, "beta").blocked?.rule, asked]).toEqual(["organization_create", []]);
  });

  const OWNER = { ...OPEN, membership_level: 15 };
  it.each<[name: string, world: World, isAsked: boolean]>([
    ["of an owner, if an owner is locked out", { organization: OWNER }, true],
    ["of somebody, if the service does not say at which level", { organization: OPEN }, true],
    ["of a plain member, if one is locked out", { organization: { ...OPEN, membership_level: 1 } }, true],
    ["of an admin, if none is locked out", { organization: { ...OPEN, membership_level: 8 } }, false],
    ["of nobody in the organization", { organization: { ...OPEN, membership_level: null } }, false],
    ["of a declared user", { organization: OWNER, self: "me@old.com", members: [member("me@old.com", 15)] }, false],
    [
      "of somebody else than declared",
      { organization: OWNER, self: "me@old.com", members: [member("al@old.com")] },
      true,
    ],
  ])("asks first whose key it is: %s", async (_name, world, isAsked) => {
    const { blocked } = await lockOut({ answers: ADA, ...world });
    expect(blocked?.lift.startsWith("set service.self ")).toBe(isAsked);
    expect(blocked?.command?.slice(1)).toEqual(["apply", "--allow-loss", "acme"]);
  });

  it("takes the invites from the list that the plan has read, and asks for it no second time", async () => {
    const { who, asked } = await lockOut({
      invites: [invite("Al@new.com"), invite("old@new.com", { is_expired: true }), invite("bob@old.com")],
      members: [member("bob@old.com")],
    });
    expect([who, asked]).toEqual([["al@new.com"], ["members.list", "domains.list"]]);
  });

  it("can be allowed at its address, and is counted as blocked", async () => {
    const { blocked } = await lockOut({ answers: ADA });
    expect(blocked?.command?.slice(1)).toEqual(["apply", "--allow-loss", "acme"]);
  });

  it("cannot be allowed by the key's own user, whom it names", async () => {
    const { blocked } = await lockOut({ answers: ADA, self: "Ada@old.com" });
    expect([blocked?.command, blocked?.detail]).toEqual([undefined, "ada@old.com"]);
  });
});

it.each<[string, World]>([
  ["that enforces them already", { organization: { ...ACME, enforce_verified_domains: true } }],
  [
    "that stops to",
    {
      organization: { ...ACME, enforce_verified_domains: true },
      gate: declare("acme", { name: "Acme Inc", enforce_verified_domains: false }),
    },
  ],
  ["of which something else changes", { gate: declare("acme", { name: "Acme Inc", enforce_2fa: true }) }],
])("nothing is read for an organization %s", async (_name, world) => {
  expect(await lockOut({ answers: ADA, ...world })).toMatchObject({ rule: undefined, asked: [] });
});
