import { describe, expect, it } from "vitest";
import { lockOut as lockOutCheck } from "../../../../src/kinds/organization/lock-out.ts";
import { worldOf } from "../../../../src/kinds/world.ts";
import type { JsonObject } from "../../../../src/model/json.ts";
import type { Resource } from "../../../../src/model/resource.ts";
import { untilKnown } from "../../../../src/world/until-known.ts";
import { apiError } from "../../apply/support.ts";
import { ACME, changeOf, checked, declare, graphOf, live, plan } from "../../plan/world.ts";
import { type Answers, serviceOf } from "../world.ts";

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
}

/** What blocks the organization, the people that are named, and what was read for that. */
async function lockOut({ answers = {}, people = [], organization = OPEN, self, gate = GATE }: World) {
  const snapshot = live({ "members.list": [], "invites.list": [] }, {}, { "organizations.list": [organization] });
  const resources = [gate, ...people];
  const made = plan(resources, snapshot);
  const { client, asked } = serviceOf(answers);
  const graph = graphOf(resources, { service: { self } });
  const { plan: found } = await untilKnown(client, worldOf(snapshot), (world) =>
    checked(made, [lockOutCheck], world, graph),
  );
  const { blocked } = changeOf(found, "acme");
  return { rule: blocked?.rule, who: blocked?.remedy.match(/\S+@[\w.]+\w(?: \(owner\))?/gu) ?? [], blocked, asked };
}

const ADA = { "members.list": [member("ada@old.com"), member("bob@new.com", 15)] };

describe("an organization that starts to enforce its verified domains", () => {
  it.each<[name: string, world: World, rule: string | undefined, who: readonly string[]]>([
    ["locks out members of no verified domain", { answers: ADA }, "lock_out", ["ada@old.com", "bob@new.com (owner)"]],
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
      "names each person once",
      { answers: ADA, people: [declared("ada@old.com")] },
      "lock_out",
      ["ada@old.com", "bob@new.com (owner)"],
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
    ["is refused to the key's own user", { answers: ADA, self: "Ada@old.com" }, "own_user", []],
  ])("%s", async (_name, world, rule, who) => {
    const found = await lockOut(world);
    expect([found.rule, found.who]).toEqual([rule, who]);
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
    expect(await lockOut(world)).toMatchObject({ rule: "lock_out", who: [] });
  });

  it("is new: nobody has a verified domain there, and nothing is read", async () => {
    const gate = declare("beta", { ...GATE.values, name: "Beta" }, { lifecycle: { create: true } });
    const resources = [gate];
    const snapshot = live();
    const { client, asked } = serviceOf({});
    const { plan: found } = await untilKnown(client, worldOf(snapshot), (world) =>
      checked(plan(resources, snapshot), [lockOutCheck], world, graphOf(resources)),
    );
    expect([changeOf(found, "beta").blocked?.rule, asked]).toEqual(["lock_out", []]);
  });

  it("keeps another block, and nothing is read", async () => {
    const gate = declare("beta", { ...GATE.values, name: "Beta" });
    const snapshot = live();
    const { client, asked } = serviceOf({});
    const { plan: found } = await untilKnown(client, worldOf(snapshot), (world) =>
      checked(plan([gate], snapshot), [lockOutCheck], world, graphOf([gate])),
    );
    expect([changeOf(found, "beta").blocked?.rule, asked]).toEqual(["organization_create", []]);
  });

  it("can be allowed at its address, and is counted as blocked", async () => {
    const { blocked } = await lockOut({ answers: ADA });
    expect(blocked?.command?.slice(1)).toEqual(["apply", "--allow-loss", "acme"]);
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
